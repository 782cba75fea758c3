"""Plain SQL as the role that serves, without Django: what a statement comes to in somebody's scope."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connections
from psycopg.errors import (
    DivisionByZero,
    FeatureNotSupported,
    InsufficientPrivilege,
    InvalidCursorState,
    InvalidTextRepresentation,
    RaiseException,
    UniqueViolation,
)
from psycopg.rows import tuple_row
from psycopg.sql import Identifier, Literal

from tenants.scope import Identity
from tests.tenants.cases import BY_FUNCTION_ONLY, Case, Model, fresh
from tests.tenants.statements import INSERTIONS

FOUND, NOTHING, REFUSED = "found", "nothing", "refused"
# What a row has that says where it lies; a tenant or workspace is a place itself.
PLACE = ("tenant_id", "workspace_id", "user_id")
TELLING = (DivisionByZero, InvalidTextRepresentation, RaiseException, UniqueViolation)
FORBIDDEN = (InsufficientPrivilege, FeatureNotSupported)


@contextmanager
def session() -> Iterator[psycopg.Connection[Any]]:
    """A connection as the app, outside of any transaction."""
    given = connections["default"].get_connection_params()
    known = {key: given[key] for key in ("dbname", "user", "password", "host", "port") if key in given}
    factory = psycopg.ClientCursor[tuple[Any, ...]]
    with psycopg.connect(**known, autocommit=True, row_factory=tuple_row, cursor_factory=factory) as app:
        yield app


class Attacker:
    """Somebody at a session: each statement in a scope of theirs, and undone."""

    def __init__(self, app: psycopg.Connection[Any], identity: Identity) -> None:
        self.app = app
        self.identity = identity

    def enter(self) -> None:
        """Say who one is, as a door does it."""
        given = self.identity.settings()
        self.app.execute(f"SELECT enter_scope({', '.join(['%s'] * len(given))})", given)

    def tries(self, sql: str, table: str = "", watch: Attacker | None = None) -> str:
        """What comes of a statement: found, nothing, refused. With `watch`, whether that person's rows of the
        table are as they were is looked at too, and a change counts as found."""
        with self.app.transaction(force_rollback=True):
            before = watch.seen(table) if watch else None
            self.enter()
            try:
                with self.app.transaction():
                    found = self._told(sql)
            except TELLING:
                found = True
            except FORBIDDEN:
                return REFUSED
            except InvalidCursorState:  # it stands on no row
                found = False
            finally:
                self.app.execute("DEALLOCATE ALL")
            return FOUND if found or (watch and watch.seen(table) != before) else NOTHING

    def collides(self, sql: str) -> bool:
        """Whether a statement runs into something that is there already."""
        with self.app.transaction(force_rollback=True):
            self.enter()
            try:
                with self.app.transaction():
                    self.app.execute(sql)  # type: ignore[arg-type]
            except UniqueViolation:
                return True
            except FORBIDDEN:
                return False
            return False

    def seen(self, table: str) -> Any:
        """A digest of everything in a table that this person sees."""
        self.enter()
        digest = "SELECT count(*), md5(coalesce(string_agg(t::text, ' ' ORDER BY id), '')) FROM {} t"
        return self.app.execute(digest.format(table)).fetchone()  # type: ignore[arg-type]

    def _told(self, sql: str) -> bool:
        if sql.startswith("COPY") and "STDOUT" in sql:
            with self.app.cursor().copy(sql) as copy:  # type: ignore[arg-type]
                copied = [bytes(line).decode().strip() for line in copy]
            return any(line and line in sql for line in copied)
        cursor = self.app.cursor()
        cursor.execute(sql)  # type: ignore[arg-type]
        while cursor.nextset():
            pass
        if cursor.description is None:
            return cursor.rowcount > 0
        rows = cursor.fetchall()
        if sql.startswith("EXPLAIN"):
            return bool(rows[0][0][0]["Plan"]["Actual Rows"])
        return any(row[0] for row in rows)


class Target:
    """A row of Alice's in one table, and the texts that try to get at it."""

    def __init__(self, case: Case, model: Model, app: psycopg.Connection[Any]) -> None:
        self.model = model
        self.table = model._meta.db_table
        self.row = case.rows[model]
        # Where he can have none of his own, the attempts that begin with one name hers.
        self.own = case.own.get(model, self.row)
        self.stored = self._stored(self.row.pk)
        self.stored_own = self._stored(self.own.pk)
        self.spare, self.own_spare = case.spare, case.own_spare
        self.app = app

    def __repr__(self) -> str:
        return self.model.__name__

    def by_alice(self, text: str) -> str:
        """A text for Alice herself: the row is her own, and lies where she is."""
        return self._filled(text, own=self.row.pk, place=self.stored, row=self.stored)

    def by_stranger(self, text: str) -> str:
        """The same text for the stranger: what is asked for is Alice's, the rest is theirs."""
        forged = self.stored_own | {"id": str(self.row.pk)}
        return self._filled(text, own=self.own.pk, place=self.stored_own, row=forged)

    def planted_by_alice(self, text: str) -> str:
        """A text that puts something where Alice's row lies, and what Alice puts there."""
        return self._filled(text, own=self.row.pk, place=self.stored, row=self._beside())

    def planted_by_stranger(self, text: str) -> str:
        """The same, by the stranger."""
        return self._filled(text, own=self.own.pk, place=self.stored, row=self._beside())

    def colliding(self, columns: list[str]) -> str:
        """A new row of the stranger's, in his own place, with Alice's values in these columns."""
        taken = {name: self.stored[name] for name in columns if name not in (*PLACE, "id")}
        row = self._new(self.own, self.stored_own, self.own_spare) | taken
        return self._filled(INSERTIONS["INSERT"], own=self.own.pk, place=self.stored_own, row=row)

    def secrets(self, columns: list[str]) -> list[str]:
        """Those of the columns that hold what nobody guesses."""
        fields = {field.column: field for field in self.model._meta.concrete_fields}
        random = {name for name in columns if isinstance(getattr(self.row, fields[name].attname), uuid.UUID)}
        return sorted((random | {"digest"} & set(columns)) - set(PLACE))

    def _beside(self) -> dict[str, Any]:
        return self._new(self.row, self.stored, self.spare)

    def _new(self, like: Any, stored: dict[str, Any], spare: dict[str, Any]) -> dict[str, Any]:
        """A row that could stand beside another: another key, other values where they must be unique."""
        made = fresh(like, spare)
        named = {field.column: field.attname for field in self.model._meta.concrete_fields}
        values = {column: getattr(made, name) for column, name in named.items()}
        return stored | {
            column: value if isinstance(value, int) else str(value)
            for column, value in values.items()
            if value != getattr(like, named[column])
        }

    def _filled(self, text: str, *, own: Any, place: dict[str, Any], row: dict[str, Any]) -> str:
        names = (*PLACE, "id") if self.model in BY_FUNCTION_ONLY else PLACE
        where = {name: place[name] for name in names if name in place}
        table, literal = self._quoted(self.table), self._literal(json.dumps(row))
        record = f"jsonb_populate_record(NULL::{table}, {literal})"
        columns = [self._quoted(column) for column in row]
        return text.format(
            t=table,
            id=f"{self._literal(str(self.row.pk))}::uuid",
            own=f"{self._literal(str(own))}::uuid",
            place=", ".join(f"{name} = {self._literal(value)}" for name, value in where.items()),
            row=literal,
            row_id=f"{self._literal(row['id'])}::uuid",
            columns=", ".join(columns),
            values=", ".join(f"({record}).{column}" for column in columns),
        )

    def _stored(self, key: Any) -> dict[str, Any]:
        """A row as JSON, as the owner reads it."""
        with connections["owner"].cursor() as cursor:
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{self.table}" t WHERE id = %s', [key])
            return dict(json.loads(cursor.fetchone()[0]))

    def _quoted(self, name: str) -> str:
        return Identifier(name).as_string(self.app)

    def _literal(self, value: Any) -> str:
        return Literal(value).as_string(self.app)
