"""The test database is a copy of a migrated one, which is made anew where its schema would be another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from django.db import connections

from tests import migrated
from tests.architecture.source import Module
from tests.cast import Cast
from tests.migrated import fingerprint, schema_sources
from tests.tenants.locks import scoped_models


@dataclass(frozen=True)
class Edited(Module):
    """A module, if it had another line."""

    @property
    def text(self) -> str:
        return super().text + "\n# another line"


@pytest.fixture
def copy(database: None) -> Iterator[psycopg.Cursor[Any]]:
    """A session in the copy that this run was made from. Others who would copy it wait."""
    owner: Any = connections["owner"]
    params = owner.get_connection_params()
    where = {key: params[key] for key in ("user", "password", "host", "port")}
    name = owner.settings_dict["TEST"]["TEMPLATE"]
    with (
        owner.creation._nodb_cursor() as cursor,
        migrated.locked(cursor),
        psycopg.connect(dbname=name, **where) as session,
    ):
        yield session.cursor()


def filled(cursor: Any, tables: set[str]) -> set[str]:
    """Which of these tables have rows."""
    found = set()
    for name in tables:
        cursor.execute(f'SELECT FROM "{name}" LIMIT 1')
        found |= {name} if cursor.fetchone() is not None else set()
    return found


def test_the_copy_is_migrated_as_the_test_database_is(copy: psycopg.Cursor[Any]) -> None:
    applied = "SELECT app, name FROM django_migrations ORDER BY id"
    with connections["owner"].cursor() as cursor:
        cursor.execute(applied)
        assert copy.execute(applied).fetchall() == cursor.fetchall() != []


def test_what_tests_make_is_not_in_the_copy(cast: Cast, copy: psycopg.Cursor[Any]) -> None:
    tables = {model._meta.db_table for model in scoped_models()} | {"tenants_user"}
    with connections["owner"].cursor() as cursor:
        assert filled(cursor, tables) >= {"tenants_tenant", "tenants_user"}
    assert filled(copy, tables) == set()


def test_it_is_made_from_the_migrations_and_from_what_they_import() -> None:
    paths = {each.path for each in schema_sources()}
    assert paths >= {"tenants/migrations/0002_locks.py", "tenants/rls.py", "tenants/fields.py"}
    assert "memory/retrieval/functions.py" in paths
    assert "agents/turns/loop.py" not in paths


@pytest.mark.parametrize("path", ["memory/migrations/0001_initial.py", "memory/retrieval/functions.py"])
def test_another_line_in_one_of_these_asks_for_another_copy(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    sources, usual = schema_sources(), fingerprint()
    edited = {Edited(path) if each.path == path else each for each in sources}
    monkeypatch.setattr(migrated, "schema_sources", lambda: sources)
    assert fingerprint() == usual
    monkeypatch.setattr(migrated, "schema_sources", lambda: edited)
    assert fingerprint() != usual
