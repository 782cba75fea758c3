"""The bytes of a prompt change only where memory changed: what a provider has cached stays good."""

import json
from typing import Any

from memory import core
from memory.operations import Append
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed

LOOK = ("conversation_search", {"query": "tea"})
NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def stable(request: Any) -> str:
    """The system message and the tools."""
    return json.dumps([request["messages"][0], request["tools"]])


def assert_extends(before: Any, after: Any) -> None:
    """All but the status of the earlier request stands at the front of the later one, byte for byte."""
    kept = before["messages"][:-1]
    assert json.dumps(after["messages"][: len(kept)]) == json.dumps(kept)
    assert json.dumps(after["tools"]) == json.dumps(before["tools"])
    assert len(after["messages"]) > len(before["messages"])


def test_it_is_the_same_from_call_to_call_and_from_turn_to_turn(stubbed: Stubbed) -> None:
    stubbed.queue(calls(LOOK), text("Nothing."), calls(LOOK, LOOK), text("Nothing."))
    stubbed.say("Look for tea.")
    stubbed.say("Look again.")
    requests = [request.json for request in stubbed.server.requests]
    assert len(requests) == 4
    assert len({stable(request) for request in requests}) == 1
    for before, after in zip(requests, requests[1:], strict=False):
        assert_extends(before, after)


def test_it_changes_when_the_agent_writes_memory_and_then_stays(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Noted."), text("Yes."))
    stubbed.say("I drink tea.")
    stubbed.say("Do you know that?")
    first, second, third = (request.json for request in stubbed.server.requests)
    assert stable(first) != stable(second)
    assert_extends(second, third)
    # Only the system message differs: the queue goes on as it was.
    assert json.dumps(first["messages"][1:-1]) == json.dumps(
        second["messages"][1 : len(first["messages"]) - 1]
    )


def test_it_changes_when_a_person_writes_memory(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."), text("Yes."))
    stubbed.say("Hello.")
    with stubbed.person.scope():
        core.operate(stubbed.block("persona").id, Append("Be brief."), actor=core.by_me())
    stubbed.say("Hello again.")
    before, after = (request.json for request in stubbed.server.requests)
    assert "Be brief." not in stable(before)
    assert "Be brief." in stable(after)


def test_a_refused_write_changes_nothing(stubbed: Stubbed) -> None:
    wrong = ("core_memory_append", {"label": "human", "content": "x" * 3000})
    stubbed.queue(calls(wrong), text("I see."))
    stubbed.say("Hello.")
    first, second = (request.json for request in stubbed.server.requests)
    assert_extends(first, second)


def test_what_changes_stands_last(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."))
    stubbed.say("Hello.")
    *stable_messages, last = stubbed.request()["messages"]
    assert last["role"] == "system"
    assert last["content"].startswith("<status>\nnow: ")
    assert "<status>" not in json.dumps(stable_messages)
