"""The base of every remembered table, and the first of the two locks: querysets that ask for a scope."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from functools import cache
from typing import Any, NoReturn, TypeVar

from django.db import models

from tenants.fields import ScopedForeignKey
from tenants.ids import uuid7
from tenants.permissions import my_role
from tenants.scope import OutsideScope, Scope, current_scope

M = TypeVar("M", bound=models.Model)


class UnscopedSql(Exception):
    """Raw SQL on a model passes the first lock. Use a queryset, or a cursor with a condition of its own."""


class ScopedQuerySet(models.QuerySet[M]):
    """A queryset that checks what it writes."""

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        rows = list(objs)
        for row in rows:
            row.check_scope()  # type: ignore[attr-defined]
        return super().bulk_create(rows, *args, **kwargs)

    def update(self, **changes: Any) -> int:
        _check_moves(self.model, changes, current_scope())
        return super().update(**changes)

    def raw(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnscopedSql(UnscopedSql.__doc__)


def _check_moves(model: type[models.Model], changes: dict[str, Any], scope: Scope) -> None:
    """Rows move only to where the scope reaches, and to parents in sight. Raises OutsideScope."""
    keys = {name: getattr(value, "pk", value) for name, value in changes.items()}
    moves = [("tenant", {scope.tenant_id}), ("workspace", set(scope.workspaces))]
    inside = [keys[each] in allowed for name, allowed in moves for each in {name, f"{name}_id"} & set(keys)]
    for key in _keys_across(model):
        inside += [_exists(key, keys[each]) for each in {key.name, key.attname} & set(keys)]
    if not all(inside):
        raise OutsideScope(OutsideScope.__doc__)


def _exists(key: ScopedForeignKey, value: uuid.UUID | None) -> bool:
    """Whether the row that a key is to name is in sight; naming none is allowed here."""
    return value is None or key.remote_field.model._default_manager.filter(pk=value).exists()


class ScopedManager(models.Manager[M]):
    """Rows of the present scope's tenant and workspaces, and no others. Raises NoScope outside one."""

    def get_queryset(self) -> ScopedQuerySet[M]:
        rows: ScopedQuerySet[M] = ScopedQuerySet(self.model, using=self._db)
        return rows.filter(**self.conditions())

    def conditions(self) -> dict[str, Any]:
        """The filter itself; row-level security holds the same a second time."""
        scope = current_scope()
        found: dict[str, Any] = {self.model.tenant_field: scope.tenant_id}  # type: ignore[attr-defined]
        if self.model.workspace_field:  # type: ignore[attr-defined]
            found[f"{self.model.workspace_field}__in"] = list(scope.workspaces)  # type: ignore[attr-defined]
        if self.model.person_field:  # type: ignore[attr-defined]
            found[self.model.person_field] = scope.user_id  # type: ignore[attr-defined]
        return found | self._of_my_role(scope)

    def _of_my_role(self, scope: Scope) -> dict[str, Any]:
        """Who has none of the roles that read the table sees what concerns them, or nothing."""
        roles = self.model.reader_roles  # type: ignore[attr-defined]
        role = my_role() if roles else None
        if not roles or role in roles:
            return {}
        about = self.model.subject_field  # type: ignore[attr-defined]
        return {about: scope.user_id} if about and role and scope.user_id else {"pk__in": []}


class ScopedRow(models.Model):
    """A row that a scope holds: which fields say the tenant, the workspace and the one person it is for.

    `reader_roles` are the roles in the tenant that see the rows, where not everybody does; the person whom
    `subject_field` names sees a row too. Who sees a row may write it; `is_written_by_all` lets others add.
    """

    is_scoped = True
    tenant_field = "tenant_id"
    workspace_field = ""
    person_field = ""
    reader_roles: frozenset[str] = frozenset()
    subject_field = ""
    is_written_by_all = False

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)

    objects = ScopedManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.check_scope()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """As the manager deletes: a row that is out of sight stays, whatever object names it."""
        return type(self)._base_manager.filter(pk=self.pk).delete()

    def check_scope(self) -> None:
        """Fill in the tenant. Raises OutsideScope where the row or a parent is outside the present scope."""
        scope = current_scope()
        if getattr(self, self.tenant_field) is None:
            setattr(self, self.tenant_field, scope.tenant_id)
        inside = getattr(self, self.tenant_field) == scope.tenant_id
        if self.workspace_field:
            inside = inside and getattr(self, self.workspace_field) in scope.workspaces
        if self.person_field:
            inside = inside and getattr(self, self.person_field) == scope.user_id
        if self.reader_roles and not self.is_written_by_all:
            inside = inside and my_role() in self.reader_roles
        if not inside or not all(self._is_in_sight(key, scope) for key in _keys_across(type(self))):
            raise OutsideScope(OutsideScope.__doc__)

    def _is_in_sight(self, key: ScopedForeignKey, scope: Scope) -> bool:
        """Whether a parent in another workspace is reached; keys within one are held by the database."""
        if key.is_cached(self):
            parent = getattr(self, key.name)
            return parent is None or parent.workspace_id in scope.workspaces
        return _exists(key, getattr(self, key.attname))


@cache
def _keys_across(model: type[models.Model]) -> list[ScopedForeignKey]:
    keys = (key for key in model._meta.concrete_fields if isinstance(key, ScopedForeignKey))
    return [key for key in keys if key.across]


class TenantRow(ScopedRow):
    """A row that belongs to a tenant as a whole."""

    tenant = models.ForeignKey(
        "tenants.Tenant", models.CASCADE, editable=False, db_index=False, related_name="+"
    )

    class Meta(ScopedRow.Meta):
        abstract = True


class WorkspaceRow(TenantRow):
    """A remembered row: it lies in one workspace, and who sees the workspace sees the row."""

    workspace_field = "workspace_id"

    workspace = ScopedForeignKey("tenants.Workspace", models.CASCADE, editable=False, related_name="+")
    workspace_id: uuid.UUID

    class Meta(TenantRow.Meta):
        abstract = True
