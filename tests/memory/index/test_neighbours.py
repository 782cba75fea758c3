"""A message is found by its neighbours' words too, in whichever way it came into the index."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import core, index, recall
from memory.importing import ImportedMessage, import_messages
from memory.models import Conversation, IndexEntry, Message
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember

SAID = ["alpha", "bravo charly", "香菜", "delta", "echo"]


def labels(person: Person) -> dict[int, dict[str, str]]:
    """By place: each word with the weights that it has there, in the order of the letters."""
    with person.scope():
        rows = IndexEntry.objects.filter(kind="message", place__isnull=False).order_by("place")
        texts = rows.values_list("place", "lexemes")
        return {place: _labels(text) for place, text in texts if place is not None}


def _labels(text: str) -> dict[str, str]:
    found = {}
    for word, places in re.findall(r"'([^']+)':(\S+)", text):
        letters = {place[-1] if place[-1].isalpha() else "D" for place in places.split(",")}
        found[word] = "".join(sorted(letters))
    return {word: found[word] for word in ("alpha", "bravo", "香菜", "delta", "echo") if word in found}


EXPECTED = {
    1: {"alpha": "A", "bravo": "C", "香菜": "D"},
    2: {"alpha": "B", "bravo": "A", "香菜": "C", "delta": "D"},
    3: {"alpha": "D", "bravo": "B", "香菜": "A", "delta": "C", "echo": "D"},
    4: {"bravo": "D", "香菜": "B", "delta": "A", "echo": "C"},
    5: {"香菜": "D", "delta": "B", "echo": "A"},
}


@pytest.fixture
def conversation(alice: Person) -> Conversation:
    return new_conversation(alice)


def test_messages_that_come_one_by_one_get_each_others_words(
    alice: Person, conversation: Conversation
) -> None:
    for text in SAID:
        remember(alice, conversation, text)
    assert labels(alice) == EXPECTED


def test_what_tools_said_is_not_between_them(alice: Person, conversation: Conversation) -> None:
    for number, text in enumerate(SAID):
        remember(alice, conversation, text)
        remember(alice, conversation, "zulu zulu", role="tool", tool_call_id=f"call-{number}")
        remember(alice, conversation, " ", role="assistant")
    assert list(labels(alice).values()) == list(EXPECTED.values())


def test_a_message_that_waited_gets_them_with_its_place(alice: Person, conversation: Conversation) -> None:
    waiting = [remember(alice, conversation, text, placed=False) for text in SAID]
    assert labels(alice) == {}
    with alice.scope():
        recall.place(conversation.id, [each.id for each in waiting])
    assert labels(alice) == EXPECTED


def test_many_at_once_get_them_in_one_statement(alice: Person, conversation: Conversation) -> None:
    with alice.scope():
        rows = [
            Message(
                workspace_id=conversation.workspace_id,
                conversation=conversation,
                position=place,
                role="user",
                content=text,
                actor_kind="user",
            )
            for place, text in enumerate(SAID, 1)
        ]
        Message.objects.bulk_create(rows)
        with CaptureQueriesContext(connection) as queries:
            index.index_messages(rows)
    assert len(queries) == 1
    assert labels(alice) == EXPECTED


def test_many_that_follow_others_get_their_words_too(alice: Person, conversation: Conversation) -> None:
    for text in SAID[:2]:
        remember(alice, conversation, text)
    new = [ImportedMessage("user", text, external_id=text) for text in SAID[2:]]
    with alice.scope():
        import_messages(conversation, new, actor=core.by_me())
    assert labels(alice) == EXPECTED


def test_making_entries_anew_gives_the_same(alice: Person, conversation: Conversation) -> None:
    for text in SAID:
        remember(alice, conversation, text)
    with alice.scope():
        before = list(IndexEntry.objects.filter(kind="message").order_by("place").values())
        IndexEntry.objects.filter(kind="message").update(lexemes="", format=0, length=0, digest="")
        assert labels(alice) == dict.fromkeys(range(1, 6), {})
        index.reindex(list(IndexEntry.objects.filter(kind="message")))
        after = list(IndexEntry.objects.filter(kind="message").order_by("place").values())
    assert labels(alice) == EXPECTED
    same = {"id", "format", "length", "digest", "state", "occurred_at", "importance", "place"}
    assert [{name: row[name] for name in same} for row in after] == [
        {name: row[name] for name in same} for row in before
    ]


def test_neighbours_are_to_be_embedded_again(alice: Person, conversation: Conversation) -> None:
    for text in SAID[:3]:
        remember(alice, conversation, text)
    with alice.scope():
        IndexEntry.objects.update(embedded_by="some model")
    remember(alice, conversation, "delta")
    with alice.scope():
        due = set(IndexEntry.objects.filter(embedded_by="", kind="message").values_list("place", flat=True))
    assert due == {2, 3, 4}


def test_a_long_message_lends_its_beginning(alice: Person, conversation: Conversation) -> None:
    remember(alice, conversation, "alpha " + " ".join(f"w{number}x" for number in range(5000)) + " omega")
    remember(alice, conversation, "bravo")
    with alice.scope():
        text = IndexEntry.objects.values_list("lexemes", flat=True).get(place=2)
        assert "'alpha'" in text
        assert "'omega'" not in text
        assert text.count("'") / 2 < 80


def test_a_message_that_is_stored_costs_one_statement_more_than_storing_it(
    alice: Person, conversation: Conversation
) -> None:
    remember(alice, conversation, "alpha")
    with alice.scope(), CaptureQueriesContext(connection) as queries:
        recall.add_message(conversation, role="user", content="bravo", actor=core.by_me())
    # Whether its chat was deleted, what was said before, the message, the entry with its neighbours'.
    assert [each["sql"].split()[0] for each in queries] == ["SELECT", "SELECT", "INSERT", "WITH"]
