"""No row of Alice's is changed, removed or built upon by who does not share its workspace.

Every scoped model is walked, with both locks and with each alone; who may succeeds on the same path.
"""

from typing import Any

from django.db import transaction

from tenants.fields import ScopedForeignKey
from tenants.models import ApiKey
from tests.tenants.cases import (
    APPEND_ONLY,
    BY_FUNCTION_ONLY,
    Case,
    Model,
    copy_of,
    fresh,
    insertion,
    succeeds,
    undone,
)


def test_it_changes_no_row_for_a_stranger(case: Case) -> None:
    def change(model: Model, row: Any) -> int:
        return model._default_manager.filter(pk=row.pk).update(id=row.pk)

    for model, row in case.hidden():
        if model in APPEND_ONLY:
            continue
        with undone(case.alice):
            assert change(model, row) == 1, model.__name__
        with undone(case.stranger):
            assert change(model, row) == 0, model.__name__


def test_it_saves_no_row_over_alices(case: Case) -> None:
    """An object with Alice's key and everything else the stranger's own."""
    for model, row in case.hidden():
        if model in APPEND_ONLY:
            continue
        assert not succeeds(case.stranger, lambda row=row: copy_of(row, pk=row.pk).save()), model.__name__
        if model not in case.own:
            continue
        forged = copy_of(case.own[model], pk=row.pk)
        assert not succeeds(case.stranger, lambda forged=forged: forged.save(force_update=True)), (
            model.__name__
        )
        own = copy_of(case.own[model], pk=case.own[model].pk)
        assert succeeds(case.stranger, lambda own=own: own.save(force_update=True)), model.__name__


def test_it_removes_no_row_for_a_stranger(case: Case) -> None:
    for model, row in case.hidden():
        if model in APPEND_ONLY:
            continue
        with undone(case.stranger):
            assert not model._default_manager.filter(pk=row.pk)._raw_delete("default"), model.__name__
            assert model._default_manager.filter(pk=row.pk).delete()[0] == 0, model.__name__
            assert model(pk=row.pk).delete()[0] == 0, model.__name__
            assert copy_of(case.own.get(model, row), pk=row.pk).delete()[0] == 0, model.__name__
        with case.alice.scope():
            assert model._default_manager.filter(pk=row.pk)._raw_delete("default") == 1, model.__name__
            transaction.set_rollback(True)


def test_it_puts_no_row_where_a_stranger_may_not_see(case: Case) -> None:
    """A new row in Alice's workspace or tenant, made by somebody who may not."""
    for model, row in case.not_his_to_add():
        if model in BY_FUNCTION_ONLY or (model is ApiKey and row.tenant_id == case.own[model].tenant_id):
            continue
        for many in (False, True):
            assert succeeds(case.alice, insertion(fresh(row, case.spare), many=many)), (
                f"{model.__name__}: not covered"
            )
            assert not succeeds(case.stranger, insertion(fresh(row, case.spare), many=many)), model.__name__


def test_it_hangs_no_row_under_a_parent_that_a_stranger_does_not_see(case: Case) -> None:
    """A row of the stranger's own, all its parents the stranger's but one."""
    for model, key in case.foreign_keys():
        hers = case.rows[key.remote_field.model]
        for many in (False, True):
            own, forged = (fresh(case.own[model], case.own_spare) for _ in range(2))
            setattr(forged, key.attname, hers.pk)
            name = f"{model.__name__}.{key.name}"
            assert succeeds(case.stranger, insertion(own, many=many)), f"{name}: not covered"
            assert not succeeds(case.stranger, insertion(forged, many=many)), name


def test_it_moves_no_row_under_a_parent_that_a_stranger_does_not_see(case: Case) -> None:
    for model, key in case.foreign_keys():
        if model in APPEND_ONLY:
            continue
        hers, own = case.rows[key.remote_field.model], case.own[key.remote_field.model]

        def move(parent: Any, model: Model = model, key: ScopedForeignKey = key) -> None:
            moved = model._default_manager.filter(pk=case.own[model].pk).update(**{key.attname: parent.pk})
            assert moved == 1

        name = f"{model.__name__}.{key.name}"
        assert succeeds(case.stranger, lambda move=move, own=own: move(own)), f"{name}: not covered"
        assert not succeeds(case.stranger, lambda move=move, hers=hers: move(hers)), name
