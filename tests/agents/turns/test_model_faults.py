"""A model that fails: a stated error, message and words kept, and a retry that sends nothing twice."""

import asyncio
from typing import Any

import pytest

from agents import services
from agents.models import Turn
from agents.services import NotRetryable
from tests.agents.llm.stub_behaviours import (
    Behaviour,
    Exchange,
    calls,
    chunk,
    chunks,
    cut,
    hang,
    hang_after,
    raw,
    refuse,
    stop_short,
    text,
)
from tests.agents.stubbed import Stubbed, shown
from tests.cast import send, work

LOOK = ("conversation_search", {"query": "tea"})
FILTERED = chunks(chunk({}, "content_filter"))
FAILURES: list[tuple[list[Behaviour], str, bool]] = [
    ([refuse(429)] * 2, "rate_limited", True),
    ([refuse(500)] * 2, "server", True),
    ([refuse(401)], "refused_key", False),
    ([refuse(404)], "unknown_model", False),
    ([refuse(400, "context_length_exceeded")], "bad_request", False),
    ([hang()], "timeout", True),
    ([cut()] * 2, "connection", True),
    ([text("")] * 2, "empty", True),
    ([text(" \n")] * 2, "empty", True),
    ([FILTERED], "content_filter", True),
    ([raw(b"<html>", content_type="text/html")], "bad_request", False),
]


@pytest.mark.parametrize(("behaviours", "kind", "retryable"), FAILURES)
def test_it_states_the_error_and_keeps_the_message(
    stubbed: Stubbed, behaviours: list[Behaviour], kind: str, retryable: bool
) -> None:
    stubbed.queue(*behaviours)
    events = stubbed.events("I drink tea.")
    error, done = events[-2:]
    assert (error.kind, error.data["kind"], error.data["retryable"]) == ("error", kind, retryable)
    assert (done.kind, done.data["status"]) == ("done", "failed")
    assert [each.content for each in stubbed.messages()] == ["I drink tea."]
    with stubbed.person.scope():
        turn = Turn.objects.get(conversation_id=stubbed.chat.conversation_id)
    assert (turn.status, turn.error_kind) == (Turn.Status.FAILED, kind)
    assert turn.error_text
    step = stubbed.steps(turn)[-1]
    assert (step.error_kind, step.model_name) == (kind, "stub")
    assert not stubbed.server.behaviours


@pytest.mark.parametrize(("behaviours", "kind", "retryable"), FAILURES)
def test_it_answers_when_it_is_tried_again(
    stubbed: Stubbed, behaviours: list[Behaviour], kind: str, retryable: bool
) -> None:
    stubbed.queue(*behaviours)
    failed = stubbed.say("I drink tea.")
    stubbed.queue(text("Tea, I see."))
    assert [event.kind for event in stubbed.retry(failed)][-1] == "done"
    turn = stubbed.fresh(failed)
    assert (turn.status, turn.error_kind) == (Turn.Status.DONE, "")
    assert [each.content for each in stubbed.messages()] == ["I drink tea.", "Tea, I see."]
    said = [each["content"] for each in stubbed.request()["messages"] if each["role"] == "user"]
    assert said == ["I drink tea."]


@pytest.mark.parametrize("broken", [cut("Half a"), stop_short("Half a"), hang_after("Half a")])
def test_it_asks_once_more_where_an_answer_broke_off(stubbed: Stubbed, broken: Behaviour) -> None:
    stubbed.queue(broken, text("A whole answer."))
    events = stubbed.events("Hello.")
    told = [(event.kind, event.data.get("text")) for event in events if event.kind in {"text", "restart"}]
    assert told[0] == ("text", "Half a")
    assert told[1][0] == "restart"
    assert "".join(words or "" for _, words in told[2:]) == "A whole answer."
    turn = last_turn(stubbed)
    assert stubbed.answers(turn) == [("complete", "A whole answer.")]
    assert [bool(step.error_kind) for step in stubbed.steps(turn)] == [True, False]


@pytest.mark.parametrize("second", [cut("Half b"), cut(), refuse(401), text("")])
def test_it_keeps_the_half_that_was_read_where_it_fails_for_good(stubbed: Stubbed, second: Behaviour) -> None:
    stubbed.queue(cut("Half a"), second, second)
    events = stubbed.events("Hello.")
    turn = last_turn(stubbed)
    ((state, content),) = stubbed.answers(turn)
    assert (turn.status, state) == (Turn.Status.FAILED, "interrupted")
    assert content in {"Half a", "Half b"}
    assert shown(events) == content
    assert events[-1].data["messages"] == [str(each.id) for each in stubbed.messages()]


