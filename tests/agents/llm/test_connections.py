"""One pooled client per process, used again and again; each call carries its own key and nothing else's."""

import threading
from dataclasses import replace

import pytest

from agents.llm.openai import OpenAIModel, _client
from tests.agents.llm.asking import HELLO, ask, ask_until_it_fails, text_of
from tests.agents.llm.stub_behaviours import calls, hang_after, instant, linger, page, refuse, text, whole
from tests.agents.llm.stub_server import StubServer


def test_it_uses_one_connection_for_calls_one_after_the_other(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("a"), calls(("one", {})), whole("b"), refuse(500), text("c"), refuse(401), text("d"))
    for _ in range(4):
        ask(model)
    ask_until_it_fails(model)
    ask(model)
    assert len(stub.requests) == 7
    assert stub.connections == 1


def test_it_connects_again_after_the_server_was_restarted() -> None:
    with StubServer(text("before")) as first:
        model = OpenAIModel(first.url, "k", "stub", backoff=0.001)
        ask(model)
    with StubServer(text("after"), port=first.port):
        assert text_of(ask(model)) == "after"


def test_it_sends_each_key_with_its_own_calls_only(stub: StubServer, model: OpenAIModel) -> None:
    stub.otherwise = instant()
    models = [replace(model, api_key=f"key-{number}", model=f"model-{number}") for number in range(4)]
    threads = [threading.Thread(target=lambda m=m: [ask(m) for _ in range(10)]) for m in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = {(request.headers["authorization"], request.json["model"]) for request in stub.requests}
    assert pairs == {(f"Bearer key-{number}", f"model-{number}") for number in range(4)}


def test_it_sends_no_key_where_there_is_none(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("Hi."))
    ask(replace(model, api_key=""))
    assert "authorization" not in stub.requests[0].headers


def test_it_keeps_no_cookies(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(page(401, "{}", set_cookie="who=alice; Path=/"), text("Hi."))
    ask_until_it_fails(model)
    ask(replace(model, api_key="another-key"))
    assert "cookie" not in stub.requests[1].headers


def test_it_does_not_follow_a_redirect(stub: StubServer, model: OpenAIModel) -> None:
    with StubServer(otherwise=text("no")) as elsewhere:
        stub.queue(page(307, "", location=f"{elsewhere.url}/chat/completions"))
        assert ask_until_it_fails(model)[1].kind == "bad_request"
        assert elsewhere.requests == []


def test_it_tells_the_provider_nothing_of_the_machines_own_account(
    stub: StubServer, model: OpenAIModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-the-machine")
    stub.queue(text("Hi."))
    new_client = _client.__wrapped__(0)
    monkeypatch.setattr("agents.llm.openai._client", lambda process: new_client)
    ask(replace(model, api_key=""))
    assert "of-the-machine" not in str(stub.requests[0].headers)


def test_it_hangs_up_when_the_caller_stops_listening(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(hang_after("first words"))
    deltas = model.stream(HELLO)
    next(deltas)
    deltas.close()
    stub.wait_for_disconnects(1)


def test_it_does_not_wait_for_a_server_that_never_ends_its_response(
    stub: StubServer, model: OpenAIModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.llm.openai._DRAIN_SECONDS", 0.1)
    stub.queue(linger("Hi."), linger("Hi."))
    patient = replace(model, timeout=600)
    assert [text_of(ask(patient)) for _ in range(2)] == ["Hi.", "Hi."]
    assert model.dialect.lingers


@pytest.mark.parametrize("ending", ["", "/", "/chat/completions", "/chat/completions/", "?api-version=1"])
def test_it_finds_the_endpoint_from_what_people_type(
    stub: StubServer, model: OpenAIModel, ending: str
) -> None:
    stub.queue(text("Hi."))
    assert text_of(ask(replace(model, base_url=f" {stub.url}{ending}"))) == "Hi."


@pytest.mark.parametrize("key", ["ключ", "two\nlines", "tab\t"])
def test_it_says_so_when_a_key_cannot_be_one(stub: StubServer, model: OpenAIModel, key: str) -> None:
    assert ask_until_it_fails(replace(model, api_key=key))[1].kind == "refused_key"
    assert stub.requests == []


def test_it_shows_the_key_nowhere(stub: StubServer, model: OpenAIModel) -> None:
    secret = replace(model, api_key="sk-very-secret")
    stub.queue(refuse(401, "Incorrect API key provided: sk-very-secret. Find yours at ..."))
    assert "secret" not in str(ask_until_it_fails(secret)[1])
    assert "secret" not in repr(secret)
