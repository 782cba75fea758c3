"""What the role that serves can do with plain SQL, past the first lock: nothing without identity."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections
from psycopg.errors import DivisionByZero, FeatureNotSupported, InsufficientPrivilege
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from memory import oversight_functions
from memory.retrieval import functions as search_functions
from memory.retrieval import large_sights
from tenants import functions, operator_functions, seat_functions, team_functions
from tenants.models import Tenant
from tests.cast import Cast, make_cast
from tests.tenants.lives import Rows, live_a_little
from tests.tenants.locks import scoped_models

TABLES = [model._meta.db_table for model in scoped_models()]
APPEND_ONLY = {"memory_blockversion", "memory_skillversion", "tenants_auditevent"}
LISTS = (functions, team_functions, seat_functions, oversight_functions, search_functions, large_sights)
# Functions of the higher floors that the app may call: the sweeps, commands, and what crosses workspaces.
OF_HIGHER_FLOORS = {
    "move_block(uuid,uuid)",
    "turns_left_alone(interval)",
    "drop_old_events(interval)",
    "embedding_models_in_use()",
    "workspaces_to_embed(text,integer)",
    "embedded_rows()",
    "drop_old_embeddings(interval)",
    "documents_left_alone(interval)",
    "summaries_to_mend()",
    "approvals_expired()",
    "contexts_filling()",
    "person_of_agent(uuid)",
    "lent_blocks(uuid)",
}


@pytest.fixture(scope="module")
def world(database: None) -> tuple[Cast, Rows, Rows]:
    """Alice's rows in the team's workspace and Charlie's own, so that no table is empty."""
    cast = make_cast()
    hers = live_a_little(cast.alice, cast.team, "persona", "a secret about zebras")
    return cast, hers, live_a_little(cast.charlie, cast.charlie.personal, "human")


@pytest.fixture
def app(database: None) -> Iterator[psycopg.Connection[Any]]:
    """A connection as the app, without Django; what is done on it is undone."""
    given = connections["default"].get_connection_params()
    known = {key: given[key] for key in ("dbname", "user", "password", "host", "port") if key in given}
    with psycopg.connect(**known, row_factory=tuple_row) as connection:
        yield connection
        connection.rollback()


def enter(app: psycopg.Connection[Any], cast: Cast) -> None:
    """Charlie's identity."""
    app.execute("SELECT * FROM enter_scope(%s, %s, %s, %s)", cast.charlie.identity.settings())


def one(app: psycopg.Connection[Any], sql: str, *values: Any) -> Any:
    row = app.execute(sql, values).fetchone()  # type: ignore[arg-type]
    return row and row[0]


def test_the_role_is_bound(app: psycopg.Connection[Any]) -> None:
    facts = app.execute(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles "
        "WHERE rolname = current_user"
    ).fetchone()
    assert facts == (False, False, False, False, False)
    assert (
        one(
            app,
            "SELECT count(*) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member "
            "WHERE r.rolname = current_user",
        )
        == 0
    )
    assert one(app, "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole") == 0


@pytest.mark.parametrize("table", TABLES)
def test_it_has_no_right_beyond_the_four_verbs(app: psycopg.Connection[Any], table: str) -> None:
    verbs = {
        verb
        for verb in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
        if one(app, "SELECT has_table_privilege(%s, %s)", table, verb)
    }
    changing = set() if table in APPEND_ONLY else {"UPDATE", "DELETE"}
    assert verbs == {"SELECT", "INSERT"} | changing
    for statement in (
        "TRUNCATE {}",
        "ALTER TABLE {} DISABLE ROW LEVEL SECURITY",
        "DROP TABLE {}",
        "DROP POLICY mine ON {}",
    ):
        with pytest.raises(InsufficientPrivilege), app.transaction():
            app.execute(SQL(statement).format(Identifier(table)))  # type: ignore[arg-type]


def test_it_makes_nothing_in_the_schema(app: psycopg.Connection[Any]) -> None:
    for statement in (
        "CREATE TABLE mine (id int)",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ):
        with pytest.raises(InsufficientPrivilege), app.transaction():
            app.execute(statement)  # type: ignore[arg-type]


