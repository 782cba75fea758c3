"""An answer arrives in pieces, whole and in order, with usage and a reason at its end."""

import pytest

from agents.llm.base import Finish, ModelRequest, TextDelta, Usage
from agents.llm.openai import OpenAIModel
from tests.agents.llm.asking import ask, text_of
from tests.agents.llm.stub_behaviours import USAGE, chunk, chunks, hang_after, raw, sse, text, whole
from tests.agents.llm.stub_server import StubServer


def test_it_yields_text_in_the_pieces_the_server_sends(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("Hello 世界", chunks=4))
    deltas = ask(model)
    assert deltas[:4] == [TextDelta("He"), TextDelta("ll"), TextDelta("o "), TextDelta("世界")]
    assert deltas[4:] == [Usage(11, 7), Finish("stop")]


def test_it_yields_a_piece_before_the_answer_is_over(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(hang_after("first words"))
    deltas = model.stream(ModelRequest("", [{"role": "user", "content": "Hello"}]))
    assert next(deltas) == TextDelta("first words")
    deltas.close()


def test_it_sends_what_the_request_holds(stub: StubServer, model: OpenAIModel) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    stub.queue(text("ok"))
    ask(model, ModelRequest("other-model", [{"role": "user", "content": "香菜"}], [tool], max_tokens=99))
    sent = stub.requests[0].json
    assert sent == {
        "model": "other-model",
        "messages": [{"role": "user", "content": "香菜"}],
        "tools": [tool],
        "max_tokens": 99,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_it_reads_an_answer_of_a_megabyte(stub: StubServer, model: OpenAIModel) -> None:
    words = "Ein Wort und 香菜. " * 60_000
    stub.queue(text(words, chunks=500), text(words, chunks=1), whole(words))
    assert [text_of(ask(model)) for _ in range(3)] == [words] * 3


def test_it_reads_an_answer_that_was_not_streamed(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(whole("All at once."))
    assert ask(model) == [TextDelta("All at once."), Usage(11, 7), Finish("stop")]


def test_it_leaves_reasoning_out(stub: StubServer, model: OpenAIModel) -> None:
    thought = chunk({"reasoning_content": "hm", "reasoning": "hm", "content": None})
    stub.queue(chunks(thought, chunk({"content": "Yes."}), chunk({"content": None}, "stop")))
    assert ask(model) == [TextDelta("Yes."), Finish("stop")]


def test_it_reads_usage_wherever_it_stands(stub: StubServer, model: OpenAIModel) -> None:
    with_choices = {**chunk({"content": "a"}, "stop"), "usage": USAGE}
    nobody_counted = {"choices": None, "usage": {"prompt_tokens": None}}
    stub.queue(chunks(with_choices), chunks(chunk({"content": "a"}, "stop"), nobody_counted))
    assert ask(model) == [TextDelta("a"), Usage(11, 7), Finish("stop")]
    assert ask(model) == [TextDelta("a"), Finish("stop")]


@pytest.mark.parametrize(
    ("sent", "understood"),
    [("length", "length"), ("content_filter", "content_filter"), ("max_tokens", "length"), ("eos", "stop")],
)
def test_it_knows_the_reasons_for_an_end(
    stub: StubServer, model: OpenAIModel, sent: str, understood: str
) -> None:
    stub.queue(text("And so", finish=sent))
    assert ask(model)[-1] == Finish(understood)


def test_it_takes_done_for_the_end_where_no_reason_is_given(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks(chunk({"content": "Done."})))
    assert ask(model) == [TextDelta("Done."), Finish("stop")]


def test_it_takes_a_reason_for_the_end_where_done_is_missing(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks(chunk({"content": "Done."}, "stop"), done=False))
    assert ask(model) == [TextDelta("Done."), Finish("stop")]


def test_it_reads_events_however_they_are_cut(stub: StubServer, model: OpenAIModel) -> None:
    events = b": keep-alive\r\n\r\nevent: message\nid: 7\nretry: 10\n"
    events += sse(chunk({"content": "香"})).replace(b"\n\n", b"\r\n\r\n") + b"data:\n\n"
    events += b'data: {"choices":[{"delta":\ndata: {"content":"\xe8\x8f\x9c"},"finish_reason":"stop"}]}\n\n'
    events += b"data:[DONE]"
    stub.queue(raw(*(events[at : at + 1] for at in range(len(events)))), raw(events))
    assert [text_of(ask(model)) for _ in range(2)] == ["香菜", "香菜"]


def test_it_joins_text_that_comes_as_parts(stub: StubServer, model: OpenAIModel) -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}]
    stub.queue(chunks(chunk({"content": parts}, "stop")), chunks(chunk({"refusal": "I will not."}, "stop")))
    assert [text_of(ask(model)) for _ in range(2)] == ["one two", "I will not."]


def test_it_yields_only_characters_that_can_be_stored(stub: StubServer, model: OpenAIModel) -> None:
    halves = (
        rb'data: {"choices":[{"delta":{"content":"a\ud83d"}}]}',
        rb'data: {"choices":[{"delta":{"content":"\ude00b"}}]}',
    )
    lone = rb'data: {"choices":[{"delta":{"content":"\udc00\u0000c\ud83d"},"finish_reason":"stop"}]}'
    stub.queue(raw(*(line + b"\n\n" for line in (*halves, lone))))
    assert text_of(ask(model)) == "a😀b\ufffdc\ufffd"


def test_it_sends_lone_surrogates_as_question_marks(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("ok"))
    ask(model, ModelRequest("", [{"role": "user", "content": "half \ud83d"}]))
    assert stub.requests[0].json["messages"][0]["content"] == "half ?"


def test_it_asks_with_the_same_bytes_for_the_same_messages(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("ok"), text("ok"))
    ask(model)
    ask(model)
    assert stub.requests[0].body == stub.requests[1].body
