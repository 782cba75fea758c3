"""A turn that passes the window all alone goes on: through the real loop, with megabytes in it."""

import json
from typing import Any

import pytest

from agents.context.parts import Window
from agents.models import Turn
from agents.tools import catalog
from agents.tools.base import ToolContext, tool
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tests.agents.context.compiling import (
    add_call,
    ask,
    compiled,
    core_of,
    exchange,
    queue_of,
    small_chat,
    status_of,
)
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.cast import Person

MEGABYTE = "".join(f"{number:07d} " for number in range(124_000))
SHOUT = ("shout", {"what": "a"})
LONG = json.dumps({"status": "ok", "content": "word " * 300})


@tool
def shout(context: ToolContext, what: str) -> dict[str, Any]:
    """Answer a megabyte.

    Args:
        what: The word to begin with.
    """
    return {"status": "ok", "content": f"{what} {MEGABYTE}"}


@pytest.fixture
def shouting(stubbed: Stubbed, monkeypatch: pytest.MonkeyPatch) -> Stubbed:
    monkeypatch.setitem(catalog.TOOLS, "shout", shout)
    return stubbed


def sent(stubbed: Stubbed) -> Any:
    return stubbed.request()["messages"]


def test_a_message_of_a_megabyte_is_answered(stubbed: Stubbed) -> None:
    stubbed.queue(text("I have read it."), text("Yes."))
    assert stubbed.say(MEGABYTE).status == Turn.Status.DONE
    assert "[clipped: " in sent(stubbed)[1]["content"]
    assert stubbed.messages()[0].content == MEGABYTE
    assert stubbed.say("Have you?").status == Turn.Status.DONE


def test_a_tool_result_of_a_megabyte_is_gone_on_from(shouting: Stubbed) -> None:
    again = calls(*(("shout", {"what": what}) for what in "bc"))
    shouting.queue(calls(SHOUT), again, text("That was loud."))
    turn = shouting.say("Shout.")
    assert turn.status == Turn.Status.DONE
    assert [len(each) > 900_000 for each in shouting.results(turn)] == [True] * 3
    for step in shouting.steps(turn):
        assert step.counted_tokens <= step.window["capacity"]
    assert "message_read" in str(sent(shouting))


def test_the_model_can_read_on_where_it_was_clipped(shouting: Stubbed) -> None:
    shouting.queue(calls(SHOUT), text("Let me read on."))
    turn = shouting.say("Shout.")
    result = next(each for each in shouting.messages(turn) if each.role == "tool")
    (shown,) = [each["content"] for each in sent(shouting) if each["role"] == "tool"]
    offset = int(shown.split("offset=")[1].split(")")[0])
    assert shown.startswith(result.content[:offset])
    shouting.queue(calls(("message_read", {"id": str(result.id), "offset": offset})), text("There."))
    (piece,) = shouting.results(shouting.say("Read on."))
    assert result.content[offset:].startswith(json.loads(piece)["content"])


def parted(made: Window) -> bool:
    """Whether a call stands without its result, or a result without its call."""
    queue = queue_of(made)
    asked = [call["id"] for each in queue for call in each.get("tool_calls", ())]
    answered = [each["tool_call_id"] for each in queue if each["role"] == "tool"]
    return asked != answered


@pytest.mark.parametrize("number", [5, 40, 150])
def test_so_many_calls_stay_within_the_room_and_with_their_results(alice: Person, number: int) -> None:
    turn = ask(alice, small_chat(alice), "Look it all up.")
    for _ in range(number):
        add_call(alice, turn, LONG, json.dumps({"id": "x" * 200}))
    made = compiled(alice, turn)
    assert made.used <= made.capacity
    assert queue_of(made)[0]["content"] == "Look it all up."
    assert not parted(made)
    assert "word" in queue_of(made)[-1]["content"]


def test_it_says_so_where_calls_are_left_out(alice: Person) -> None:
    turn = ask(alice, small_chat(alice), "Look it all up.")
    assert "left out" not in status_of(compiled(alice, turn))
    for _ in range(150):
        add_call(alice, turn, LONG)
    made = compiled(alice, turn)
    left_out = 150 - sum(each["role"] == "tool" for each in queue_of(made))
    assert left_out > 0
    assert f"turn: {left_out} older calls of this turn are left out" in status_of(made)


def test_the_next_turn_is_as_any_other(alice: Person) -> None:
    chat = small_chat(alice)
    turn = ask(alice, chat, "Look it all up.")
    for _ in range(150):
        add_call(alice, turn, LONG)
    compiled(alice, turn)
    exchange(alice, chat, "Hello.", "Hello.")
    made = compiled(alice, ask(alice, chat))
    assert [each["content"] for each in queue_of(made)] == ["Hello.", "Hello.", "And now?"]
    assert made.move.evicted


def fill_blocks(alice: Person, agent_id: Any, **values: str) -> None:
    with alice.scope():
        for label, value in values.items():
            block = Block.objects.get(label=label, attachments__agent_id=agent_id)
            fields = BlockFields(value=value, limit=200_000)
            core.edit_block(block.id, fields, expected_version=block.version, actor=core.by_me())


def test_blocks_that_alone_pass_the_window_are_shown_in_part(alice: Person) -> None:
    chat = small_chat(alice)
    fill_blocks(alice, chat.agent_id, persona="香" * 50_000, human="Alice drinks tea.")
    made = compiled(alice, ask(alice, chat, "Hello."))
    assert made.used <= made.capacity
    assert "Alice drinks tea." in core_of(made)
    assert 'label="persona" used="50000"' in core_of(made)
    assert "more characters; too long for this window]" in core_of(made)
    assert queue_of(made)[-1]["content"] == "Hello."
    status = status_of(made)
    assert "core memory: it is too long for this window, so persona is shown in part" in status
    assert "memory_rethink" in status


def test_an_agent_with_far_too_much_in_its_blocks_still_answers(stubbed: Stubbed) -> None:
    fill_blocks(stubbed.person, stubbed.agent.id, persona="word " * 39_000, human="我不吃香菜。" * 30_000)
    stubbed.queue(text("Hello."))
    turn = stubbed.say("Hello.")
    assert turn.status == Turn.Status.DONE
    (step,) = stubbed.steps(turn)
    kept = {part["label"]: part["kept"] for part in step.window["parts"] if part["kind"] == "block"}
    assert min(kept.values()) > 1_000
    assert step.counted_tokens <= step.window["capacity"]


def test_no_result_is_a_placeholder_before_the_model_has_read_it(shouting: Stubbed) -> None:
    both = calls(*(("shout", {"what": what}) for what in "bc"))
    shouting.queue(both, text("That was loud."), both, text("Louder."))
    for words in ("Shout.", "Again."):
        shouting.say(words)
        results = [each["content"] for each in sent(shouting) if each["role"] == "tool"][-2:]
        assert [each.startswith('{"status": "ok"') for each in results] == [True, True]
        assert all("[clipped: " in each for each in results)
