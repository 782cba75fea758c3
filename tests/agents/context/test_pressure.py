"""The model is told that its window fills, with the figures and what it can do; the warning goes when it has
saved what matters, or when the oldest messages have left."""

import json
import re
from collections.abc import Iterator

import pytest

from agents.context.pressure import SAVES
from agents.models import MainContext, Turn
from memory import core
from memory.core import BlockFields
from memory.models import Block, Message
from tests.agents.context.compiling import ask, compiled, fill, small_chat, status_of
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person, new_agent, new_chat, send, work

FIGURES = re.compile(r"pressure: messages fill (\d+) % .*\((\d+) of (\d+) tokens\); at 95 % the oldest leave")
SAVED = ("archival_memory_insert", {"content": "What matters."})
LOOKED = ("conversation_search", {"query": "tea"})
FAILED = ("core_memory_append", {"label": "no such block", "content": "x"})
WORDS = "word " * 100
WELL = "Well. " * 12


@pytest.fixture
def pressed(alice: Person, impatient: None) -> Iterator[Stubbed]:
    """A chat on the stub whose last prompt was the first that was warned."""
    with StubServer() as server:
        stubbed = make_stubbed(alice, server, window=8_000)
        while not is_warned(stubbed):
            stubbed.queue(text(WORDS))
            stubbed.say("Go on.")
        yield stubbed


def is_warned(stubbed: Stubbed) -> bool:
    return bool(stubbed.server.requests) and "pressure:" in stubbed.request()["messages"][-1]["content"]


def warned(stubbed: Stubbed, turn: Turn) -> list[bool]:
    return [step.window["is_pressed"] for step in stubbed.steps(turn)]


def test_it_tells_the_figures_and_what_can_be_done(pressed: Stubbed) -> None:
    status = pressed.request()["messages"][-1]["content"]
    match = FIGURES.search(status)
    assert match is not None
    percent, used, room = map(int, match.groups())
    assert 70 <= percent == used * 100 // room
    assert "core memory" in status
    assert "archive" in status


def test_a_write_to_memory_ends_it_at_once(pressed: Stubbed) -> None:
    before = pressed.context().queue_from
    pressed.queue(calls(SAVED), text("Saved."))
    turn = pressed.say("Go on.")
    assert warned(pressed, turn) == [True, False]
    assert "pressure:" not in pressed.request()["messages"][-1]["content"]
    step = pressed.steps(turn)[-1].window
    queue = next(part for part in step["parts"] if part["kind"] == "queue")
    assert queue["tokens"] <= step["room"] // 2
    assert pressed.context().queue_from > before
    assert step["evicted"]["from"] == before


@pytest.mark.parametrize("call", [LOOKED, FAILED])
def test_nothing_else_does(pressed: Stubbed, call: tuple[str, dict[str, str]]) -> None:
    pressed.queue(calls(call), text("Hm."))
    assert warned(pressed, pressed.say("Go on.")) == [True, True]


def test_a_write_in_the_last_words_of_a_turn_ends_it_in_the_next(pressed: Stubbed) -> None:
    pressed.queue(calls(SAVED, ("send_message", {"message": "Saved."})), text("Yes."))
    assert warned(pressed, pressed.say("Go on.")) == [True]
    assert warned(pressed, pressed.say("And now?")) == [False]


def test_nothing_that_left_is_lost(pressed: Stubbed) -> None:
    before = [each.id for each in pressed.messages()]
    pressed.queue(calls(SAVED), text("Saved."))
    pressed.say("Go on.")
    assert [each.id for each in pressed.messages()][: len(before)] == before


def test_the_warning_goes_when_the_oldest_have_left_by_themselves(pressed: Stubbed) -> None:
    for _ in range(20):
        pressed.queue(text(WORDS))
        turn = pressed.say("Go on.")
        if warned(pressed, turn) == [False]:
            break
    assert pressed.steps(turn)[0].window["evicted"]
    assert warned(pressed, turn) == [False]


def test_it_is_not_said_where_nothing_could_leave(alice: Person) -> None:
    """A turn that fills the room alone is never evicted: there is nothing to save from it."""
    turn = ask(alice, small_chat(alice, 8_000), "word " * 5_000)
    made = compiled(alice, turn)
    assert "pressure:" not in status_of(made)


def test_it_comes_last_and_leaves_what_stands_before_as_it_was(pressed: Stubbed) -> None:
    before, after = (pressed.request(number)["messages"] for number in (-2, -1))
    assert "pressure:" not in json.dumps(before)
    assert after[: len(before) - 1] == before[:-1]


def test_a_full_context_is_noted_for_a_summary_in_the_background(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    seen = []
    for _ in range(40):
        fill(alice, chat, 1, WORDS)
        made = compiled(alice, ask(alice, chat))
        with alice.scope():
            context = MainContext.objects.get(id=chat.id)
        seen.append((sum(each.tokens for each in made.queue) * 100 // made.room, context.is_filling))
        assert not made.move.evicted or not context.is_filling
    assert {full for percent, full in seen if percent < 79} == {False}
    assert {full for percent, full in seen if percent > 81} == {True}


def test_a_block_near_its_limit_has_a_line_of_its_own(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    assert "block human:" not in status_of(compiled(alice, ask(alice, chat)))
    edit(alice, chat, "x" * 95)
    assert "block human: 95 of 100 characters; condense it with memory_rethink" in status_of(
        compiled(alice, ask(alice, chat))
    )
    edit(alice, chat, "x" * 20)
    assert "block human:" not in status_of(compiled(alice, ask(alice, chat)))


def test_not_one_that_the_agent_cannot_write(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    edit(alice, chat, "x" * 95, governance="read_only")
    assert "block human:" not in status_of(compiled(alice, ask(alice, chat)))


def edit(alice: Person, chat: MainContext, value: str, **fields: str) -> None:
    with alice.scope():
        block = Block.objects.get(label="human", attachments__agent=chat.agent)
        core.edit_block(
            block.id,
            BlockFields(value=value, limit=100, **fields),  # type: ignore[arg-type]
            expected_version=block.version,
            actor=core.by_me(),
        )


def test_the_offline_model_answers_it_with_a_call_and_is_warned_no_longer(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice, window=8_000))
    for number in range(60):
        turn = send(alice, chat, f"The door code of building {number} is {number * 37 + 1000}. {WELL}")
        work(turn)
        if answered := answers_to_a_warning(alice, turn):
            break
    (name, is_warned_again) = answered[0]
    assert name in SAVES
    assert not is_warned_again


def answers_to_a_warning(alice: Person, turn: Turn) -> list[tuple[str, bool]]:
    """For each warned prompt of a turn but the last: what its answer called, and if the next is warned."""
    with alice.scope():
        steps = [step.window["is_pressed"] for step in turn.steps.order_by("number")]
        replies = Message.objects.filter(turn_id=turn.id, role="assistant").order_by("position")
        called = [each.tool_calls[0]["name"] for each in replies]
    followed = zip(steps, called, steps[1:], strict=False)
    return [(name, after) for before, name, after in followed if before]
