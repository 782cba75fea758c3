"""A search says why: which words stand in the text itself and which around it; where only meaning spoke."""

from __future__ import annotations

import uuid

import pytest

from memory.embedding import embed_pending
from memory.models import IndexEntry
from memory.retrieval import Filters, Page, search
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember


def asked(person: Person, query: str, **filters: object) -> Page:
    with person.scope():
        return search(query, Filters(**filters))  # type: ignore[arg-type]


@pytest.fixture
def told(alice: Person) -> Person:
    conversation = new_conversation(alice)
    remember(alice, conversation, "The code of the locker is ZX-4471.")
    remember(alice, conversation, "I run the half marathon in Ghent.")
    return alice


def embed(person: Person) -> None:
    while embed_pending(tenant_id=person.identity.tenant_id, workspace_id=person.personal, limit=100):
        pass


def test_a_word_that_only_a_neighbour_has_counts_as_what_stands_around(told: Person) -> None:
    hits = {hit.text: hit.parts for hit in asked(told, "ZX-4471").hits}
    own, beside = hits["The code of the locker is ZX-4471."], hits["I run the half marathon in Ghent."]
    assert "zx-4471" in own.words
    assert own.lexical is not None
    assert own.lexical > 0
    assert own.context == 0
    assert beside.words == ()
    assert beside.lexical == 0
    assert beside.context is not None
    assert beside.context > 0


def test_a_word_that_both_have_counts_in_both_parts(alice: Person) -> None:
    conversation = new_conversation(alice)
    for text in ("Tea comes from Assam.", "Tea comes from Shizuoka."):
        remember(alice, conversation, text)
    for hit in asked(alice, "tea").hits:
        assert hit.parts.words == ("tea",)
        assert min(hit.parts.lexical or 0, hit.parts.context or 0) > 0
        assert (hit.parts.lexical or 0) + (hit.parts.context or 0) <= 1.000001


def test_it_says_where_words_alone_were_searched_and_where_nothing_has_the_words(told: Person) -> None:
    assert [each.code for each in asked(told, "locker").notices] == ["words_only"]
    assert asked(told, "qwxyzzq").hits == []
    embed(told)
    page = asked(told, "locker")
    assert (page.notices, page.worded) == ([], 2)
    nonsense = asked(told, "qwxyzzq")
    assert [each.code for each in nonsense.notices] == ["meaning_only"]
    assert (nonsense.worded, len(nonsense.hits)) == (0, 2)
    remember(told, new_conversation(told), "Another locker.")
    assert [each.code for each in asked(told, "locker").notices] == ["partly_embedded"]


@pytest.mark.parametrize("before", [uuid.UUID(int=2**128 - 1), uuid.UUID(int=8 << 124)])
def test_a_snapshot_of_the_future_is_one_of_now(told: Person, before: uuid.UUID) -> None:
    assert len(asked(told, "ZX-4471", before=before).hits) == 2
    assert asked(told, "ZX-4471", before=uuid.UUID(int=0)).hits == []


def test_what_a_model_has_read_and_refused_is_not_waited_for(told: Person) -> None:
    embed(told)
    with told.scope():
        rows = IndexEntry.objects.filter(kind="message").order_by("occurred_at")
        first = rows.values_list("id", flat=True)[0]
        IndexEntry.objects.filter(id=first).update(vector=None)
    assert asked(told, "locker").notices == []
    with told.scope():
        IndexEntry.objects.filter(id=first).update(embedded_by="")
    assert [each.code for each in asked(told, "locker").notices] == ["partly_embedded"]
