"""The tasks behind it carry ids, and beat runs the sweep."""

from collections.abc import Iterator

import pytest

from agents import tasks
from memory.models import Summary
from memsite.celery import app
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed
from tests.agents.summarising.chats import GOOD, current, fresh, full_chat
from tests.cast import Person


@pytest.fixture
def chat(alice: Person, impatient: None) -> Iterator[Stubbed]:
    """A chat whose queue is full."""
    with StubServer() as server:
        yield full_chat(alice, server)


def test_one_makes_a_summary_and_one_mends_it(chat: Stubbed) -> None:
    chat.queue(refuse(401))
    tasks.summarise(str(chat.chat.tenant_id), str(chat.chat.workspace_id), str(chat.chat.id))
    old = current(chat)
    assert old.fault == "refused_key"
    with chat.person.scope():
        Summary.objects.filter(id=old.id).update(mend_at=old.created_at)
    chat.queue(text(GOOD))
    tasks.mend_summary(str(old.tenant_id), str(old.workspace_id), str(old.id))
    assert current(chat).replaces_id == old.id
    assert fresh(chat, old).mend_at is None


def test_they_say_nothing_where_somebody_else_was_faster(chat: Stubbed) -> None:
    chat.queue(text(GOOD))
    ids = (str(chat.chat.tenant_id), str(chat.chat.workspace_id), str(chat.chat.id))
    tasks.summarise(*ids)
    made = current(chat)
    tasks.summarise(*ids)
    tasks.mend_summary(str(made.tenant_id), str(made.workspace_id), str(made.id))
    assert current(chat).id == made.id
    assert len(chat.server.requests) == 1


def test_beat_looks_for_what_the_broker_lost() -> None:
    planned = {each["task"] for each in app.conf.beat_schedule.values()}
    assert tasks.sweep_summaries.name in planned
