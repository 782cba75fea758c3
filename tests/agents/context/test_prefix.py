"""Consecutive prompts share all that stands before the new messages, but for breaks that are named: so a
provider has it in its cache. 50 turns with tools, through the real loop; each break is provoked, and seen."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from agents import skills
from agents.context.settings import checked
from agents.context.tokens import tokenizer
from agents.models import Agent, Step
from agents.roster import AgentFields, update_agent
from memory import core
from memory.operations import Append
from memory.skills import create_skill
from tests.agents.context.prefixes import extends, shared_messages
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
LONG = "word " * 60


@pytest.fixture
def wide(alice: Person, impatient: None) -> Iterator[Stubbed]:
    """A chat on the stub with a window of 16,000 tokens."""
    with StubServer() as server:
        yield make_stubbed(alice, server, window=16_000)


def look(number: int) -> tuple[str, Any]:
    return ("conversation_search", {"query": f"tea {number}"})


def requests(stubbed: Stubbed) -> list[Any]:
    return [request.json for request in stubbed.server.requests]


def steps(stubbed: Stubbed) -> list[Step]:
    with stubbed.person.scope():
        return list(Step.objects.filter(turn__context=stubbed.chat).order_by("id"))


def assert_told(stubbed: Stubbed) -> None:
    """What each step says of its prefix is what the requests show."""
    sent, told = requests(stubbed), [step.window for step in steps(stubbed)]
    assert len(sent) == len(told)
    counter = tokenizer("o200k_base")
    for (before, after), window in zip(pairwise(sent), told[1:], strict=True):
        assert extends(before, after) == (not window["breaks"]), window["breaks"]
        if not window["breaks"]:
            whole = counter.count_tools(after["tools"]) + sum(
                map(counter.count_message, before["messages"][:-1])
            )
            assert window["shared_tokens"] == whole


def test_fifty_turns_share_their_prefix_but_for_the_breaks_that_are_named(wide: Stubbed) -> None:
    for number in range(50):
        if number % 10 == 5:
            wide.queue(calls(("core_memory_append", {"label": "human", "content": f"Fact {number}."})))
        elif number % 2:
            wide.queue(calls(look(number)))
        wide.queue(text(LONG))
        wide.say(f"Message {number}. {LONG}")
    assert_told(wide)
    broken = [step.window["breaks"] for step in steps(wide)]
    kinds = {each for breaks in broken for each in breaks}
    assert (
        {"block:human", "summary", "eviction"} <= kinds <= {"block:human", "summary", "eviction", "editing"}
    )
    whole = [breaks for breaks in broken if not breaks]
    assert len(broken) == 75
    assert len(whole) >= 66


def breaks_of(stubbed: Stubbed, words: str = "And now?") -> list[str]:
    """What the next prompt breaks, where all it says is held to the request itself."""
    stubbed.queue(text("Yes."))
    turn = stubbed.say(words)
    assert_told(stubbed)
    found: list[str] = stubbed.steps(turn)[-1].window["breaks"]
    return found


def test_a_block_breaks_only_what_stands_after_it(wide: Stubbed) -> None:
    assert breaks_of(wide) == []
    with wide.person.scope():
        core.operate(wide.block("human").id, Append("Drinks tea."), actor=core.by_me())
    assert breaks_of(wide) == ["block:human"]
    (human, *_), shared = changed_in(wide)
    assert human["label"] == "human"
    assert shared == sum(part["tokens"] for part in parts_of(wide)[: parts_of(wide).index(human)])
    before, after = (request["messages"][0]["content"] for request in requests(wide)[-2:])
    place = after.index('<block label="human"')
    assert before[:place] == after[:place]
    assert breaks_of(wide) == []


def parts_of(stubbed: Stubbed) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = steps(stubbed)[-1].window["parts"]
    return found


def changed_in(stubbed: Stubbed) -> tuple[list[dict[str, Any]], int]:
    """The parts of the last step that the one before did not have, and what the step says it shares."""
    before, after = (step.window for step in steps(stubbed)[-2:])
    new = [part for part in after["parts"] if part not in before["parts"] and part["kind"] == "block"]
    return new, after["shared_tokens"]


def test_instructions_and_skills_and_blocks_that_come_are_named(wide: Stubbed) -> None:
    assert breaks_of(wide) == []
    with wide.person.scope():
        update_agent(wide.agent.id, AgentFields(instructions="Be brief."))
    assert breaks_of(wide) == ["system"]
    assert steps(wide)[-1].window["shared_tokens"] == 0
    with wide.person.scope():
        skill = create_skill(
            workspace_id=wide.person.personal,
            name="deploy",
            description="How we deploy.",
            content="Push.",
            actor=core.by_me(),
        )
        skills.attach(wide.agent.id, skill.id)
    assert set(breaks_of(wide)) == {"tools", "skills"}
    with wide.person.scope():
        core.delete_block(wide.block("persona").id)
    assert breaks_of(wide) == ["block:persona"]


def test_settings_that_show_messages_differently_are_named(wide: Stubbed) -> None:
    wide.queue(text("Long."))
    wide.say("word " * 2_500)
    assert breaks_of(wide) == []
    with wide.person.scope():
        Agent.objects.filter(id=wide.agent.id).update(context=checked({"clip_at": 10}))
    assert breaks_of(wide) == ["settings"]
    assert breaks_of(wide) == []


def test_eviction_and_the_summary_are_named(wide: Stubbed) -> None:
    assert breaks_of(wide) == []
    while True:
        found = breaks_of(wide, LONG * 5)
        if found:
            break
    assert found == ["summary", "eviction"]
    assert breaks_of(wide) == []
    while not (found := breaks_of(wide, LONG * 5)):
        pass
    assert found == ["summary", "eviction"]


def test_editing_leaves_what_stands_before_the_first_placeholder(wide: Stubbed) -> None:
    clearing = {
        "trigger": {"type": "tool_uses", "value": 2},
        "keep": {"type": "tool_uses", "value": 1},
        "clear_at_least": {"type": "input_tokens", "value": 0},
    }
    with wide.person.scope():
        Agent.objects.filter(id=wide.agent.id).update(context=checked({"clear_tool_uses": clearing}))
    wide.queue(text(LONG))
    wide.say(LONG)
    for number in range(3):
        wide.queue(calls(("conversation_search", {"query": f"word {number}"})), text("Found."))
        wide.say("word word, look it up.")
    assert_told(wide)
    edited = [place for place, step in enumerate(steps(wide)) if step.window["breaks"] == ["editing"]]
    assert edited
    for place in edited:
        before, after = requests(wide)[place - 1 : place + 1]
        kept = shared_messages(before, after)
        assert 0 < kept < len(before["messages"]) - 1
        counter = tokenizer("o200k_base")
        tokens = sum(map(counter.count_message, after["messages"][:kept]))
        shared = steps(wide)[place].window["shared_tokens"]
        assert shared == tokens + counter.count_tools(after["tools"])


def test_a_turn_that_passes_the_room_names_its_clipping(wide: Stubbed) -> None:
    big = "word " * 3_100
    wide.queue(
        *(calls(("archival_memory_insert", {"content": f"{n} {big}"})) for n in range(6)), text("Done.")
    )
    turn = wide.say("File it all.")
    assert_told(wide)
    assert any("clipping" in step.window["breaks"] for step in wide.steps(turn))


def test_the_first_prompt_shares_nothing_and_breaks_nothing(wide: Stubbed) -> None:
    assert breaks_of(wide) == []
    window = steps(wide)[0].window
    assert (window["shared_tokens"], window["breaks"]) == (0, [])
