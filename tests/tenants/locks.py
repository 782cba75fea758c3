"""Opening one of the two locks, to see that the other one holds alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import connections, models

from memory.retrieval import functions
from tenants.rls import WORKSPACE
from tenants.scope import current_scope
from tenants.scoped import ScopedManager, ScopedQuerySet, ScopedRow

BOTH, POLICIES, FILTER = LOCKS = ("both locks", "the policies alone", "the manager's filter alone")


@contextmanager
def turned(lock: str) -> Iterator[None]:
    """Only this lock holds, or both."""
    if lock == POLICIES:
        with filter_off():
            yield
    elif lock == FILTER:
        with policies_off():
            yield
    else:
        yield


@contextmanager
def filter_off() -> Iterator[None]:
    """Managers neither filter what is read nor check what is written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScopedManager, "conditions", lambda self: {})
        patch.setattr(ScopedQuerySet, "update", models.QuerySet.update)
        patch.setattr(ScopedRow, "check_scope", _fill_in_the_tenant)
        yield


@contextmanager
def policies_off() -> Iterator[None]:
    """The tables answer to anybody, and so does search, which looks past the policies and holds their
    condition itself. Each process of a parallel run has a database of its own."""
    try:
        _row_level_security("DISABLE", "true")
        yield
    finally:
        _row_level_security("ENABLE", WORKSPACE)


def scoped_models() -> list[type[models.Model]]:
    """Every model behind the locks, by name."""
    found = (model for model in apps.get_models() if getattr(model, "is_scoped", False))
    return sorted(found, key=lambda model: model._meta.label)


def _row_level_security(verb: str, policy: str) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(functions.condition(policy, again=True))
        for model in scoped_models():
            cursor.execute(f'ALTER TABLE "{model._meta.db_table}" {verb} ROW LEVEL SECURITY')


def _fill_in_the_tenant(row: Any) -> None:
    if getattr(row, row.tenant_field) is None:
        setattr(row, row.tenant_field, current_scope().tenant_id)
