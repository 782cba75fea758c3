"""No row of Alice's is read, counted or reached over another one by who does not share its workspace.

Every scoped model is walked, with both locks and with each alone; who may succeeds on the same path.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Count

from tests.tenants.cases import APPEND_ONLY, OF_THE_TENANT, Case, Model

READINGS: dict[str, Callable[[Model, Any], Any]] = {
    "get": lambda model, key: list(model._default_manager.filter(pk=key)),
    "base manager": lambda model, key: list(model._base_manager.filter(pk=key)),
    "in_bulk": lambda model, key: model._default_manager.in_bulk([key]),
    "count": lambda model, key: model._default_manager.filter(pk=key).count(),
    "exists": lambda model, key: model._default_manager.filter(pk=key).exists(),
    "values": lambda model, key: list(model._default_manager.filter(pk=key).values()),
    "values_list": lambda model, key: list(
        model._default_manager.filter(pk=key).values_list("pk", flat=True)
    ),
    "aggregate": lambda model, key: model._default_manager.filter(pk=key).aggregate(n=Count("pk"))["n"],
    "annotate": lambda model, key: list(model._default_manager.filter(pk=key).annotate(n=Count("pk"))),
    "iterator": lambda model, key: list(model._default_manager.filter(pk=key).iterator()),
    "exclude": lambda model, key: [row for row in model._default_manager.exclude(pk=None) if row.pk == key],
    "either": lambda model, key: list(
        model._default_manager.filter(pk=None) | model._default_manager.filter(pk=key)
    ),
    "union": lambda model, key: list(
        model._default_manager.order_by()
        .filter(pk=key)
        .values_list("pk")
        .union(model._default_manager.order_by().filter(pk=key).values_list("pk"))
    ),
    "select for update": lambda model, key: (
        model in APPEND_ONLY or list(model._default_manager.select_for_update().filter(pk=key))
    ),
}


@pytest.mark.parametrize("reading", [name for name in READINGS if name != "select for update"])
def test_it_shows_no_row_to_a_stranger(case: Case, reading: str) -> None:
    for model, row in case.hidden():
        with case.alice.scope():
            assert READINGS[reading](model, row.pk), f"{model.__name__}: not covered, Alice does not see it"
        with case.stranger.scope():
            assert not READINGS[reading](model, row.pk), model.__name__


def test_it_locks_no_row_for_a_stranger(case: Case) -> None:
    for model, row in case.hidden():
        if model in APPEND_ONLY:
            continue
        with case.alice.scope():
            assert READINGS["select for update"](model, row.pk), model.__name__
        with case.stranger.scope():
            assert not READINGS["select for update"](model, row.pk), model.__name__


def test_it_leads_from_no_row_to_a_stranger(case: Case) -> None:
    """An object that names Alice's row by its key does not fetch it, and lists nothing under it."""
    for model, key in case.foreign_keys():
        value = getattr(case.rows[model], key.attname)
        if value is None:
            continue
        with case.alice.scope():
            assert getattr(model(**{key.attname: value}), key.name).pk == value
        with case.stranger.scope(), pytest.raises(key.remote_field.model.DoesNotExist):
            getattr(model(**{key.attname: value}), key.name)
        accessor = key.remote_field.get_accessor_name()
        if not key.remote_field.hidden:
            parent = key.remote_field.model(pk=value)
            with case.alice.scope():
                assert getattr(parent, accessor).exists(), f"{model.__name__}.{key.name}"
            with case.stranger.scope():
                assert not getattr(parent, accessor).exists(), f"{model.__name__}.{key.name}"


def test_a_member_of_the_tenant_sees_its_people_and_models(cases: dict[str, Case], locks: str) -> None:
    case = cases["of this tenant"]
    for model in OF_THE_TENANT:
        with case.stranger.scope():
            assert model._default_manager.filter(pk=case.rows[model].pk).exists(), model.__name__
