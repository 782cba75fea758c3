"""What was looked up before a step: by score, as it stands now."""

from __future__ import annotations

import uuid
from typing import Any

from agents.inspector.searches import searches_before, searches_of
from memory import archival
from memory.models import Message, Passage
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import make_stubbed
from tests.cast import Person

FILE = calls(("archival_memory_insert", {"content": "Green tea is kept in the blue tin."}))
LOOK = calls(("archival_memory_search", {"query": "tea"}))


def scores(person: Person, *found: tuple[float, dict[str, float]]) -> list[float]:
    """The scores of a search that found this, in the order in which they are told."""
    hits: list[Any] = [
        {"kind": "passage", "id": str(uuid.UUID(int=n)), "score": score, "parts": parts, "is_shown": True}
        for n, (score, parts) in enumerate(found, start=1)
    ]
    with person.scope():
        (search,) = searches_of([Message(id=uuid.UUID(int=9), detail={"query": "tea", "hits": hits})])
    return [each.score for each in search.found]


def test_the_best_come_first_also_where_what_contradicts_stood_beside(alice: Person) -> None:
    assert scores(alice, (0.9, {}), (0.4, {}), (0.44, {})) == [0.9, 0.44, 0.4]


def test_what_a_second_stage_has_put_in_order_stays_so(alice: Person) -> None:
    assert scores(alice, (0.4, {"rerank": 1.0}), (0.9, {"rerank": 0.2})) == [0.4, 0.9]


def test_a_passage_that_was_deleted_since_is_marked(alice: Person) -> None:
    with StubServer(FILE, text("Filed."), LOOK, text("In the tin.")) as server:
        chat = make_stubbed(alice, server)
        chat.say("File that tea is in the tin.")
        step = chat.steps(chat.say("Where is the tea?"))[-1]
    where = f"/w/{alice.personal}/c/{chat.chat.conversation_id}/context/?step={step.id}"
    mark = '<span class="tag error">deleted</span>'
    with alice.scope():
        (search,) = searches_before(step)
        assert [each.is_deleted for each in search.found] == [False]
    assert mark not in alice.browser.get(where).content.decode()
    with alice.scope():
        archival.retire_passages([Passage.objects.get(content__startswith="Green tea").id])
        (search,) = searches_before(step)
    assert [(each.text, each.is_deleted) for each in search.found] == [
        ("Green tea is kept in the blue tin.", True)
    ]
    assert mark in alice.browser.get(where).content.decode()
