"""Which turns a page shows as waiting for another, also where they move on while the page is made."""

from __future__ import annotations

from agents.models import Turn
from agents.web.presentation import shown_turns
from tests.cast import Person, new_agent, new_chat, send, work


def test_the_first_of_two_is_live_and_the_second_waits(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turns = [send(alice, chat, "first"), send(alice, chat, "second")]
    with alice.scope():
        assert [shown.is_waiting for shown in shown_turns(turns)] == [False, True]


def test_one_that_ended_since_it_was_read_does_not_wait(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "first")
    work(turn)
    with alice.scope():
        (shown,) = shown_turns([turn])  # as it was read: queued
        assert shown.is_live
        assert not shown.is_waiting


def test_one_that_ended_since_it_was_read_does_not_wait_for_a_later_one(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    first, second = send(alice, chat, "first"), send(alice, chat, "second")
    with alice.scope():
        Turn.objects.filter(id=first.id).update(status=Turn.Status.FAILED)
        assert [shown.is_waiting for shown in shown_turns([first, second])] == [False, False]


def test_one_that_waits_for_another_stands_at_no_fork(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    done = send(alice, chat, "first")
    work(done)
    waiting = [send(alice, chat, words) for words in ("second", "third", "fourth")]
    with alice.scope():
        turns = list(Turn.objects.select_related("message").order_by("id"))
        assert [turn.id for turn in turns] == [done.id, *(turn.id for turn in waiting)]
        assert [shown.question_fork for shown in shown_turns(turns)] == [None] * 4
