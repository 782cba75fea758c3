"""Who is asking: the identity of a piece of work, held by a database transaction.

First lock: managers refuse to build a queryset without a scope, and no statement touches a scoped table
outside one. Second lock: row-level security (`tenants.rls`) reads the identity that `scope` sets.
"""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import FrameType, TracebackType
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from psycopg.sql import Composable

EVERYTHING_MINE = "*"
NOBODY = ["", "", "", ""]


class NoScope(Exception):
    """A scoped table was used where nobody has said who is asking. Open a scope around it."""


class ScopeInGenerator(Exception):
    """A scope may not be opened in a generator or coroutine: it would leak to whoever drains it."""


class NoPerson(Exception):
    """Background work has no person behind it, and this needs one."""


class OutsideScope(Exception):
    """A tenant or workspace that the present scope does not reach was to be written to."""


@dataclass(frozen=True)
class Identity:
    """Tenant, person and reach. A reach narrows the person's workspaces and never widens them.

    `user_id` None is background work, which needs an explicit reach. `reach` None is everything mine. The key
    that was used says who is told as the actor and decides nothing, so identities are equal without it.

    `staff_id` is one of the site's staff, who is nobody's member (`user_id` None): the database looks whether
    they are staff, and reaches all the tenant's workspaces for them.
    """

    tenant_id: uuid.UUID
    user_id: uuid.UUID | None
    reach: frozenset[uuid.UUID] | None = None
    key_id: uuid.UUID | None = field(default=None, compare=False)
    staff_id: uuid.UUID | None = None

    def narrowed(self, workspaces: Iterable[uuid.UUID]) -> Identity:
        """The same person with a reach of at most these workspaces."""
        wanted = frozenset(workspaces)
        return replace(self, reach=wanted if self.reach is None else wanted & self.reach)

    def settings(self) -> list[str]:
        """What `enter_scope` in the database takes: tenant, person, reach, and who of the staff."""
        if self.reach is None:
            reach = EVERYTHING_MINE if self.user_id or self.staff_id else ""
        else:
            reach = ",".join(sorted(map(str, self.reach)))
        return [str(self.tenant_id), str(self.user_id or ""), reach, str(self.staff_id or "")]


def in_background(tenant_id: uuid.UUID, workspace_id: uuid.UUID) -> Identity:
    """As whom background work is done: no person, and the reach of one workspace."""
    return Identity(tenant_id, None, frozenset({workspace_id}))


@dataclass(frozen=True)
class RowKey:
    """What a task carries: a row by its ids."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID
    row_id: uuid.UUID

    def background(self) -> Identity:
        """As whom background work on it is done."""
        return in_background(self.tenant_id, self.workspace_id)


@dataclass(frozen=True)
class Access:
    """One workspace that a scope reaches: its kind, and the role that the person has in it."""

    kind: str
    role: str


@dataclass(frozen=True)
class Scope:
    """An identity with the workspaces that the database found for it."""

    identity: Identity
    workspaces: dict[uuid.UUID, Access] = field(hash=False)

    @property
    def tenant_id(self) -> uuid.UUID:
        return self.identity.tenant_id

    @property
    def user_id(self) -> uuid.UUID | None:
        return self.identity.user_id

    @property
    def person(self) -> uuid.UUID:
        """The person behind this scope. Raises NoPerson."""
        if self.identity.user_id is None:
            raise NoPerson(NoPerson.__doc__)
        return self.identity.user_id

    @property
    def home(self) -> uuid.UUID:
        """The person's own workspace. Raises OutsideScope where a reach leaves it out."""
        own = self.of_kind("personal")
        if not own:
            raise OutsideScope(OutsideScope.__doc__)
        return own[0]

    def of_kind(self, kind: str) -> list[uuid.UUID]:
        """Workspaces of one kind, oldest first."""
        return sorted(key for key, access in self.workspaces.items() if access.kind == kind)


def current_scope() -> Scope:
    """The scope of this thread's transaction. Raises NoScope."""
    found: Scope | None = getattr(connection, "memsite_scope", None)
    if found is None or not connection.in_atomic_block:
        raise NoScope(NoScope.__doc__)
    return found


class scope:
    """Open a transaction and say in it who is asking; leaving restores what was said before."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.atomic = transaction.atomic()

    def __enter__(self) -> Scope:
        _refuse_generators(sys._getframe(1))
        self.atomic.__enter__()
        try:
            entered = Scope(self.identity, _enter(self.identity.settings()))
        except BaseException:
            self.atomic.__exit__(*sys.exc_info())
            raise
        self.outer: Scope | None = getattr(connection, "memsite_scope", None)
        connection.memsite_scope = entered  # type: ignore[attr-defined]
        return entered

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        connection.memsite_scope = self.outer  # type: ignore[attr-defined]
        # A savepoint's release keeps the settings that were made inside it; a rollback restores them.
        if kind is None and len(connection.savepoint_ids) and not connection.needs_rollback:
            try:
                _enter(self.outer.identity.settings() if self.outer else NOBODY)
            except BaseException:
                self.atomic.__exit__(*sys.exc_info())
                raise
        self.atomic.__exit__(kind, error, trace)


def _refuse_generators(frame: FrameType | None) -> None:
    while frame and frame.f_globals.get("__name__") == "contextlib":  # an ExitStack is not who opens it
        frame = frame.f_back
    if frame and frame.f_code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR):
        raise ScopeInGenerator(ScopeInGenerator.__doc__)


def _enter(settings: list[str]) -> dict[uuid.UUID, Access]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT workspace, kind, role FROM enter_scope(%s, %s, %s, %s)", settings)
        return {workspace: Access(kind, role) for workspace, kind, role in cursor.fetchall()}


@cache
def _scoped_tables() -> re.Pattern[str]:
    """Every table behind row-level security, as one pattern."""
    tables = [model._meta.db_table for model in apps.get_models() if getattr(model, "is_scoped", False)]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, tables))})\b")


def guard(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute wrapper of the app's connections: no statement on a scoped table without a scope.

    Lazy querysets are evaluated late, in a template or by whoever drains a generator: without this they
    would find nothing under row-level security, and nobody would hear of it.
    """
    found = getattr(context["connection"], "memsite_scope", None)
    if found is None and _scoped_tables().search(_text_of(sql)):
        raise NoScope(NoScope.__doc__)
    return execute(sql, params, many, context)


def _text_of(sql: Any) -> str:
    """A statement as text, in whichever form psycopg takes it."""
    if isinstance(sql, Composable):
        return sql.as_string(None)
    return sql.decode() if isinstance(sql, bytes) else str(sql)


def install_guard(connection: Any, **_: Any) -> None:
    """Receiver of `connection_created`."""
    if connection.alias == "default" and guard not in connection.execute_wrappers:
        connection.execute_wrappers.append(guard)
