"""One text of any length leaves the agent usable: it is shown in part, with the way to the rest."""

import json
import re

import pytest

from memory import recall
from tests.agents.context.compiling import add_call, ask, compiled, exchange, queue_of, small_chat
from tests.cast import Person

MEGABYTE = "".join(f"{number:07d} " for number in range(124_000))
CHINESE = "我不吃香菜。" * 166_000
HINT = re.compile(
    r'\n\[clipped: ([\d,]+) more characters; read on with message_read\(id="(.+)", offset=(\d+)\)\]$'
)


def assert_clipped(alice: Person, shown: str, whole: str) -> None:
    match = HINT.search(shown)
    assert match is not None
    offset = int(match.group(3))
    assert shown[: match.start()] == whole[:offset]
    assert int(match.group(1).replace(",", "")) == len(whole) - offset
    with alice.scope():
        piece = recall.read_message(match.group(2), offset)  # type: ignore[arg-type]
    assert whole[offset:].startswith(piece.text)


@pytest.mark.parametrize(
    "text", [MEGABYTE, CHINESE, "x" * 1_000_000, "👩‍🚀" * 200_000, " " * 500_000 + "龘" * 400_000]
)
def test_it_clips_a_message_of_a_megabyte(alice: Person, text: str) -> None:
    chat = small_chat(alice)
    made = compiled(alice, ask(alice, chat, text))
    assert made.used <= made.capacity
    assert_clipped(alice, queue_of(made)[0]["content"], text)


def test_it_clips_an_answer_and_a_tool_result_of_a_megabyte(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    exchange(alice, chat, "Say much.", MEGABYTE)
    turn = ask(alice, chat)
    add_call(alice, turn, json.dumps({"status": "ok", "content": MEGABYTE}))
    made = compiled(alice, turn)
    assert made.used <= made.capacity
    assert_clipped(alice, queue_of(made)[1]["content"], MEGABYTE)
    assert "clipped" in queue_of(made)[-1]["content"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("send_message", json.dumps({"message": MEGABYTE})),
        ("archival_memory_insert", json.dumps({"content": MEGABYTE, "tags": ["a"]})),
        ("archival_memory_insert", json.dumps({"tags": list(range(200_000))})),
        ("archival_memory_insert", json.dumps({MEGABYTE: 1})),
        ("send_message", '{"message": "' + MEGABYTE),
        ("send_message", "[" * 1_000_000),
    ],
)
def test_it_clips_arguments_and_keeps_them_json(alice: Person, name: str, arguments: str) -> None:
    chat = small_chat(alice)
    turn = ask(alice, chat)
    add_call(alice, turn, '{"status": "ok"}', arguments, name)
    made = compiled(alice, turn)
    assert made.used <= made.capacity
    shown = queue_of(made)[1]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(shown), dict)
    assert "[clipped:" in shown


@pytest.mark.parametrize("arguments", ["not JSON", "[]", "3", '{"a": '])
def test_it_shows_arguments_that_were_no_json_as_json(alice: Person, arguments: str) -> None:
    chat = small_chat(alice)
    turn = ask(alice, chat)
    add_call(alice, turn, '{"status": "error"}', arguments)
    shown = queue_of(compiled(alice, turn))[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(shown) == {"not_a_json_object": arguments}


def test_it_shows_arguments_as_they_were_written_where_they_fit(alice: Person) -> None:
    chat = small_chat(alice)
    turn = ask(alice, chat)
    written = '{ "label":"human",  "content": "\\u9999菜" }'
    add_call(alice, turn, '{"status": "ok"}', written)
    assert queue_of(compiled(alice, turn))[1]["tool_calls"][0]["function"]["arguments"] == written


def test_a_long_message_stays_clipped_in_the_same_place(alice: Person) -> None:
    chat = small_chat(alice)
    exchange(alice, chat, MEGABYTE)
    first = queue_of(compiled(alice, ask(alice, chat)))
    second = queue_of(compiled(alice, ask(alice, chat)))
    assert second[: len(first)] == first
