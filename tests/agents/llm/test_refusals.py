"""Whatever goes wrong has a kind that the page can explain, and a message for the log."""

import pytest

from agents.llm.openai import OpenAIModel
from tests.agents.llm.asking import ask, ask_until_it_fails
from tests.agents.llm.stub_behaviours import (
    Behaviour,
    chunk,
    chunks,
    page,
    raw,
    refuse,
    text,
    whole,
)
from tests.agents.llm.stub_server import StubServer

NO_WORDS = chunk({"role": "assistant", "content": ""})


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (refuse(401, "Incorrect API key provided"), "refused_key"),
        (refuse(403), "refused_key"),
        (refuse(400, "API key not valid. Please pass a valid API key."), "refused_key"),
        (refuse(404, "The model `stub` does not exist"), "unknown_model"),
        (refuse(400, "Model Not Exist"), "unknown_model"),
        (refuse(400, "maximum context length is 8192 tokens", code="context_length_exceeded"), "bad_request"),
        (refuse(413), "bad_request"),
        (refuse(422), "bad_request"),
        (page(307, "", location="http://127.0.0.1:1/v1"), "bad_request"),
        (page(200, "<!doctype html><title>Log in</title>"), "bad_request"),
        (chunks({"error": {"message": "no", "code": "invalid_api_key"}}), "refused_key"),
        (chunks({"error": "context_length_exceeded"}), "bad_request"),
        (chunks({"object": "error", "message": "too long", "code": 400}), "bad_request"),
    ],
)
def test_it_does_not_ask_again_where_that_is_no_use(
    stub: StubServer, model: OpenAIModel, behaviour: Behaviour, kind: str
) -> None:
    stub.queue(behaviour, text("no"))
    _, error = ask_until_it_fails(model)
    assert (error.kind, error.retryable) == (kind, False)
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        ({"error": {"message": "slow down", "code": 429}}, "rate_limited"),
        ({"error": {"message": "Rate limit reached", "type": "requests"}}, "rate_limited"),
        ({"error": {"message": "The server had an error", "code": None}}, "server"),
        ({"error": "it broke"}, "server"),
        (chunk({}, "error"), "server"),
    ],
)
def test_it_raises_an_error_that_comes_in_the_stream(
    stub: StubServer, model: OpenAIModel, sent: dict[str, object], kind: str
) -> None:
    stub.queue(chunks(chunk({"content": "Half a"}), sent))
    said, error = ask_until_it_fails(model)
    assert (said, error.kind, error.retryable) == ("Half a", kind, True)


def test_it_finds_an_error_that_stands_bare_in_the_stream(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(raw(b'data: {"choices":[]}\n\n', b'{\n "error": {"message": "no", "code": 401}\n}\n'))
    assert ask_until_it_fails(model)[1].kind == "refused_key"


@pytest.mark.parametrize(
    "behaviour",
    [
        chunks(NO_WORDS, chunk({}, "stop")),
        chunks(chunk({"content": " \n"}, "stop")),
        chunks(chunk({"content": None}, "length")),
        chunks(),
        whole(""),
        whole(None),
    ],
)
def test_it_says_so_when_there_is_nothing_in_the_answer(
    stub: StubServer, model: OpenAIModel, behaviour: Behaviour
) -> None:
    stub.queue(behaviour)
    _, error = ask_until_it_fails(model)
    assert (error.kind, error.retryable) == ("empty", True)


def test_it_reports_a_filtered_answer_as_such_even_without_words(
    stub: StubServer, model: OpenAIModel
) -> None:
    stub.queue(chunks(chunk({}, "content_filter")))
    assert [str(delta) for delta in ask(model)] == ["Finish(reason='content_filter')"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": {"message": "Too  many\\nwords"}}', "Too many words"),
        ('{"error": "plain"}', "plain"),
        ('{"detail": [{"loc": ["body"]}]}', '[{"loc": ["body"]}]'),
        ('{"message": "at the top"}', "at the top"),
        ("<h1>Bad Request</h1>", "<h1>Bad Request</h1>"),
        ("", "no reason given"),
        ("[" * 5000, "[" * 500),
    ],
)
def test_it_quotes_the_provider_in_the_message(
    stub: StubServer, model: OpenAIModel, body: str, message: str
) -> None:
    stub.queue(page(400, body))
    assert str(ask_until_it_fails(model)[1]) == f"the provider answered 400: {message}"


@pytest.mark.parametrize("url", ["", "localhost:1", "ftp://localhost/v1", "http://["])
def test_it_says_that_an_address_leads_nowhere(url: str) -> None:
    _, error = ask_until_it_fails(OpenAIModel(url, "k", "stub", backoff=0.001))
    assert error.kind == "connection"


@pytest.mark.parametrize(
    "body", [b"nothing of the kind", b"{}", b"{", b"[]", b'{"choices": [7]}', b"data: 7\n\n"]
)
def test_it_never_takes_other_things_for_an_answer(stub: StubServer, model: OpenAIModel, body: bytes) -> None:
    stub.queue(*[raw(body, content_type="application/json")] * model.attempts)
    assert ask_until_it_fails(model)[1].kind in {"server", "cut_off"}


def test_it_breaks_off_an_answer_without_end(
    stub: StubServer, model: OpenAIModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.llm.openai.LARGEST_ANSWER", 10_000)
    stub.queue(text("on and on " * 2000, chunks=100))
    assert ask_until_it_fails(model)[1].kind == "server"
