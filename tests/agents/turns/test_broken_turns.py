"""A turn that breaks whoever takes it up is tried three times, and then ends in a stated way."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connections

from agents.following import read_now
from agents.models import Turn
from agents.turns import lease
from tenants.scope import RowKey
from tests.agents.llm.stub_behaviours import text
from tests.agents.stubbed import Stubbed
from tests.agents.turns.test_lease import expire
from tests.cast import send, work

# "Program limit exceeded": what a text that is too long for an index is refused with, an OperationalError.
TOO_LONG = "54000"
# No row of this one turn can be written any more, for a reason that lies in the data.
REFUSE = """
CREATE OR REPLACE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'this row cannot be written' USING ERRCODE = '{state}'; END $$;
CREATE TRIGGER refuse_row BEFORE {event} ON {table} FOR EACH ROW WHEN ({which}) EXECUTE FUNCTION refuse_row();
"""


@contextmanager
def refusing(event: str, table: str, which: str, state: str = "P0001") -> Iterator[None]:
    """The database refuses some rows until the end of the block."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(REFUSE.format(event=event, table=table, which=which, state=state))
        try:
            yield
        finally:
            cursor.execute(f"DROP TRIGGER refuse_row ON {table}")


def unplaceable(turn: Turn) -> str:
    return f"OLD.id = '{turn.message_id}'"


@pytest.mark.parametrize("state", ["P0001", TOO_LONG])
def test_one_that_cannot_be_claimed_ends_as_failed(stubbed: Stubbed, state: str) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    with refusing("UPDATE", "memory_message", unplaceable(turn), state):
        for number in (1, 2):
            assert work(turn) == []
            tried = stubbed.fresh(turn)
            assert (tried.status, tried.attempt) == (Turn.Status.QUEUED, number)
        assert work(turn) == []
        ended = stubbed.fresh(turn)
        assert (ended.status, ended.error_kind) == (Turn.Status.FAILED, "internal")
        assert work(turn) == []
    told = read_now(stubbed.person.identity, turn.id, 0)
    assert [event.kind for event in told[-2:]] == ["error", "done"]
    assert ended.message.content == "Hello."
    stubbed.queue(text("Here I am."))
    stubbed.retry(turn)
    assert stubbed.answers(turn) == [("complete", "Here I am.")]


def test_what_is_sent_after_it_is_answered(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    later = send(stubbed.person, stubbed.chat, "Are you there?")
    with refusing("UPDATE", "memory_message", unplaceable(turn)):
        for _ in range(3):
            work(turn)
        stubbed.queue(text("Yes."))
        work(later)
    assert stubbed.answers(later) == [("complete", "Yes.")]


@pytest.mark.parametrize("state", ["57P01", "40P01", "53300"])
def test_the_databases_own_faults_do_not_count(stubbed: Stubbed, state: str) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    with refusing("UPDATE", "memory_message", unplaceable(turn), state):
        for _ in range(5):
            with pytest.raises(OperationalError):
                work(turn)
    assert (stubbed.fresh(turn).status, stubbed.fresh(turn).attempt) == (Turn.Status.QUEUED, 0)
    stubbed.queue(text("Here I am."))
    work(turn)
    assert stubbed.fresh(turn).status == Turn.Status.DONE


def test_one_that_cannot_be_read_ends_though_nobody_can_be_told(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    with refusing("INSERT", "agents_turnevent", f"NEW.turn_id = '{turn.id}'"):
        for number in (1, 2):
            assert work(turn) == []
            assert stubbed.fresh(turn).attempt == number
            assert work(turn) == []  # its lease is not over
            expire(stubbed, turn)
        with pytest.raises(Exception, match="this row cannot be written"):
            work(turn)
    assert stubbed.fresh(turn).status == Turn.Status.FAILED
    assert read_now(stubbed.person.identity, turn.id, 0)[-1].kind == "done"
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT turn FROM turns_left_alone('0 seconds')")
        assert turn.id not in [found for (found,) in cursor.fetchall()]


def test_another_turn_that_runs_is_no_fault_of_this_one(stubbed: Stubbed) -> None:
    first, second = (send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second."))
    assert lease.claim(RowKey(first.tenant_id, first.workspace_id, first.id)) is not None
    for _ in range(4):
        assert work(second) == []
    assert (stubbed.fresh(second).status, stubbed.fresh(second).attempt) == (Turn.Status.QUEUED, 0)
