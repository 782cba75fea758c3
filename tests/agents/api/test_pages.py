"""Lists in pages: whole, without repeats, bounded, and with a bounded number of queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents import roster
from tests.api_calls import call, everything, get, post, problem
from tests.cast import Person, new_agent, new_chat, send, work

LISTS = ["agents/", "blocks/", "conversations/", "models/"]


def chat_of(person: Person, messages: int) -> str:
    """The messages of a chat in which so many wait."""
    chat = new_chat(person, new_agent(person))
    for number in range(messages):
        send(person, chat, f"message {number}")
    return f"conversations/{chat.conversation_id}/messages/"


def lists_of(person: Person) -> list[str]:
    agent = new_agent(person)
    block = get(person, f"agents/{agent.id}/blocks/")["results"][0]["id"]
    return [*LISTS, f"agents/{agent.id}/blocks/", f"blocks/{block}/versions/", chat_of(person, 1)]


@pytest.mark.parametrize("limit", ["0", "-1", "201", "1000000000", "1e9", "x", "", "1.5", "1_0", "٣", "%00"])
def test_it_refuses_limits_that_are_none(alice: Person, limit: str) -> None:
    for path in lists_of(alice):
        assert "limit" in problem(call(alice, "GET", f"{path}?limit={limit}"), 400)["errors"]


@pytest.mark.parametrize("cursor", ["x", "1e9", "-1", "%00", "%ff", "00000000-0000", "9" * 80, "9" * 5000])
def test_it_refuses_cursors_that_are_none(alice: Person, cursor: str) -> None:
    for path in lists_of(alice):
        assert "cursor" in problem(call(alice, "GET", f"{path}?cursor={cursor}"), 400)["errors"]


def test_it_refuses_questions_that_it_does_not_know(alice: Person) -> None:
    for path in lists_of(alice):
        assert "colour" in problem(call(alice, "GET", f"{path}?colour=red"), 400)["errors"]


def test_it_shows_each_row_once_while_others_are_made(alice: Person) -> None:
    first = [new_agent(alice, name=f"Agent {number}") for number in range(3)]
    page = get(alice, "agents/?limit=2")
    late = new_agent(alice, name="Late")
    with alice.scope():
        roster.delete_agent(first[0].id)
    rest = everything(alice, page["next"])
    seen = [agent["id"] for agent in page["results"] + rest]
    assert seen == [str(agent.id) for agent in [*first, late]]


def test_it_pages_through_a_chat_from_either_end(alice: Person) -> None:
    path = chat_of(alice, 5)
    said = [f"message {number}" for number in range(5)]
    assert [row["content"] for row in everything(alice, f"{path}?limit=2")] == said
    assert [row["content"] for row in everything(alice, f"{path}?limit=2&order=newest")] == said[::-1]
    problem(call(alice, "GET", f"{path}?order=random"), 400)


def test_it_shows_each_message_once_while_waiting_ones_find_their_place(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turns = [send(alice, chat, f"message {number}") for number in range(3)]
    page = get(alice, f"conversations/{chat.conversation_id}/messages/?limit=1")
    for turn in turns:
        work(turn)
    seen = page["results"] + everything(alice, page["next"])
    mine = [row["content"] for row in seen if row["role"] == "user"]
    assert mine == ["message 0", "message 1", "message 2"]
    assert [row["position"] for row in seen[1:]] == list(range(2, len(seen) + 1))


def test_it_keeps_the_order_of_core_memory_over_pages(alice: Person) -> None:
    agent = new_agent(alice)
    for label in ("plan", "notes"):
        post(alice, f"agents/{agent.id}/blocks/", {"label": label})
    path = f"agents/{agent.id}/blocks/"
    whole = [block["label"] for block in get(alice, path)["results"]]
    assert whole[0] == "persona"
    assert [block["label"] for block in everything(alice, f"{path}?limit=1")] == whole


def test_it_ends_a_page_early_where_texts_are_very_long(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    for letter in "abc":
        send(alice, chat, letter * 900_000)
    path = f"conversations/{chat.conversation_id}/messages/"
    assert len(get(alice, path)["results"]) == 2
    assert [row["content"][0] for row in everything(alice, path)] == ["a", "b", "c"]


def queries(person: Person, path: str) -> int:
    get(person, path)
    with CaptureQueriesContext(connection) as captured:
        get(person, path)
    return len(captured)


def test_it_asks_the_database_as_often_for_many_rows_as_for_one(alice: Person) -> None:
    def fill() -> list[str]:
        agent = new_agent(alice)
        chat = new_chat(alice, agent)
        turn = send(alice, chat, "harvest")
        work(turn)
        return [
            *LISTS,
            f"agents/{agent.id}/blocks/",
            f"conversations/{chat.conversation_id}/messages/",
            f"turns/{turn.id}/",
            "search/?q=harvest",
        ]

    few: dict[str, Any] = {path: queries(alice, path) for path in fill()}
    for _ in range(4):
        fill()
    for path, count in few.items():
        assert queries(alice, path) == count, path
        assert count <= 12, path
