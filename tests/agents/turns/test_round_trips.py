"""A turn makes so many round trips and no more: every chat pays for each of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from agents.turns import work as work_of_a_turn
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.cast import send, work

RECEIVE, ONE_STEP, TWO_STEPS = 15, 53, 96
"""The second of two steps is sent a block that has changed, and one statement keeps its text: the inspector
shows what was sent. What the step before was sent is read along with the agent. A chat is locked before a
turn of it is claimed."""
NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine does not count: nothing is flushed or renewed because time has passed."""
    monkeypatch.setattr(work_of_a_turn, "FLUSH_SECONDS", 60)
    monkeypatch.setattr(work_of_a_turn, "BEAT_SECONDS", 60)


@contextmanager
def at_most(number: int) -> Iterator[None]:
    """Statements, BEGIN and COMMIT of this process inside the block."""
    connection.queries_log.clear()
    connection.force_debug_cursor = True
    try:
        yield
    finally:
        connection.force_debug_cursor = False
    made = [each["sql"][:120] for each in connection.queries_log]
    assert len(made) <= number, "\n".join([f"{len(made)} round trips:", *made])


def test_a_turn_of_one_step(stubbed: Stubbed) -> None:
    stubbed.queue(text("Hello."), text("Hello."))
    stubbed.say("Hello.")
    with at_most(RECEIVE):
        turn = send(stubbed.person, stubbed.chat, "Hello again.")
    with at_most(ONE_STEP):
        work(turn)


def test_a_turn_that_writes_memory(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Noted."), calls(NOTE), text("Noted."))
    stubbed.say("Hello.")
    turn = send(stubbed.person, stubbed.chat, "I drink tea.")
    with at_most(TWO_STEPS):
        work(turn)
