"""A person stops a turn: at once, whatever the model does, and what was said is kept."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from agents import services
from agents.events import Event
from agents.models import Turn, TurnEvent
from agents.turns import points
from memory.models import Message
from tests.agents.llm.stub_behaviours import calls, hang, hang_after, refuse, text
from tests.agents.mortal import until
from tests.agents.stubbed import Stubbed, shown
from tests.cast import Person, send, work


@contextmanager
def working(turn: Turn) -> Iterator[list[Event]]:
    """A turn's work in another thread; its events when that is over."""
    events: list[Event] = []

    def run() -> None:
        try:
            events.extend(work(turn))
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    yield events
    thread.join(timeout=120)
    assert not thread.is_alive()


def stop(person: Person, turn: Turn) -> Turn:
    with person.scope():
        return services.stop_turn(turn.id)


@pytest.fixture
def patient(stubbed: Stubbed, settings: object) -> Stubbed:
    """The model's client would wait for minutes."""
    settings.MODEL_CALLS = {"timeout": 120.0, "backoff": 60.0}  # type: ignore[attr-defined]
    return stubbed


def test_it_stops_before_the_first_token(patient: Stubbed) -> None:
    patient.queue(hang())
    turn = send(patient.person, patient.chat, "Hello.")
    with working(turn) as events:
        patient.server.wait_for_requests(1)
        stop(patient.person, turn)
    assert (events[-1].kind, events[-1].data["status"]) == ("done", "stopped")
    assert [each.content for each in patient.messages()] == ["Hello."]
    assert [step.finish_reason for step in patient.steps(turn)] == ["stopped"]


def test_it_keeps_what_was_said(patient: Stubbed) -> None:
    patient.queue(hang_after("Half a sentence"))
    turn = send(patient.person, patient.chat, "Hello.")
    with working(turn) as events:
        wait_for_text(patient, turn)
        stop(patient.person, turn)
    assert patient.answers(turn) == [("stopped", "Half a sentence")]
    assert shown(events) == "Half a sentence"
    assert patient.fresh(turn).status == Turn.Status.STOPPED


def wait_for_text(stubbed: Stubbed, turn: Turn) -> None:
    def has_come() -> bool:
        with stubbed.person.scope():
            return TurnEvent.objects.filter(turn=turn, kind="text").exists()

    until(has_come)


def test_it_asks_the_provider_no_more_after_a_stop(patient: Stubbed) -> None:
    patient.queue(refuse(429), text("Too late."))
    turn = send(patient.person, patient.chat, "Hello.")
    before = set(threading.enumerate())
    with working(turn):
        patient.server.wait_for_requests(1)
        stop(patient.person, turn)
    for thread in set(threading.enumerate()) - before:
        if thread.name == "model":
            thread.join(timeout=60)
            assert not thread.is_alive()
    assert patient.server.count == 1


def test_it_hangs_up_on_a_model_that_speaks_on(patient: Stubbed) -> None:
    patient.queue(text("word " * 2000, chunks=2000, pause=0.01))
    turn = send(patient.person, patient.chat, "Hello.")
    with working(turn):
        wait_for_text(patient, turn)
        stop(patient.person, turn)
    patient.server.wait_for_disconnects()
    ((state, content),) = patient.answers(turn)
    assert state == "stopped"
    assert 0 < len(content) < 10_000


def test_it_runs_the_tools_of_the_last_answer_and_asks_no_more(patient: Stubbed) -> None:
    note = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
    patient.queue(calls(note))
    turn = send(patient.person, patient.chat, "I drink tea.")
    stopped = False

    def stop_at_the_tool(point: str) -> None:
        nonlocal stopped
        if point == "tool-committed" and not stopped:
            stopped = True
            stop(patient.person, turn)

    points.watch(stop_at_the_tool)
    try:
        work(turn)
    finally:
        points._watch.remove(stop_at_the_tool)
    assert patient.fresh(turn).status == Turn.Status.STOPPED
    assert len(patient.results(turn)) == 1
    assert patient.server.count == 1


def test_it_ends_a_turn_that_waits_at_once(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."))
    first, second = (send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second."))
    assert stop(stubbed.person, second).status == Turn.Status.STOPPED
    work(first)
    assert work(second) == []
    assert stubbed.server.count == 1
    assert stubbed.fresh(first).status == Turn.Status.DONE


def test_a_message_stopped_while_it_waited_keeps_its_place(stubbed: Stubbed) -> None:
    stubbed.queue(text("To the first."), text("To the third."))
    first, second, third = (
        send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second.", "Third.")
    )
    stop(stubbed.person, second)
    for turn in (first, second, third):
        work(turn)
    assert [each.content for each in stubbed.messages()] == [
        "First.",
        "To the first.",
        "Second.",
        "Third.",
        "To the third.",
    ]
    with stubbed.person.scope():
        assert not Message.objects.filter(
            conversation_id=stubbed.chat.conversation_id, position=None
        ).exists()


def test_a_turn_stopped_while_it_waited_can_be_tried_again(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."))
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    stop(stubbed.person, turn)
    stubbed.retry(turn)
    assert [each.content for each in stubbed.messages()] == ["Hello.", "Yes."]


def test_it_is_harmless_to_stop_what_has_ended_or_was_stopped(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."), text("No."))
    turn = stubbed.say("Hello.")
    assert stop(stubbed.person, turn).status == Turn.Status.DONE
    again = send(stubbed.person, stubbed.chat, "Again.")
    assert stop(stubbed.person, again).status == Turn.Status.STOPPED
    assert stop(stubbed.person, again).status == Turn.Status.STOPPED
    assert stubbed.fresh(turn).status == Turn.Status.DONE


def test_the_model_hears_that_it_was_stopped(patient: Stubbed) -> None:
    patient.queue(hang_after("Half a sentence"), text("Yes."))
    turn = send(patient.person, patient.chat, "Hello.")
    with working(turn):
        wait_for_text(patient, turn)
        stop(patient.person, turn)
    patient.say("Go on.")
    sent = [each["content"] for each in patient.request()["messages"][1:-1]]
    assert sent == ["Hello.", "Half a sentence\n[the person stopped you here]", "Go on."]
