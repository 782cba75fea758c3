"""Every table of the database stands behind the second lock, or on the exact list of those that do not."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections, models

from memsite.checks import UnboundRole, refuse_unbound_role
from tenants.fields import ScopedForeignKey
from tenants.rls import app_role
from tests.tenants.locks import scoped_models

# Accounts and plumbing: nothing that is remembered, no name that others see.
OUTSIDE = {
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
# Django's admin brings a log of its own, which nobody writes: what is done there stands in the tenant's.
KEPT_EMPTY = {"django_admin_log"}
# Everybody of a tenant adds to it, and not everybody reads it.
ADDED_BY_ALL = {"tenants_auditevent"}
# A place beside the tenant that a row may have or not.
IN_NO_WORKSPACE = {"tenants_auditevent", "tenants_invitation"}
NO_TENANT_IN_FRONT = {
    # A key's digest is looked up before a tenant is known.
    "tenants_apikey_digest_key",
    "tenants_membership_user_id",  # so are a person's tenants
    "tenants_invitation_digest_key",  # and what a link offers
    # A tenant's own row has no other tenant_id than its id; the short name is looked up by commands.
    "tenants_tenant_slug_key",
    # GIN: retrieval's words.
    "index_lexemes",
    "index_by_model",  # which models serve, and what of which workspaces waits for one
    # The sweep for turns that nobody works on has no tenant, and the index holds unfinished turns only.
    "turn_unfinished",
    "document_unfinished",  # and so with documents that nobody reads
    # And with what of the window waits: queues to summarise, summaries to mend, approvals that expire.
    "context_filling",
    "summary_to_mend",
    "approval_by_expiry",
}


def asked(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of the catalogue, as the owner reads it."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def tables() -> dict[str, type[models.Model]]:
    return {model._meta.db_table: model for model in scoped_models()}


def test_it_knows_every_table(database: None) -> None:
    there = {name for (name,) in asked("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    assert there == OUTSIDE | KEPT_EMPTY | set(tables())


def test_the_app_cannot_write_what_is_kept_empty(database: None) -> None:
    granted = asked(
        "SELECT table_name::text, privilege_type::text FROM information_schema.role_table_grants"
        " WHERE grantee = %s AND table_name = ANY (%s)",
        app_role().strip('"'),
        list(KEPT_EMPTY),
    )
    assert {verb for _, verb in granted} == {"SELECT", "DELETE"}


def test_it_has_no_view_that_could_look_past_the_policies(database: None) -> None:
    kinds = "SELECT DISTINCT relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    assert {kind for (kind,) in asked(kinds)} == {"r", "i", "S"}  # tables, indexes, sequences


def test_every_table_is_locked_but_not_for_its_owner(database: None) -> None:
    found = asked("SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relkind = 'r'")
    state = {name: (enabled, forced) for name, enabled, forced in found}
    assert {name: state[name] for name in tables()} == dict.fromkeys(tables(), (True, False))


def test_every_table_has_one_policy_for_the_app_and_for_every_verb(database: None) -> None:
    found = asked("SELECT tablename, roles::text, cmd, permissive, qual, with_check FROM pg_policies")
    assert sorted(row[0] for row in found) == sorted(tables())
    for table, roles, verb, permissive, sees, writes in found:
        assert (roles.strip("{}"), verb, permissive) == (app_role().strip('"'), "ALL", "PERMISSIVE"), table
        assert "my_tenant()" in sees, table
        if table in ADDED_BY_ALL:
            assert re.fullmatch(r"\(tenant_id = \( SELECT my_tenant\(\) AS my_tenant\)\)", writes), table
        else:
            assert writes.replace("(", "").startswith(sees.replace("(", "").rstrip(")")), table


def test_who_sees_only_some_rows_of_the_tenant_is_told_by_role(database: None) -> None:
    rules = dict(asked("SELECT tablename, qual FROM pg_policies"))
    by_role = {name for name, rule in rules.items() if "my_role()" in rule}
    assert by_role == {name for name, model in tables().items() if model.reader_roles}  # type: ignore[attr-defined]
    for name in by_role:
        named = set(re.findall(r"'(\w+)'::character varying", rules[name]))
        assert named == set(tables()[name].reader_roles), name  # type: ignore[attr-defined]


def test_what_lies_in_a_workspace_is_held_by_the_workspace(database: None) -> None:
    rules = dict(asked("SELECT tablename, qual FROM pg_policies"))
    held = {name for name, rule in rules.items() if "my_workspaces()" in rule}
    assert held == {name for name, model in tables().items() if model.workspace_field}  # type: ignore[attr-defined]


def test_a_policy_asks_who_i_am_once_a_statement(database: None) -> None:
    for table, rule in asked("SELECT tablename, qual FROM pg_policies"):
        calls = re.findall(r"my_(?:tenant|workspaces|person|role)\(\)", rule)
        assert len(calls) == len(re.findall(r"SELECT my_(?:tenant|workspaces|person|role)\(\)", rule)), table


def test_every_table_has_its_tenant_and_a_key_that_holds_it(database: None) -> None:
    unique = asked(
        """SELECT i.indrelid::regclass::text, array_agg(a.attname::text ORDER BY k.place)
           FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k (number, place), pg_attribute a
           WHERE i.indisunique AND i.indpred IS NULL AND a.attrelid = i.indrelid AND a.attnum = k.number
           GROUP BY i.indexrelid, i.indrelid"""
    )
    keyed = {table for table, columns in unique if columns == ["tenant_id", "id"]}
    assert set(tables()) - keyed == {"tenants_tenant"}
    nullable = asked(
        "SELECT column_name::text, table_name::text FROM information_schema.columns "
        "WHERE table_schema = 'public' AND column_name IN ('tenant_id', 'workspace_id') "
        "AND is_nullable = 'YES'"
    )
    assert set(nullable) == {("workspace_id", name) for name in IN_NO_WORKSPACE}


def test_the_tenant_comes_first_in_every_index(database: None) -> None:
    found = asked(
        """SELECT c.relname, i.indisprimary, a.attname FROM pg_index i
           JOIN pg_class c ON c.oid = i.indexrelid
           LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
           WHERE i.indrelid::regclass::text = ANY (%s)""",
        list(tables()),
    )
    primary = {name for name, is_primary, first in found if is_primary and first == "id"}
    assert len(primary) == len(tables())
    others = {name for name, _, first in found if name not in primary and first != "tenant_id"}
    # `_like` is Django's second index of a unique text.
    assert {_told(name) for name in others if not name.endswith("_like")} == NO_TENANT_IN_FRONT


def _told(name: str) -> str:
    """An index's name without the digest that Django puts at its end."""
    return re.sub(r"_[0-9a-f]{8}$", "", name)


