"""Search looks past the policies: it holds their condition itself, and the first lock's beside it."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL

from memory import archival, core, recall
from memory.models import Conversation, IndexEntry
from memory.retrieval import Filters, search
from tenants import members
from tenants.scope import Identity, scope
from tests.cast import Cast, Person
from tests.memory.remembering import remember
from tests.tenants.attacker import Attacker, session
from tests.tenants.locks import policies_off

STATES = json.dumps({"states": ["current"]})
LISTED = "SELECT ids FROM list_entries(%s::jsonb, '{}', 1000, 0, 1000)"
RANKED = "SELECT id FROM search_entries(%s::jsonb, ARRAY['''tea'''], '{1,1,1,1}', '{}', '{}', 1000)"


@pytest.fixture
def told(cast: Cast) -> Cast:
    """Everybody says something about tea in each of their workspaces; Bob is let into the team."""
    cast.let_bob_in()
    for person in (cast.alice, cast.bob, cast.charlie):
        with person.scope() as entered:
            homes = list(entered.workspaces)
        for home in homes:
            remember(person, chat_in(person, home), f"{person.name} drinks tea.")
    return cast


def chat_in(person: Person, home: uuid.UUID) -> Conversation:
    """An empty chat of a person in a workspace."""
    with person.scope():
        return recall.start_conversation(workspace_id=home)


def texts(identity: Identity, query: str) -> set[str]:
    with scope(identity):
        return {hit.text for hit in search(query, Filters(), limit=50).hits}


@pytest.mark.parametrize("query", ["tea", "", "drinks"])
def test_each_lock_alone_holds(told: Cast, locks: str, query: str) -> None:
    assert texts(told.alice.identity, query) == {"Alice drinks tea.", "Bob drinks tea."}
    assert texts(told.charlie.identity, query) == {"Charlie drinks tea."}
    assert texts(told.alice.identity.narrowed([told.alice.personal]), query) == {"Alice drinks tea."}
    assert texts(told.alice.identity.narrowed([told.charlie.personal]), query) == set()
    stranger = Identity(told.alice.identity.tenant_id, told.charlie.user.id)
    assert texts(stranger, query) == set()


def everybody(cast: Cast) -> Iterator[Identity]:
    """Who asks, in every way that an identity can be."""
    tenant = cast.alice.identity.tenant_id
    for person in (cast.alice, cast.bob, cast.charlie):
        yield person.identity
        yield person.identity.narrowed([cast.team])
        yield person.identity.narrowed([])
        yield Identity(tenant, person.user.id)
    yield Identity(tenant, None)
    yield Identity(tenant, None, frozenset({cast.team}))
    yield Identity(tenant, None, frozenset({cast.charlie.personal}))


def test_search_sees_the_rows_that_the_policy_shows_and_no_others(told: Cast) -> None:
    seen = 0
    with session() as app:
        for identity in everybody(told):
            attacker = Attacker(app, identity)
            by_policy, listed, ranked = (
                _rows(attacker, sql)
                for sql in ("SELECT id FROM memory_indexentry WHERE state = 'current'", LISTED, RANKED)
            )
            assert set(listed) == set(by_policy) == set(ranked), identity
            seen += len(by_policy)
    assert seen > 10


def _rows(attacker: Attacker, sql: str) -> list[Any]:
    """Ids that a statement answers in somebody's scope."""
    with attacker.app.transaction():
        attacker.enter()
        rows = attacker.app.execute(SQL(sql), [STATES] if "%s" in sql else []).fetchall()  # type: ignore[arg-type]
    if rows and isinstance(rows[0][0], list):
        return list(rows[0][0])
    return [row[0] for row in rows]


def test_without_identity_search_finds_nothing(told: Cast) -> None:
    asked = json.dumps({"tenant": str(told.alice.identity.tenant_id), "states": ["current"]})
    with session() as app:
        for sql in (LISTED, RANKED):
            assert _found(app, sql, asked) in ([], [([],)])
            assert _found(app, sql, STATES) in ([], [([],)])


def _found(app: psycopg.Connection[Any], sql: str, asked: str) -> list[Any]:
    return app.execute(SQL(sql), [asked]).fetchall()  # type: ignore[arg-type]


def test_the_conditions_of_the_first_lock_narrow_also_where_policies_do_not(told: Cast) -> None:
    reach = json.dumps(
        {"tenant": str(told.alice.identity.tenant_id), "reach": [str(told.team)], "states": ["current"]}
    )
    with session() as app, policies_off():
        (ids,) = app.execute(SQL(LISTED), [reach]).fetchone() or ([],)  # type: ignore[arg-type]
    with told.alice.scope():
        assert set(ids) == set(IndexEntry.objects.filter(workspace_id=told.team).values_list("id", flat=True))
    assert ids


def test_who_is_let_in_later_finds_and_who_has_left_does_not(cast: Cast) -> None:
    remember(cast.alice, chat_in(cast.alice, cast.team), "The harvest is in June.")
    assert texts(cast.bob.identity, "harvest") == set()
    cast.let_bob_in()
    assert texts(cast.bob.identity, "harvest") == {"The harvest is in June."}
    with cast.alice.scope():
        members.remove_member(workspace_id=cast.team, user_id=cast.bob.user.id)
    assert texts(cast.bob.identity, "harvest") == set()


def test_the_same_question_of_two_people_is_two_questions(cast: Cast) -> None:
    """Nothing that a search keeps for itself answers somebody else."""
    for person in (cast.alice, cast.bob, cast.charlie):
        with person.scope():
            archive = archival.create_archive(workspace_id=person.personal, name="notes")
            archival.insert_passage(
                archive, content=f"The password of {person.name}.", tags=[], actor=core.by_me()
            )
    for person in (cast.alice, cast.bob, cast.charlie, cast.alice):
        assert texts(person.identity, "password") == {f"The password of {person.name}."}


def test_names_that_begin_alike_are_not_the_same(told: Cast) -> None:
    """Charlie's tenant is called as Alice's with more behind it; ids are compared whole."""
    assert texts(told.alice.identity, "tea") == {"Alice drinks tea.", "Bob drinks tea."}
    assert texts(told.charlie.identity, "tea") == {"Charlie drinks tea."}
