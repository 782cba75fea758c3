"""It streams in small pieces, always the same for the same request, and gives up when nobody listens."""

from dataclasses import replace

from agents.llm.base import Finish, TextDelta, ToolCallDelta, Usage
from agents.llm.offline.model import OfflineModel
from tests.agents.llm.offline.chat import MEMORY_TOOLS, Chat


def chat_with(words: str, tools: str = MEMORY_TOOLS) -> Chat:
    chat = Chat(tools=tools)
    chat.messages.append({"role": "user", "content": words})
    return chat


def test_it_yields_text_in_small_pieces_then_usage_and_the_end() -> None:
    deltas = list(OfflineModel().stream(chat_with("count to 200").request()))
    texts = [delta.text for delta in deltas if isinstance(delta, TextDelta)]
    assert len(texts) > 100
    assert max(map(len, texts)) <= 8
    usage, finish = deltas[-2:]
    assert finish == Finish("stop")
    assert isinstance(usage, Usage)
    assert usage.prompt_tokens > 100
    assert usage.completion_tokens > 100


def test_it_yields_the_arguments_of_a_call_in_pieces() -> None:
    deltas = list(OfflineModel().stream(chat_with("I don't eat coriander and my name is Bob").request()))
    calls = [delta for delta in deltas if isinstance(delta, ToolCallDelta)]
    assert [call.name for call in calls if call.name] == ["core_memory_append"] * 2
    assert len(calls) > 6
    assert all(bool(call.id) == bool(call.name) for call in calls)
    assert deltas[-1] == Finish("tool_calls")


def test_it_speaks_with_the_tool_for_it() -> None:
    deltas = list(OfflineModel().stream(chat_with("hello", f"send_message {MEMORY_TOOLS}").request()))
    assert [delta.name for delta in deltas if isinstance(delta, ToolCallDelta) and delta.name] == [
        "send_message"
    ]


def test_it_answers_the_same_request_in_the_same_way() -> None:
    chat = chat_with("我叫李雷，不吃香菜")
    assert list(OfflineModel().stream(chat.request())) == list(OfflineModel().stream(chat.request()))


def test_its_ids_do_not_depend_on_the_clock() -> None:
    chat = chat_with("I don't eat coriander")
    first = chat.step()
    chat.now = "2026-12-01 09:00"
    assert chat.step() == first


def test_its_ids_never_come_twice_in_a_conversation() -> None:
    chat = Chat(window=6)
    for _ in range(20):
        chat("Where does Bob live?")
    assert len(set(chat.ids)) == len(chat.ids) > 40


def test_it_stops_at_the_limit_of_tokens() -> None:
    deltas = list(OfflineModel().stream(replace(chat_with("count to 200").request(), max_tokens=10)))
    assert deltas[-1] == Finish("length")
    assert sum(len(delta.text) for delta in deltas if isinstance(delta, TextDelta)) <= 40


def test_it_gives_up_when_nobody_listens() -> None:
    request = chat_with("count to 200").request()
    stream = OfflineModel(pause=0.001).stream(request)
    next(stream)
    request.abandoned.set()
    assert list(stream) == []


def test_it_answers_nothing_but_words_to_an_empty_request() -> None:
    chat = Chat(tools="", blocks={})
    chat.messages.append({"role": "user", "content": None})
    text, calls = chat.step()
    assert text
    assert calls == []