def test_it_cannot_become_somebody_else(app: psycopg.Connection[Any]) -> None:
    owner = connections["owner"].settings_dict["USER"]
    for statement in (SQL("SET ROLE {}"), SQL("SET SESSION AUTHORIZATION {}")):
        with pytest.raises(InsufficientPrivilege), app.transaction():
            app.execute(statement.format(Identifier(owner)))


def test_it_calls_the_listed_functions_and_no_other(app: psycopg.Connection[Any]) -> None:
    found = app.execute(
        """SELECT p.oid::regprocedure::text, has_function_privilege(p.oid, 'EXECUTE') FROM pg_proc p
           WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype
             AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"""
    ).fetchall()
    granted = {_signature(name) for name, may in found if may}
    withheld = {_signature(name) for name, may in found if not may}
    for_the_app = {name for each in (*LISTS, operator_functions) for name in each.FOR_THE_APP}
    for_the_owner = {name for each in LISTS for name in each.FOR_THE_OWNER}
    assert granted == _signatures(for_the_app - set(operator_functions.GONE)) | OF_HIGHER_FLOORS
    assert withheld == _signatures(for_the_owner) | {"source_there(uuid,uuid)"}


def _signatures(names: set[str]) -> set[str]:
    return {_signature(name) for name in names}


def _signature(name: str) -> str:
    return name.replace(", ", ",").replace("public.", "")


def test_functions_that_look_past_the_policies_cannot_be_led_astray(app: psycopg.Connection[Any]) -> None:
    """The search path is set, and pg_temp comes last in it."""
    paths = app.execute(
        """SELECT p.oid::regprocedure::text, p.proconfig FROM pg_proc p WHERE p.prosecdef
           AND pronamespace = 'public'::regnamespace"""
    ).fetchall()
    assert paths
    assert {name: path for name, path in paths if path != ["search_path=public, pg_temp"]} == {}


def test_a_temporary_table_does_not_stand_in_for_a_real_one(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows]
) -> None:
    cast, hers, _ = world
    if not one(app, "SELECT has_database_privilege(current_database(), 'TEMP')"):
        return  # better still
    enter(app, cast)
    app.execute("CREATE TEMP TABLE tenants_workspacemember AS SELECT * FROM public.tenants_workspacemember")
    app.execute("CREATE TEMP TABLE tenants_workspace AS SELECT * FROM public.tenants_workspace")
    app.execute("UPDATE tenants_workspacemember SET workspace_id = %s", [cast.team])
    app.execute("UPDATE tenants_workspace SET id = %s", [cast.team])
    assert cast.team not in one(app, "SELECT my_workspaces()")
    assert one(app, "SELECT count(*) FROM memory_block WHERE id = %s", hers_block(hers)) == 0


def hers_block(rows: Rows) -> uuid.UUID:
    return next(row.pk for model, row in rows.items() if model._meta.db_table == "memory_block")


@pytest.mark.parametrize("table", TABLES)
def test_without_identity_there_is_nothing(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows], table: str
) -> None:
    assert _owner("SELECT count(*) FROM {}", table) > 0
    _assert_hidden(app, table, "true", [])


@pytest.mark.parametrize("table", TABLES)
def test_with_charlies_identity_there_is_nothing_of_alices(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows], table: str
) -> None:
    cast, hers, _ = world
    column = "id" if table == Tenant._meta.db_table else "tenant_id"
    enter(app, cast)
    assert app.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone() != (0,)
    _assert_hidden(app, table, f"{column} = %s", [cast.alice.identity.tenant_id])


