"""Who locks a chat and a turn of it locks the chat first, whatever is done; so nobody waits in a circle."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from agents import branching, chats, services
from agents.models import Turn
from agents.turns import approvals
from memory import recall
from tests.agents.asking import decide, waiting
from tests.agents.llm.stub_behaviours import calls, refuse, text
from tests.agents.locking import CHAT, TURN, locks_noted
from tests.agents.mortal import until
from tests.agents.ruled import FILE, NOTE, of, rule
from tests.agents.stubbed import Stubbed
from tests.cast import send, work


def answered(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Noted."))
    stubbed.say("I drink tea.")


def failed_and_tried_again(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(400), text("Hello."))
    stubbed.retry(stubbed.say("Hello."))


def failed_and_asked_again(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(400), text("Hello."))
    stubbed.answer_again(stubbed.say("Hello."))


def edited_and_taken_up_again(stubbed: Stubbed) -> None:
    stubbed.queue(text("Hello."), text("Good morning."))
    turn = stubbed.say("Hello.")
    stubbed.edit(turn, "Good morning.")
    stubbed.switch(turn)


def stopped_while_it_waits_for_a_yes(stubbed: Stubbed) -> None:
    turn = asked(stubbed)
    with stubbed.person.scope():
        services.stop_turn(turn.id)


def decided(stubbed: Stubbed) -> None:
    turn = asked(stubbed)
    decide(stubbed.person, approvals.approve, waiting(stubbed, turn)[0])
    work(turn)


def deleted(stubbed: Stubbed) -> None:
    asked(stubbed)
    with stubbed.person.scope():
        chats.delete_chat(stubbed.chat.conversation_id)


def asked(stubbed: Stubbed) -> Turn:
    rule(stubbed, of("requires_approval", FILE[0]))
    stubbed.queue(calls(NOTE, FILE), text("Filed."))
    return stubbed.say("Tea is at four.")


WAYS = (
    answered,
    failed_and_tried_again,
    failed_and_asked_again,
    edited_and_taken_up_again,
    stopped_while_it_waits_for_a_yes,
    decided,
    deleted,
)


@pytest.mark.parametrize("way", WAYS)
def test_the_chat_is_locked_before_the_turn(stubbed: Stubbed, way: Callable[[Stubbed], None]) -> None:
    with locks_noted() as noted:
        way(stubbed)
    both = [order for order in noted.values() if {CHAT, TURN} <= set(order)]
    assert both
    assert [order for order in both if order[0] != CHAT] == []


def test_two_tabs_that_ask_again_wait_for_each_other(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(400), text("Hello."))
    turn = stubbed.say("Hello.")

    def other_tab() -> int:
        with stubbed.person.scope():
            services.retry_turn(turn.id)
        connection.close()
        return 1

    with ThreadPoolExecutor(1) as pool:
        with stubbed.person.scope():
            recall.hold(turn.conversation_id)
            other = pool.submit(other_tab)
            until(_somebody_waits)
            made = branching.answer_again(turn.id).turn
        assert other.result(timeout=60)
    assert (made.id, stubbed.fresh(turn).status) == (turn.id, Turn.Status.QUEUED)


def _somebody_waits() -> bool:
    """Whether another session waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks "
            "WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])


def test_a_message_that_comes_as_its_chat_is_deleted_is_not_answered(stubbed: Stubbed) -> None:
    """It is stored after whoever deletes has looked for what still runs."""
    stubbed.queue(calls(NOTE), text("Noted."), text("Noted."))
    late = send(stubbed.person, stubbed.chat, "I drink tea.")
    with stubbed.person.scope():
        recall.delete(stubbed.chat.conversation_id)
    work(late)
    assert stubbed.fresh(late).status == Turn.Status.STOPPED
    assert stubbed.server.requests == []
    with stubbed.person.scope():
        recall.delete(stubbed.chat.conversation_id, deleted=False)
    assert stubbed.say("I drink tea.").status == Turn.Status.DONE


def test_what_waits_for_a_yes_does_not_go_on_in_a_deleted_chat(stubbed: Stubbed) -> None:
    turn = asked(stubbed)
    (approval,) = waiting(stubbed, turn)
    decide(stubbed.person, approvals.approve, approval)
    before = len(stubbed.server.requests)
    with stubbed.person.scope():
        recall.delete(stubbed.chat.conversation_id)
    work(turn)
    assert stubbed.fresh(turn).status == Turn.Status.STOPPED
    assert len(stubbed.server.requests) == before
    assert "not run" in stubbed.results(turn)[-1]
