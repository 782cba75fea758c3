"""The inspector's pages ask the database as often for fifty steps as for five."""

from __future__ import annotations

import copy
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.inspector import timeline as timelines
from agents.inspector.timeline import timeline
from agents.models import MainContext, Step
from tenants.ids import uuid7
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person

LOOK = calls(("archival_memory_search", {"query": "tea"}))
PAGES = ("", "timeline/", "compare/")
MOST = 40


@pytest.fixture
def chat(alice: Person) -> Stubbed:
    file = calls(("archival_memory_insert", {"content": "Green tea is kept in the blue tin."}))
    with StubServer(file, text("Filed."), LOOK, text("In the tin.")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("File that tea is in the tin.")
        stubbed.say("Where is the tea?")
        return stubbed


def lengthen(chat: Stubbed, steps: int) -> list[Step]:
    """The last step of a chat again and again: all its steps, oldest first."""
    with chat.person.scope():
        rows = Step.objects.filter(turn__conversation_id=chat.chat.conversation_id).order_by("id")
        last = rows.last()
        assert last is not None
        for number in range(steps - rows.count()):
            more = copy.copy(last)
            more.pk, more._state.adding = uuid7(), True
            more.number = last.number + number + 1
            more.created_at = last.created_at + timedelta(seconds=number + 1)
            more.save()
        return list(rows.all())


def queries(chat: Stubbed, rest: str) -> int:
    where = f"/w/{chat.person.personal}/c/{chat.chat.conversation_id}/context/{rest}"
    with CaptureQueriesContext(connection) as made:
        answer = chat.person.browser.get(where)
    assert answer.status_code == 200
    return len(made)


def test_fifty_steps_cost_as_many_queries_as_five(chat: Stubbed) -> None:
    five = lengthen(chat, 5)
    pages = (*PAGES, f"?step={five[-2].id}", f"timeline/?step={five[-2].id}")
    for page in pages:
        queries(chat, page)  # what is read once for a process
    few = {page: queries(chat, page) for page in pages}
    lengthen(chat, 50)
    many = {page: queries(chat, page) for page in pages}
    assert many == few
    assert max(few.values()) <= MOST
    # Some for each record that has the words, at most eight.
    assert queries(chat, "why/?q=tea&record=tea") <= MOST


def test_a_long_chat_is_shown_four_hundred_steps_at_a_time(
    chat: Stubbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timelines, "STEPS_MOST", 3)
    steps = lengthen(chat, 8)
    with chat.person.scope():
        context = MainContext.objects.get(id=chat.chat.id)
        last, older, first = (timeline(context, key) for key in (None, steps[4].id, steps[0].id))
        same = timeline(context, steps[6].id)
    assert [each.step_id for each in last.moments] == [step.id for step in steps[5:]]
    assert (last.earlier, last.later, last.before) == (5, 0, steps[4].id)
    assert [each.step_id for each in older.moments] == [step.id for step in steps[2:5]]
    assert (older.earlier, older.later, older.before) == (2, 3, steps[1].id)
    assert ([each.step_id for each in first.moments], first.before, first.later) == ([steps[0].id], None, 7)
    assert same == last
    where = f"/w/{chat.person.personal}/c/{chat.chat.conversation_id}/context/timeline/?step={steps[3].id}"
    page = chat.person.browser.get(where).content.decode()
    assert "Step <span data-place>4</span> of 8" in page
    assert "1 earlier step" in page
    assert "The last steps" in page
