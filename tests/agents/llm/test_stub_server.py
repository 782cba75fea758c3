"""The stub speaks the protocol well enough for the official client, used as its makers meant it."""

import json

import openai
import pytest

from tests.agents.llm.stub_behaviours import MEMORY_NOTE, calls, instant, memory_then_text, refuse, text
from tests.agents.llm.stub_server import StubServer


@pytest.fixture
def official(stub: StubServer) -> openai.OpenAI:
    """The official client, without retries."""
    return openai.OpenAI(base_url=stub.url, api_key="k", max_retries=0)


def test_its_text_is_read_by_the_official_client(stub: StubServer, official: openai.OpenAI) -> None:
    stub.queue(text("Hello 世界"), instant("Hello 世界"))
    for _ in range(2):
        stream = official.chat.completions.create(
            model="stub", messages=[{"role": "user", "content": "Hello"}], stream=True
        )
        said = [part.choices[0].delta.content or "" for part in stream if part.choices]
        assert "".join(said) == "Hello 世界"


def test_its_calls_are_read_by_the_official_client(stub: StubServer, official: openai.OpenAI) -> None:
    stub.queue(calls(("one", {"x": 1}), ("two", {})))
    with official.chat.completions.stream(model="stub", messages=[]) as stream:
        message = stream.get_final_completion().choices[0].message
    assert [call.function.name for call in message.tool_calls or ()] == ["one", "two"]


def test_its_errors_are_read_by_the_official_client(stub: StubServer, official: openai.OpenAI) -> None:
    stub.queue(refuse(429, "slow down", retry_after="3"))
    with pytest.raises(openai.RateLimitError, match="slow down") as caught:
        official.chat.completions.create(model="stub", messages=[])
    assert caught.value.response.headers["retry-after"] == "3"


def test_it_writes_to_memory_first_and_then_speaks(stub: StubServer, official: openai.OpenAI) -> None:
    stub.otherwise = memory_then_text("Noted.")
    status = {"role": "system", "content": "status"}
    question = [{"role": "user", "content": "Hello"}, status]
    answered = [question[0], {"role": "tool", "tool_call_id": "a", "content": "ok"}, status]
    with official.chat.completions.stream(model="stub", messages=question) as stream:  # type: ignore[arg-type]
        call = (stream.get_final_completion().choices[0].message.tool_calls or [])[0]
    assert json.loads(call.function.arguments or "") == {"label": "human", "content": MEMORY_NOTE}
    with official.chat.completions.stream(model="stub", messages=answered) as stream:  # type: ignore[arg-type]
        assert stream.get_final_completion().choices[0].message.content == "Noted."