def keys() -> Iterator[tuple[str, ScopedForeignKey]]:
    for table, model in tables().items():
        for field in model._meta.concrete_fields:
            if isinstance(field, ScopedForeignKey):
                yield table, field


def place_of(table: str, key: ScopedForeignKey) -> list[str]:
    """The columns beside the key's own that both sides must share."""
    parent = key.remote_field.model._meta.db_table
    both = all(_has_workspace(tables()[each]) for each in (table, parent))
    return ["tenant_id", "workspace_id"] if both and not key.across else ["tenant_id"]


def _has_workspace(model: type[models.Model]) -> bool:
    return "workspace" in {field.name for field in model._meta.concrete_fields}


def test_every_key_between_scoped_tables_holds_the_place_of_both(database: None) -> None:
    found = asked(
        """SELECT c.conrelid::regclass::text, c.confrelid::regclass::text, c.convalidated,
                  ARRAY(SELECT attname::text FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
                        JOIN pg_attribute ON attrelid = c.conrelid AND attnum = k.number ORDER BY place),
                  ARRAY(SELECT attname::text FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
                        JOIN pg_attribute ON attrelid = c.confrelid AND attnum = k.number ORDER BY place)
           FROM pg_constraint c WHERE c.contype = 'f'"""
    )
    there = {
        (child, parent, tuple(mine), tuple(theirs)) for child, parent, valid, mine, theirs in found if valid
    }
    for table, key in keys():
        place = place_of(table, key)
        parent = key.remote_field.model._meta.db_table
        assert (table, parent, (*place, key.column), (*place, "id")) in there, f"{table}.{key.column}"


def test_no_model_leads_to_a_scoped_table_by_a_plain_key() -> None:
    plain = [
        f"{model._meta.label}.{field.name}"
        for model in scoped_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey)
        and not isinstance(field, ScopedForeignKey)
        and field.remote_field.model._meta.label not in {"tenants.Tenant", "tenants.User"}
    ]
    assert plain == []


def test_keys_to_another_workspace_are_few_and_ask_for_a_parent_in_sight(database: None) -> None:
    across = {(table, key.column) for table, key in keys() if key.across}
    assert across == {
        ("agents_agentblock", "agent_id"),  # my own block with a team's agent
        ("agents_agentarchive", "agent_id"),  # my own archive of a team's agent
        ("agents_agentskill", "agent_id"),  # my own skill that a team's agent knows
        ("agents_maincontext", "agent_id"),  # my chat with a team's agent
    }
    writes = dict(asked("SELECT tablename, with_check FROM pg_policies"))
    for table, column in across:
        assert re.search(rf"EXISTS .*agents_agent parent.*{column}", writes[table], re.DOTALL), table


def test_start_up_refuses_a_role_that_the_policies_do_not_bind(
    database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_unbound_role()
    monkeypatch.setattr("memsite.checks.connection", connections["owner"])
    with pytest.raises(UnboundRole):
        refuse_unbound_role()
