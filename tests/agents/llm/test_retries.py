"""A call that failed before its first word is made again, within bounds, and never after a word was seen."""

import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event, Timer

import pytest

from agents.llm.openai import OpenAIModel
from memory.outbound import seconds_to_wait
from tests.agents.llm.asking import HELLO, ask, ask_until_it_fails, text_of
from tests.agents.llm.stub_behaviours import chunks, cut, hang, hang_after, raw, refuse, stop_short, text
from tests.agents.llm.stub_server import StubServer


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_it_asks_again_where_the_server_may_recover(
    stub: StubServer, model: OpenAIModel, status: int
) -> None:
    stub.queue(refuse(status), refuse(status), text("Here I am."))
    assert text_of(ask(model)) == "Here I am."
    assert len(stub.requests) == 3


def test_it_asks_again_when_the_connection_drops_before_the_answer(
    stub: StubServer, model: OpenAIModel
) -> None:
    stub.queue(cut(), stop_short(""), raw(b"data: {not json\n\n"), text("Here I am."))
    assert text_of(ask(model)) == "Here I am."


def test_it_asks_again_for_an_error_before_the_first_word(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(chunks({"error": {"message": "Overloaded", "code": 503}}), text("Here I am."))
    assert text_of(ask(model)) == "Here I am."


def test_it_gives_up_after_so_many_attempts(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(*[refuse(500)] * 9)
    _, error = ask_until_it_fails(model)
    assert (error.kind, error.retryable) == ("server", True)
    assert len(stub.requests) == model.attempts


@pytest.mark.parametrize("behaviour", [cut("Half a"), stop_short("Half a")])
def test_it_does_not_ask_again_after_the_first_word(
    stub: StubServer, model: OpenAIModel, behaviour: object
) -> None:
    stub.queue(behaviour, text("no"))  # type: ignore[arg-type]
    said, error = ask_until_it_fails(model)
    assert (said, error.kind, error.retryable) == ("Half a", "cut_off", True)
    assert len(stub.requests) == 1


def test_it_does_not_ask_again_after_silence(stub: StubServer) -> None:
    stub.queue(hang(), text("no"))
    _, error = ask_until_it_fails(OpenAIModel(stub.url, "k", "stub", timeout=0.1))
    assert (error.kind, error.retryable) == ("timeout", True)
    stub.wait_for_requests(1)
    assert len(stub.requests) == 1


def test_it_stops_waiting_when_the_server_falls_silent_in_the_middle(stub: StubServer) -> None:
    stub.queue(hang_after("Half a"))
    said, error = ask_until_it_fails(OpenAIModel(stub.url, "k", "stub", timeout=0.6))
    assert (said, error.kind) == ("Half a", "timeout")


def test_it_ends_an_answer_that_takes_too_long(stub: StubServer) -> None:
    stub.queue(text("so slow " * 50, chunks=50, pause=0.02))
    said, error = ask_until_it_fails(OpenAIModel(stub.url, "k", "stub", longest=0.5))
    assert error.kind == "timeout"
    assert said.startswith("so slow")


class Impatient(Event):
    """Nobody abandons the call, and nobody waits: the waits are written down."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0)
        return False


def test_it_waits_as_long_as_the_server_asks(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(429, retry_after="20"), refuse(503, retry_after=_in(30)), text("Here I am."))
    clock = Impatient()
    ask(model, replace(HELLO, abandoned=clock))
    assert clock.waits == [pytest.approx(20, abs=0.1), pytest.approx(30, abs=2)]


def test_it_waits_longer_each_time(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(500), refuse(500), refuse(500), text("Here I am."))
    clock = Impatient()
    ask(model, replace(HELLO, abandoned=clock))
    assert len(clock.waits) == 3
    for number, wait in enumerate(clock.waits):
        assert 0.5 <= wait / (model.backoff * 2**number) <= 1


def test_it_asks_no_more_when_nobody_wants_the_answer(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(429, retry_after="20"), text("Here I am."))
    request = replace(HELLO, abandoned=Event())
    Timer(0.1, request.abandoned.set).start()
    assert ask(model, request) == []
    assert stub.count == 1


@pytest.mark.parametrize("asked", ["3600", "999999999999", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_it_gives_up_at_once_where_the_server_asks_for_too_long_a_wait(
    stub: StubServer, model: OpenAIModel, asked: str
) -> None:
    stub.queue(refuse(429, retry_after=asked), text("no"))
    _, error = ask_until_it_fails(model)
    assert (error.kind, error.retryable) == ("rate_limited", True)
    assert len(stub.requests) == 1


def test_it_does_not_ask_again_where_the_account_is_empty(stub: StubServer, model: OpenAIModel) -> None:
    stub.queue(refuse(429, code="insufficient_quota"), refuse(402))
    errors = [ask_until_it_fails(model)[1] for _ in range(2)]
    assert [(error.kind, error.retryable) for error in errors] == [("rate_limited", False)] * 2


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "nan"}, None),
    ],
)
def test_it_reads_every_form_of_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(headers) == seconds


def test_it_says_that_nobody_listens(model: OpenAIModel) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    _, error = ask_until_it_fails(OpenAIModel(f"http://127.0.0.1:{port}/v1", "k", "stub", backoff=0.001))
    assert (error.kind, error.retryable) == ("connection", True)


def _in(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
