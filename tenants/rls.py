"""The second lock: row-level security, added to a model by one migration operation.

A policy asks `my_tenant()` and, for rows of a workspace, `my_workspaces()`, each in a scalar subselect so
that it is evaluated once a statement. Policies are enabled, not forced: the owner's migrations and
erasure checks must see every row. See docs/decisions/0002-two-locks.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import connections, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation

from tenants.fields import ScopedForeignKey

TENANT = "{tenant} = (SELECT my_tenant())"
WORKSPACE = TENANT + " AND {workspace} = ANY ((SELECT my_workspaces())::uuid[])"
OWN = TENANT + " AND user_id = (SELECT my_person())"
GOVERNED = TENANT + " AND (SELECT my_role()) IN ('owner', 'admin')"
# What concerns a person they see too, unless they are narrowed: then they have no role.
AUDITED = TENANT + (
    " AND ((SELECT my_role()) IN ('owner', 'admin', 'auditor', 'staff')"
    " OR ((SELECT my_role()) IS NOT NULL AND subject_id = (SELECT my_person())))"
)

# Tables outside row-level security, exactly. They hold accounts and plumbing, nothing that is remembered.
EXEMPT = frozenset(
    {
        "account_emailaddress",
        "account_emailconfirmation",
        "auth_group",
        "auth_group_permissions",
        "auth_permission",
        "django_content_type",
        "django_migrations",
        "django_session",
        "memory_embeddingmodel",
        "tenants_user",
        "tenants_user_groups",
        "tenants_user_user_permissions",
    }
)

# Django's admin brings a log of its own. It stays empty, since what happens in a tenant stands in the
# tenant's: the app may not add to it, and deletes from it only as Django does with an account.
KEPT_EMPTY = frozenset({"django_admin_log"})


def app_role() -> str:
    """The role that serves, quoted."""
    return '"{}"'.format(settings.DATABASES["default"]["USER"].replace('"', '""'))


class Protect(Operation):
    """Put a model's table behind the second lock: keys that hold the tenant, policies, grants."""

    reversible = True

    def __init__(
        self, name: str, policy: str = WORKSPACE, *, append_only: bool = False, adds: str = ""
    ) -> None:
        """`policy` is one of the conditions above; `append_only` grants no UPDATE and no DELETE; `adds` is
        the condition on new rows where those who may add are not those who may see."""
        self.name = name
        self.policy = policy
        self.append_only = append_only
        self.adds = adds

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        options = {"append_only": self.append_only, "adds": self.adds}
        return self.__class__.__name__, [self.name, self.policy], options

    def state_forwards(self, app_label: str, state: Any) -> None:
        """The database learns something, Django's models do not."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        model = to_state.apps.get_model(app_label, self.name)
        if schema_editor.connection.alias != "owner":
            return
        for statement in self._statements(model):
            schema_editor.execute(statement)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Nothing to do: the table goes with its model."""

    def describe(self) -> str:
        return f"Put {self.name} behind row-level security"

    def _statements(self, model: type[models.Model]) -> Iterator[str]:
        table = model._meta.db_table
        tenant = "id" if self.name == "Tenant" else "tenant_id"
        workspace = "id" if self.name == "Workspace" else "workspace_id"
        rule = self.policy.format(tenant=tenant, workspace=workspace)
        if tenant == "tenant_id":
            yield f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_tenant_key" UNIQUE (tenant_id, id)'
            yield from composite_keys(model)
            yield from key_indexes(model)
        added = self.adds.format(tenant=tenant, workspace=workspace) or rule
        written = " AND ".join([added, *parents_in_sight(model)])
        yield f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY'
        yield f'CREATE POLICY mine ON "{table}" TO {app_role()} USING ({rule}) WITH CHECK ({written})'
        verbs = "SELECT, INSERT" if self.append_only else "SELECT, INSERT, UPDATE, DELETE"
        yield f'GRANT {verbs} ON "{table}" TO {app_role()}'


def composite_keys(model: type[models.Model]) -> Iterator[str]:
    """A key per ScopedForeignKey that holds the tenant, and the workspace where both sides have one."""
    table = model._meta.db_table
    for key in scoped_keys(model):
        parent = key.remote_field.model
        other = parent._meta.db_table
        place = "tenant_id"
        if not key.across and _has_workspace(model) and _has_workspace(parent):
            place = "tenant_id, workspace_id"
            yield f'CREATE UNIQUE INDEX IF NOT EXISTS "{other}_workspace_key" ON "{other}" ({place}, id)'
        yield (
            f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_{key.column}_same_place" '
            f'FOREIGN KEY ({place}, "{key.column}") REFERENCES "{other}" ({place}, id) '
            "DEFERRABLE INITIALLY DEFERRED"
        )


def key_indexes(model: type[models.Model]) -> Iterator[str]:
    """An index per ScopedForeignKey, unless one of the model's own begins with it. Who looks for everything
    of a workspace has an index of their own."""
    table = model._meta.db_table
    made = [*model._meta.indexes, *model._meta.constraints]
    led = {tuple(each.fields[:2]) for each in made if not getattr(each, "condition", None)}
    for key in scoped_keys(model):
        if key.name != "workspace" and ("tenant", key.name) not in led:
            yield f'CREATE INDEX "{table}_{key.column}" ON "{table}" (tenant_id, "{key.column}")'


def parents_in_sight(model: type[models.Model]) -> Iterator[str]:
    """Conditions on what is written: a key to a row of another workspace names one that the writer sees."""
    table = model._meta.db_table
    for key in scoped_keys(model):
        if key.across:
            other = key.remote_field.model._meta.db_table
            yield (
                f'EXISTS (SELECT FROM "{other}" parent WHERE parent.tenant_id = "{table}".tenant_id '
                f'AND parent.id = "{table}"."{key.column}")'
            )


def scoped_keys(model: type[models.Model]) -> list[ScopedForeignKey]:
    """The keys of a model, also of a migration's, that lead to other scoped tables."""
    return [key for key in model._meta.concrete_fields if isinstance(key, ScopedForeignKey)]


def _has_workspace(model: type[models.Model]) -> bool:
    return any(each.name == "workspace" for each in model._meta.concrete_fields)


def grant_exempt_tables(using: str, **_: Any) -> None:
    """Receiver of `post_migrate`: let the app use the tables that stand outside row-level security."""
    if using != "owner":
        return
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            if table in EXEMPT - {"django_migrations"}:
                cursor.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON "{table}" TO {app_role()}')
            elif table in KEPT_EMPTY:
                cursor.execute(f'GRANT SELECT, DELETE ON "{table}" TO {app_role()}')
        cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {app_role()}")
        cursor.execute(f"GRANT SELECT ON django_migrations TO {app_role()}")
