"""The test button of the settings page tells what a model can do."""

from dataclasses import replace

from agents.llm.openai import OpenAIModel
from agents.llm.probe import probe
from tests.agents.llm.stub_behaviours import calls, hang, refuse, text, whole
from tests.agents.llm.stub_server import StubServer


def test_it_finds_a_model_that_streams_and_calls_tools(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("Hello!"), calls(("note_down", {"word": "hello"})))
    found = probe(model)
    assert (found.reachable, found.streams, found.calls_tools) == (True, True, True)
    assert (found.text, found.error_kind, found.error_message) == ("Hello!", "", "")


def test_it_finds_a_model_that_only_speaks(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(whole("Hello!"), whole("I noted hello down."))
    found = probe(model)
    assert (found.reachable, found.streams, found.calls_tools) == (True, False, False)


def test_it_finds_a_model_that_refuses_tools(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(text("Hello!"), refuse(400, "stub does not support tools"))
    found = probe(model)
    assert (found.streams, found.calls_tools, found.error_kind) == (True, False, "bad_request")
    assert "does not support tools" in found.error_message


def test_it_finds_a_key_that_is_refused(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(401, "Incorrect API key provided"))
    found = probe(model)
    assert (found.reachable, found.text, found.error_kind) == (True, "", "refused_key")


def test_it_finds_that_nobody_answers(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(hang())
    found = probe(replace(model, timeout=0.1))
    assert (found.reachable, found.error_kind) == (False, "timeout")


def test_it_asks_each_question_once(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(503), text("no"))
    assert probe(model).error_kind == "server"
    assert len(stub.requests) == 1
