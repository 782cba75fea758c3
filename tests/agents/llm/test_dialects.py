"""A server that refuses a field or a role is asked without it, and the process remembers."""

from dataclasses import replace
from typing import Any

import pytest

from agents.llm.base import ModelRequest
from agents.llm.dialect import Dialect, dialect_of
from agents.llm.openai import OpenAIModel
from tests.agents.llm.asking import HELLO, ask, ask_until_it_fails, text_of
from tests.agents.llm.stub_behaviours import Exchange, refuse, refuse_field, text, whole
from tests.agents.llm.stub_server import StubServer

SHORT = replace(HELLO, max_tokens=50)
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "instructions"},
    {"role": "system", "content": "summary"},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "", "tool_calls": []},
    {"role": "tool", "tool_call_id": "a", "content": "ok"},
    {"role": "system", "content": "status"},
]


@pytest.mark.parametrize("status", [400, 422])
def test_it_leaves_out_stream_options_where_they_are_refused(
    stub: StubServer, model: OpenAIModel, status: int
) -> None:
    strict = refuse_field("stream_options", status=status, then=text("Hi."))
    stub.queue(strict, strict, strict)
    assert [text_of(ask(model)) for _ in range(2)] == ["Hi.", "Hi."]
    assert ["stream_options" in request.json for request in stub.requests] == [True, False, False]


def test_it_names_the_limit_as_the_server_wants_it(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(*[refuse_field("max_tokens", then=text("Hi."))] * 3)
    assert [text_of(ask(model, SHORT)) for _ in range(2)] == ["Hi.", "Hi."]
    assert [request.json.get("max_completion_tokens") for request in stub.requests] == [None, 50, 50]


def test_it_does_without_a_stream_where_there_is_none(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(*[refuse_field("stream_options", "stream", then=whole("Hi."))] * 4)
    assert [text_of(ask(model)) for _ in range(2)] == ["Hi.", "Hi."]
    assert len(stub.requests) == 4


def test_it_gives_up_where_the_server_takes_neither_name(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(*[refuse_field("max_tokens", "max_completion_tokens", then=text("no"))] * 9)
    assert ask_until_it_fails(model, SHORT)[1].kind == "bad_request"
    assert len(stub.requests) == 2
    assert model.dialect == Dialect()


def test_it_does_not_change_what_the_server_did_not_complain_of(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(400, "max_tokens must be at most 40"))
    assert ask_until_it_fails(model, SHORT)[1].kind == "bad_request"
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    "complaint",
    [
        "System message must be at the beginning.",
        "Expected last role User or Tool (or Assistant with prefix True) for serving but got system",
        "Only the first message can be a system message: only one system message is supported",
    ],
)
def test_it_turns_later_system_messages_into_words_of_the_user(
    stub: StubServer, model: OpenAIModel, complaint: str
) -> None:
    async def template(exchange: Exchange) -> None:
        roles = [message["role"] for message in exchange.request.json["messages"]]
        await (refuse(400, complaint) if "system" in roles[1:] else text("Hi."))(exchange)

    stub.queue(template, template)
    assert text_of(ask(model, ModelRequest("", TALK))) == "Hi."
    sent = stub.requests[1].json["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "user"]
    assert [sent[1]["content"], sent[-1]["content"]] == ["summary\n\nHello", "status"]


def test_it_does_without_system_messages_where_there_are_none(stub: StubServer, model: OpenAIModel) -> None:
    async def template(exchange: Exchange) -> None:
        roles = [message["role"] for message in exchange.request.json["messages"]]
        await (refuse(500, "System role not supported") if "system" in roles else text("Hi."))(exchange)

    stub.queue(template, template, template)
    assert text_of(ask(model, ModelRequest("", TALK))) == "Hi."
    sent = stub.requests[2].json["messages"]
    assert sent[0] == {"role": "user", "content": "instructions\n\nsummary\n\nHello"}


def test_it_learns_for_one_model_at_one_server_only(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse_field("stream_options", then=text("Hi.")), text("Hi."), text("Hi."))
    ask(model)
    ask(replace(model, model="another"))
    assert "stream_options" in stub.requests[-1].json


@pytest.mark.parametrize(
    ("url", "official"),
    [
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("https://api.openai.com.example.net/v1", False),
        ("http://localhost:11434/v1", False),
    ],
)
def test_it_asks_openai_alone_to_keep_nothing(url: str, official: bool) -> None:
    assert (b'"store":false' in dialect_of(url).body(SHORT, "m")) is official
    assert (b"max_completion_tokens" in dialect_of(url).body(SHORT, "m")) is official
