"""Tool calls come out the same, however a server streams them."""

import re
from typing import Any

import pytest

from agents.llm.base import Finish, ToolCallDelta
from agents.llm.openai import OpenAIModel
from tests.agents.llm.asking import ask, calls_of, ids_of, text_of
from tests.agents.llm.stub_behaviours import call_piece, calls, chunk, chunks, whole
from tests.agents.llm.stub_server import StubServer

APPEND = ("core_memory_append", {"label": "human", "content": "不吃香菜"})
SPEAK = ("send_message", {"message": "Noted."})
WRITTEN = [(APPEND[0], '{"label": "human", "content": "不吃香菜"}'), (SPEAK[0], '{"message": "Noted."}')]


def pieces(*listed: dict[str, Any]) -> dict[str, Any]:
    """A chunk with these entries of tool_calls."""
    return chunk({"tool_calls": list(listed)})


def named(name: str, arguments: Any = "", **more: Any) -> dict[str, Any]:
    """An entry of tool_calls that has only what is said."""
    return {"function": {"name": name, "arguments": arguments}, **more}


def goes_on(arguments: str, **more: Any) -> dict[str, Any]:
    """An entry without a name."""
    return {"function": {"arguments": arguments}, **more}


ENDED = chunk({}, "tool_calls")
SHAPES = {
    "an index in each piece": [
        pieces(named("one", index=0, id="a")),
        pieces(goes_on('{"x":', index=0)),
        pieces(goes_on("1}", index=0)),
        pieces(named("two", index=1, id="b")),
        pieces(goes_on('{"y":2}', index=1)),
    ],
    "pieces of two calls in turn": [
        pieces(named("one", index=0, id="a"), named("two", index=1, id="b")),
        pieces(goes_on('{"x":', index=0), goes_on('{"y":', index=1)),
        pieces(goes_on("1}", index=0), goes_on("2}", index=1)),
    ],
    "no ids": [
        pieces(named("one", '{"x":', index=0)),
        pieces(goes_on("1}", index=0)),
        pieces(named("two", '{"y":2}', index=1)),
    ],
    "the same id for all": [
        pieces(named("one", '{"x":1}', index=0, id="call")),
        pieces(named("two", '{"y":2}', index=1, id="call")),
    ],
    "no index": [
        pieces(named("one", '{"x":', id="a")),
        pieces(goes_on("1}")),
        pieces(named("two", '{"y":', id="b")),
        pieces(goes_on("2}", id="b")),
    ],
    "neither index nor id": [pieces(named("one", '{"x":1}')), pieces(named("two", '{"y":2}'))],
    "neither, at once": [pieces(named("one", '{"x":1}'), named("two", '{"y":2}'))],
    "index 0 for all": [
        pieces(named("one", '{"x":1}', index=0, id="a")),
        pieces(named("two", '{"y":2}', index=0, id="b")),
    ],
    "index 0 for all and no ids": [
        pieces(named("one", '{"x":1}', index=0, id="")),
        pieces(named("two", '{"y":2}', index=0, id="")),
    ],
    "a new id in each piece": [
        pieces(named("one", index=0, id="a")),
        pieces(goes_on('{"x":1}', index=0, id="b")),
        pieces(named("two", index=1, id="c")),
        pieces(goes_on('{"y":2}', index=1, id="d")),
    ],
    "the name in each piece": [
        pieces(named("one", '{"x":', index=0, id="a")),
        pieces(named("one", "1}", index=0, id="a")),
        pieces(named("one", "", index=0, id="a")),
        pieces(named("two", '{"y":2}', index=1, id="b")),
    ],
    "the name late": [
        pieces({"index": 0, "id": "", "function": {"name": None, "arguments": '{"x":'}}),
        pieces(named("one", "1}", index=0, id="a")),
        pieces(named("two", '{"y":2}', index=1, id="b")),
    ],
    "numbers from 1": [
        pieces(named("one", '{"x":1}', index=1, id="a")),
        pieces(named("two", '{"y":2}', index=2, id="b")),
    ],
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_it_tells_two_calls_apart(stub: StubServer, model: OpenAIModel, shape: list[dict[str, Any]]) -> None:
    stub.queue(chunks(*shape, ENDED))
    deltas = ask(model)
    assert calls_of(deltas) == [("one", '{"x":1}'), ("two", '{"y":2}')]
    assert len(set(ids_of(deltas))) == 2
    assert deltas[-1] == Finish("tool_calls")


def test_it_gives_id_and_name_with_the_first_piece_only(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(calls(("one", {"x": 1}), chunks=2))
    assert ask(model)[:3] == [
        ToolCallDelta(0, "call_1_0", "one", ""),
        ToolCallDelta(0, arguments='{"x"'),
        ToolCallDelta(0, arguments=": 1}"),
    ]


def test_it_reads_text_and_two_calls_of_one_answer(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(calls(APPEND, SPEAK, said="One moment."))
    deltas = ask(model)
    assert (text_of(deltas), calls_of(deltas)) == ("One moment.", WRITTEN)


def test_it_reads_calls_of_an_answer_that_was_not_streamed(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(whole(None, APPEND, SPEAK, finish="tool_calls"))
    assert calls_of(ask(model)) == WRITTEN


def test_it_makes_an_id_that_every_provider_takes_back(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks(pieces(named("one", "{}", index=0)), ENDED))
    assert re.fullmatch("[a-z0-9]{9}", ids_of(ask(model))[0])


def test_it_writes_arguments_that_are_an_object_as_text(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks(pieces(named("one", {"x": "香菜"}, index=0, id="a")), ENDED))
    assert calls_of(ask(model)) == [("one", '{"x": "香菜"}')]


@pytest.mark.parametrize("nothing", ["", None])
def test_it_gives_an_empty_object_where_there_are_no_arguments(
    stub: StubServer, model: OpenAIModel, nothing: str | None
) -> None:
    stub.queue(chunks(pieces(named("one", nothing, index=0, id="a")), ENDED))
    assert calls_of(ask(model)) == [("one", "{}")]


def test_it_passes_arguments_on_that_are_not_json(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(calls(("one", '{"x": oh no')))
    assert calls_of(ask(model)) == [("one", '{"x": oh no')]


def test_it_passes_a_call_on_that_names_no_tool(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks(pieces(goes_on('{"x":1}', index=0)), ENDED))
    deltas = ask(model)
    assert calls_of(deltas) == [("", '{"x":1}')]
    assert ids_of(deltas)


def test_it_reads_the_legacy_function_call(stub: StubServer, model: OpenAIModel) -> None:
    first = chunk({"content": None, "function_call": {"name": "one", "arguments": '{"x":'}})
    stub.queue(chunks(first, chunk({"function_call": {"arguments": "1}"}}), chunk({}, "function_call")))
    deltas = ask(model)
    assert calls_of(deltas) == [("one", '{"x":1}')]
    assert deltas[-1] == Finish("tool_calls")


@pytest.mark.parametrize("reason", ["stop", None])
def test_it_says_tool_calls_where_the_server_forgot_to(
    stub: StubServer, model: OpenAIModel, reason: str | None
) -> None:
    stub.queue(chunks(pieces(call_piece(0, "a", {"name": "one", "arguments": "{}"})), chunk({}, reason)))
    assert ask(model)[-1] == Finish("tool_calls")


def test_it_joins_half_characters_of_arguments(stub: StubServer, model: OpenAIModel) -> None:
    parts = ['{"x":"', "\ud83d", "\ude00", '\udc00"}']
    listed = [pieces(goes_on(part, index=0)) for part in parts]
    stub.queue(chunks(pieces(named("one", index=0, id="a")), *listed, ENDED))
    assert calls_of(ask(model)) == [("one", '{"x":"😀\ufffd"}')]


@pytest.mark.parametrize("junk", [None, "call it", {"index": 0}, [None, 7], [{"function": None}]])
def test_it_survives_what_is_no_list_of_calls(stub: StubServer, model: OpenAIModel, junk: Any) -> None:
    stub.queue(chunks(chunk({"content": "Hi.", "tool_calls": junk}), chunk({}, "stop")))
    assert text_of(ask(model)) == "Hi."