def _assert_hidden(app: psycopg.Connection[Any], table: str, condition: str, values: list[Any]) -> None:
    name = Identifier(table)

    def ask(statement: str) -> psycopg.Cursor[Any]:
        return app.execute(SQL(statement + " WHERE " + condition).format(name), values)  # type: ignore[arg-type]

    assert ask("SELECT count(*) FROM {}").fetchone() == (0,)
    assert ask("SELECT * FROM {}").fetchall() == []
    if table in APPEND_ONLY:
        for statement in ("UPDATE {} SET id = id", "DELETE FROM {}"):
            with pytest.raises(InsufficientPrivilege), app.transaction():
                ask(statement)
    else:
        assert ask("UPDATE {} SET id = id").rowcount == 0
        assert ask("DELETE FROM {}").rowcount == 0
        locked = SQL("SELECT * FROM {} WHERE {} FOR UPDATE").format(name, SQL(condition))  # type: ignore[arg-type]
        assert app.execute(locked, values).fetchall() == []
    copied = SQL("COPY (SELECT * FROM {} WHERE {}) TO STDOUT").format(name, SQL(condition))  # type: ignore[arg-type]
    with app.cursor().copy(copied, values) as copy:
        assert b"".join(copy) == b""


@pytest.mark.parametrize("table", [table for table in TABLES if table != "tenants_tenant"])
def test_no_row_of_alices_tenant_is_written(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows], table: str
) -> None:
    """Without identity, and with Charlie's; by INSERT, INSERT ... ON CONFLICT, and COPY."""
    cast, hers, _ = world
    row = next(row for model, row in hers.items() if model._meta.db_table == table)
    stored = _owner("SELECT to_jsonb(t) FROM {} t WHERE id = %s", table, row.pk)
    stored = json.loads(stored) if isinstance(stored, str) else stored
    forged = json.dumps(stored | {"id": str(uuid.uuid4())})
    name = Identifier(table)
    insert = SQL("INSERT INTO {0} SELECT * FROM jsonb_populate_record(NULL::{0}, %s)").format(name)
    for identified in (False, True):
        with app.transaction(force_rollback=True):
            if identified:
                enter(app, cast)
            for ending in (SQL(""), SQL(" ON CONFLICT DO NOTHING")):
                with pytest.raises(InsufficientPrivilege, match="row-level security"), app.transaction():
                    app.execute(insert + ending, [forged])
            with pytest.raises(FeatureNotSupported), app.transaction():
                app.cursor().copy(SQL("COPY {} FROM STDIN").format(name)).__enter__()


def _owner(statement: str, table: str, *values: Any) -> Any:
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement.format(f'"{table}"'), values)
        return cursor.fetchone()[0]


def test_identity_dies_with_its_transaction(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows]
) -> None:
    cast, _, _ = world
    enter(app, cast)
    assert one(app, "SELECT count(*) FROM memory_block") > 0
    app.commit()
    assert one(app, "SELECT count(*) FROM memory_block") == 0
    app.rollback()
    app.autocommit = True
    enter(app, cast)
    assert one(app, "SELECT count(*) FROM memory_block") == 0


def test_what_a_condition_computes_tells_nothing_of_hidden_rows(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows]
) -> None:
    """A condition that fails on a secret is not asked about rows that the policy hides."""
    cast, _, _ = world
    guess = "SELECT count(*) FROM memory_message WHERE 1 / (CASE WHEN content LIKE %s THEN 0 ELSE 1 END) = 1"
    enter(app, cast)
    assert one(app, guess, "%zebras%") > 0
    with pytest.raises(DivisionByZero), app.transaction():
        one(app, guess, "%harvest%")


def test_the_planners_statistics_tell_nothing(
    app: psycopg.Connection[Any], world: tuple[Cast, Rows, Rows]
) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE memory_message")
        cursor.execute("SELECT count(*) FROM pg_stats WHERE tablename = 'memory_message'")
        assert cursor.fetchone()[0] > 0
    assert one(app, "SELECT count(*) FROM pg_stats WHERE tablename = ANY (%s)", TABLES) == 0


def test_versions_of_a_block_are_kept_even_from_their_owner(world: tuple[Cast, Rows, Rows]) -> None:
    for statement in ("UPDATE memory_blockversion SET value = 'changed'", "DELETE FROM memory_blockversion"):
        with connections["owner"].cursor() as cursor, pytest.raises(Exception, match="only ever added"):
            cursor.execute(statement)
