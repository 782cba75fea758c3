"""Turns over the API: how one went, stop, retry, and messages that wait."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from agents.models import Turn
from tests.agents.llm.stub_behaviours import calls, refuse, text
from tests.agents.stubbed import Stubbed
from tests.api_calls import call, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent, new_chat, send, work


def say(stubbed: Stubbed, body: dict[str, Any], status: int) -> Any:
    path = f"conversations/{stubbed.chat.conversation_id}/messages/?wait=0"
    return post(stubbed.person, path, body, status)


def test_it_answers_at_once_with_a_turn_that_still_runs(stubbed: Stubbed) -> None:
    answer = say(stubbed, {"content": "hello", "client_id": "one"}, 202)
    assert answer["turn"]["status"] == "queued"
    assert [message["content"] for message in answer["messages"]] == ["hello"]
    assert answer["messages"][0]["position"] is None


def test_it_answers_the_same_turn_for_the_same_client_id(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("Good day."))
    body = {"content": "hello", "client_id": "one"}
    turn = say(stubbed, body, 202)["turn"]
    with alice.scope():
        row = Turn.objects.get(id=turn["id"])
    work(row)
    again = say(stubbed, body, 200)
    assert (again["turn"]["id"], again["turn"]["status"]) == (turn["id"], "done")
    assert [(each["role"], each["content"]) for each in again["messages"]] == [
        ("user", "hello"),
        ("assistant", "Good day."),
    ]
    before = state_of(alice.identity.tenant_id)
    path = f"conversations/{stubbed.chat.conversation_id}/messages/"
    problem(call(alice, "POST", path, {"content": "other", "client_id": "one"}), 409)
    assert state_of(alice.identity.tenant_id) == before


def test_it_tells_each_step_of_a_turn(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(
        calls(("core_memory_append", {"label": "human", "content": "Name: Li Lei"})),
        text("Nice to meet you."),
    )
    turn = get(alice, f"turns/{stubbed.say('I am Li Lei').id}/")
    assert (turn["status"], turn["error"]) == ("done", None)
    assert [step["number"] for step in turn["steps"]] == [1, 2]
    assert turn["steps"][0]["model"] == "stub"
    messages = get(alice, f"conversations/{turn['conversation']}/messages/")["results"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "assistant"]
    called = messages[1]["tool_calls"][0]
    assert called["name"] == "core_memory_append"
    assert messages[2]["tool_call_id"] == called["id"]


def test_it_says_why_a_turn_failed_and_tries_again(stubbed: Stubbed, alice: Person) -> None:
    stubbed.server.otherwise = refuse(401, "no such key")
    turn = stubbed.say("hello")
    failed = get(alice, f"turns/{turn.id}/")
    assert failed["status"] == "failed"
    assert failed["error"]["kind"]
    stubbed.queue(text("Good day."))
    assert post(alice, f"turns/{turn.id}/retry/", {}, 200)["status"] == "queued"
    work(turn)
    assert get(alice, f"turns/{turn.id}/")["status"] == "done"
    again = post(alice, f"turns/{turn.id}/retry/", {}, 200)
    assert (again["id"] == str(turn.id), again["message"]) == (False, str(turn.message_id))
    with alice.scope():
        work(Turn.objects.get(id=again["id"]))
    before = state_of(alice.identity.tenant_id)
    problem(call(alice, "POST", f"turns/{turn.id}/retry/"), 409)  # it lies on a branch that was left
    assert state_of(alice.identity.tenant_id) == before


def test_it_stops_a_turn_that_has_not_begun(stubbed: Stubbed, alice: Person) -> None:
    turn = send(alice, stubbed.chat, "hello")
    assert post(alice, f"turns/{turn.id}/stop/", {}, 200)["stop_requested_at"]
    work(turn)
    assert get(alice, f"turns/{turn.id}/")["status"] == "stopped"
    assert post(alice, f"turns/{turn.id}/stop/", {}, 200)["status"] == "stopped"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"content": ""}, 400),
        ({"content": " \n "}, 400),
        ({"content": None}, 400),
        ({"content": 5}, 400),
        ({"content": ["hello"]}, 400),
        ({"content": "a\x00b"}, 400),
        ({"content": "a\ud83db"}, 400),
        ({"content": "x" * 1_000_001}, 413),
        ({"content": "x" * (1 << 20)}, 413),
        ({"content": "好" * 1_200_000}, 413),
        ({"content": "x" * 9_000_000}, 413),
        ({"content": "hello", "client_id": ""}, 400),
        ({"content": "hello", "client_id": "x" * 121}, 400),
        ({"content": "hello", "client_id": 1}, 400),
        ({"content": "hello", "client_id": "a\x00"}, 400),
        ({"content": "hello", "role": "system"}, 400),
    ],
)
def test_it_refuses_messages_that_are_none(alice: Person, body: dict[str, Any], status: int) -> None:
    chat = new_chat(alice, new_agent(alice))
    before = state_of(alice.identity.tenant_id)
    problem(call(alice, "POST", f"conversations/{chat.conversation_id}/messages/", body), status)
    assert state_of(alice.identity.tenant_id) == before


@pytest.mark.parametrize("query", ["wait=-1", "wait=301", "wait=x", "wait=1e1", "poll=1"])
def test_it_refuses_odd_waits(alice: Person, query: str) -> None:
    chat = new_chat(alice, new_agent(alice))
    before = state_of(alice.identity.tenant_id)
    path = f"conversations/{chat.conversation_id}/messages/?{query}"
    problem(call(alice, "POST", path, {"content": "hello"}), 400)
    assert state_of(alice.identity.tenant_id) == before


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=9999999999", "after=1e3", "since=1"])
def test_it_refuses_odd_places_in_a_stream(alice: Person, query: str) -> None:
    turn = send(alice, new_chat(alice, new_agent(alice)), "hello")
    problem(call(alice, "GET", f"turns/{turn.id}/events/?{query}"), 400)


@pytest.mark.parametrize("given", ["x", "-1", "1e3", "9" * 12, "²"])
def test_it_refuses_odd_last_event_ids(alice: Person, given: str) -> None:
    turn = send(alice, new_chat(alice, new_agent(alice)), "hello")
    problem(call(alice, "GET", f"turns/{turn.id}/events/", Last_Event_ID=given), 400)


def test_it_hides_turns_and_messages_of_others(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    turn = send(cast.alice, new_chat(cast.alice, agent, cast.team), "hello")
    routes = [
        ("GET", f"turns/{turn.id}/"),
        ("GET", f"turns/{turn.id}/events/"),
        ("POST", f"turns/{turn.id}/stop/"),
        ("POST", f"turns/{turn.id}/retry/"),
        ("GET", f"messages/{turn.message_id}/"),
        ("GET", f"conversations/{turn.conversation_id}/messages/"),
    ]
    for stranger in (cast.bob, cast.charlie):
        for verb, path in routes:
            assert problem(call(stranger, verb, path), 404)
            missing = path.replace(path.split("/")[1], str(uuid.uuid4()))
            assert call(stranger, verb, path).json() == call(stranger, verb, missing).json()
    cast.let_bob_in("viewer")
    assert get(cast.bob, f"turns/{turn.id}/")["id"] == str(turn.id)
    before = state_of(cast.alice.identity.tenant_id)
    problem(call(cast.bob, "POST", f"turns/{turn.id}/stop/"), 403)
    problem(call(cast.bob, "POST", f"turns/{turn.id}/retry/"), 403)
    assert state_of(cast.alice.identity.tenant_id) == before