def test_the_model_hears_that_it_was_interrupted(stubbed: Stubbed) -> None:
    stubbed.queue(cut("Half a"), cut("Half b"))
    failed = stubbed.say("Hello.")
    stubbed.queue(text("Whole."))
    stubbed.retry(failed)
    sent = stubbed.request()["messages"][1:-1]
    assert [each["content"] for each in sent] == ["Hello.", "Half b\n[you were interrupted here]"]
    assert stubbed.answers(failed) == [("interrupted", "Half b"), ("complete", "Whole.")]


def test_it_stops_at_the_step_limit_and_counts_anew_when_it_is_tried_again(
    stubbed: Stubbed, settings: Any
) -> None:
    settings.TURN_STEPS = 3
    stubbed.queue(*[calls(LOOK)] * 3)
    failed = stubbed.say("Look for tea.")
    assert (failed.status, failed.error_kind) == (Turn.Status.FAILED, "step_limit")
    assert len(stubbed.results(failed)) == 3
    stubbed.queue(calls(LOOK), text("Nothing."))
    stubbed.retry(failed)
    assert stubbed.fresh(failed).status == Turn.Status.DONE
    assert [step.number for step in stubbed.steps(failed)] == [1, 2, 3, 4, 5]


def test_it_takes_an_answer_of_a_megabyte(stubbed: Stubbed) -> None:
    long = "Good day, 李雷.\n" * 70_000
    stubbed.queue(text(long, chunks=50), calls(("send_message", {"message": long}), chunks=3), text("Yes."))
    for _ in range(2):
        turn = stubbed.say("Say much.")
        assert stubbed.answers(turn) == [("complete", long)]
    assert stubbed.say("Are you there?").status == Turn.Status.DONE
    assert len(stubbed.server.requests[-1].body) < 100_000


def test_a_fault_of_ours_ends_the_turn_and_keeps_the_message(
    stubbed: Stubbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> str:
        raise ZeroDivisionError

    stubbed.queue(calls(LOOK))
    with monkeypatch.context() as patch:
        patch.setattr("agents.tools.catalog.run", broken)
        failed = stubbed.say("Look for tea.")
    assert (failed.status, failed.error_kind) == (Turn.Status.FAILED, "internal")
    assert "was not run" in stubbed.results(failed)[0]
    stubbed.queue(text("Nothing."))
    stubbed.retry(failed)
    roles = [each["role"] for each in stubbed.request()["messages"][1:-1]]
    assert roles == ["user", "assistant", "tool"]
    assert stubbed.fresh(failed).status == Turn.Status.DONE


def test_an_error_of_a_provider_is_stored_whatever_is_in_it(stubbed: Stubbed) -> None:
    async def odd(exchange: Exchange) -> None:
        await exchange.open()
        await exchange.event({"error": {"message": "a\0b \ud83d" + "x" * 10_000, "code": 400}})
        await asyncio.sleep(0)
        await exchange.end()

    stubbed.queue(odd)
    failed = stubbed.say("Hello.")
    assert (failed.status, failed.error_kind) == (Turn.Status.FAILED, "bad_request")


def test_only_the_last_turn_that_did_not_end_well_is_tried_again(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(401), text("Yes."))
    failed, done = stubbed.say("First."), stubbed.say("Second.")
    for turn in (failed, done):
        with pytest.raises(NotRetryable), stubbed.person.scope():
            services.retry_turn(turn.id)


def test_a_turn_that_is_tried_again_twice_runs_once(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(401), text("Yes."))
    failed = stubbed.say("First.")
    for _ in range(2):
        with stubbed.person.scope():
            assert services.retry_turn(failed.id).status == Turn.Status.QUEUED
    work(failed)
    assert work(failed) == []
    assert stubbed.answers(failed) == [("complete", "Yes.")]


def test_a_later_message_is_answered_after_a_turn_that_failed(stubbed: Stubbed) -> None:
    stubbed.queue(cut("Half a"), cut("Half b"), text("Yes."))
    stubbed.say("First.")
    turn = send(stubbed.person, stubbed.chat, "Second.")
    work(turn)
    assert stubbed.answers(turn) == [("complete", "Yes.")]
    roles = [each["role"] for each in stubbed.request()["messages"][1:-1]]
    assert roles == ["user", "assistant", "user"]


def last_turn(stubbed: Stubbed) -> Turn:
    with stubbed.person.scope():
        return Turn.objects.filter(conversation_id=stubbed.chat.conversation_id).latest("id")
