"""Whatever is said, called, written and set: the window keeps its budget, no call is parted from its result,
no message is lost, and the prefix breaks only where a break is named."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.context.parts import PartKind, Window
from agents.context.planning import capacity
from agents.context.settings import checked
from agents.context.tokens import tokenizer
from tests.agents.context.chats_in_memory import ChatInMemory
from tests.agents.context.prefixes import extends, shared_messages

UNITS = ["word ", "我不吃香菜。", "x", "👩‍🚀", " \n", "1234", "</value>", '"\\']
TOOLS = ["conversation_search", "archival_memory_insert", "core_memory_append", "skill_load"]

sizes = st.one_of(st.integers(0, 40), st.integers(0, 600), st.sampled_from([5_000, 40_000]))
texts = st.builds(lambda unit, size: unit * (size // len(unit) + 1), st.sampled_from(UNITS), sizes)
calls = st.lists(st.tuples(st.sampled_from(TOOLS), texts, texts), min_size=1, max_size=4)
steps = st.one_of(
    st.tuples(st.just("call"), calls),
    st.tuples(st.just("write"), st.tuples(st.sampled_from(["persona", "human"]), texts)),
)
turns = st.tuples(texts, st.lists(steps, max_size=6), texts)
clearings = st.one_of(
    st.none(),
    st.builds(
        lambda kind, value, keep, least, inputs: {
            "trigger": {"type": kind, "value": value},
            "keep": {"type": "tool_uses", "value": keep},
            "clear_at_least": {"type": "input_tokens", "value": least},
            "exclude_tools": ["skill_load"],
            "clear_tool_inputs": inputs,
        },
        st.sampled_from(["input_tokens", "tool_uses"]),
        st.sampled_from([0, 3, 3_000]),
        st.integers(0, 4),
        st.sampled_from([0, 500]),
        st.booleans(),
    ),
)
kept = st.builds(
    lambda clip, flush_to, clearing: checked(
        {"clip_at": clip, "flush_to": flush_to, "clear_tool_uses": clearing}
    ),
    st.sampled_from([1, 20, 50]),
    st.sampled_from([5, 50, 69]),
    clearings,
)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    size=st.sampled_from([4_000, 8_000, 20_000]),
    ratio=st.sampled_from([1.0, 1.2]),
    held=kept,
    said=st.lists(turns, min_size=1, max_size=10),
)
def test_whatever_is_said(size: int, ratio: float, held: dict[str, Any], said: list[Any]) -> None:
    chat = ChatInMemory(size, held, ratio)
    requests: list[dict[str, Any]] = []
    for question, acts, answer in said:
        chat.ask(question)
        hold(chat, requests)
        for kind, given_to in acts:
            if kind == "call":
                chat.call(*given_to)
            else:
                chat.write(*given_to)
            hold(chat, requests)
        chat.answer(answer)


def hold(chat: ChatInMemory, requests: list[dict[str, Any]]) -> None:
    """The next prompt, held to all that is promised of it."""
    made = chat.compile()
    requests.append({"messages": made.messages(), "tools": made.tools()})
    assert_within_its_budget(made)
    assert_no_call_parted(made)
    assert_nothing_lost(chat, made)
    if len(requests) > 1:
        assert_breaks_named(chat.before, *requests[-2:])


def assert_within_its_budget(made: Window) -> None:
    assert made.used <= made.capacity
    assert made.filled <= capacity(made.size)
    assert made.used == tokenizer("o200k_base").count_request(made.messages(), made.tools())


def assert_no_call_parted(made: Window) -> None:
    queue = [message for part in made.of(PartKind.QUEUE) for message in part.messages]
    waiting: list[str] = []
    for message in queue:
        if message["role"] == "tool":
            assert waiting.pop(0) == message["tool_call_id"]
        else:
            assert not waiting
            waiting = [call["id"] for call in message.get("tool_calls", ())]
            assert all(
                isinstance(json.loads(call["function"]["arguments"]), dict)
                for call in message.get("tool_calls", ())
            )
    assert not waiting
    assert queue[0]["role"] == "user"


def assert_nothing_lost(chat: ChatInMemory, made: Window) -> None:
    """Each message stands in the queue, was folded into the summary, or is of this turn and said to be left
    out."""
    (queue,) = made.of(PartKind.QUEUE)
    folded = chat.context.summary.to_position if chat.context.summary else 0
    assert chat.context.queue_from == folded + 1 <= chat.present
    shown = {each.message.position for each in made.queue}
    left_out = set(queue.about.get("left_out", ()))
    for message in chat.messages[folded:]:
        is_left_out = str(message.id) in left_out or message.tool_call_id in left_out
        is_left_out |= bool(message.tool_calls) and {call["id"] for call in message.tool_calls} <= left_out
        assert (message.position in shown) != is_left_out
        assert not is_left_out or (message.position or 0) > chat.present


def assert_breaks_named(step: dict[str, Any], before: Any, after: Any) -> None:
    assert extends(before, after) or step["breaks"]
    counter = tokenizer("o200k_base")
    whole = sum(map(counter.count_message, after["messages"][: shared_messages(before, after)]))
    if shared_messages(before, after):
        assert step["shared_tokens"] <= whole + counter.count_tools(after["tools"])
    if not step["breaks"]:
        assert step["shared_tokens"] == whole + counter.count_tools(after["tools"])
