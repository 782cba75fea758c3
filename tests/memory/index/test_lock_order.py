"""Who writes several rows of the index locks them in the order of their ids, and nobody waits in a circle."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.utils import timezone

from memory import archival, branches, core, index, recall, retrieval
from memory.archival import NewPassage
from memory.models import Conversation, IndexEntry, Message, Passage
from memory.retrieval import Filters
from memory.retrieval.access import accesses
from tests.cast import Person
from tests.memory.archival.filing import file, new_archive
from tests.memory.embedding.embedded import say
from tests.memory.holding import locked_by, unfinished, waits_for_us

Act = Callable[[], object]
TEXTS = ("one zebra", "two zebras", "three zebras", "four zebras", "five zebras")
# So that no order in which the rows were written, or are read by an index, is that of their ids.
ORDER = (2, 0, 4, 1, 3)


def filed(person: Person) -> list[Passage]:
    archive = new_archive(person)
    return [file(person, archive, text) for text in TEXTS]


def an_archive_is_deleted(person: Person) -> Act:
    archive_id = filed(person)[0].archive_id
    return lambda: archival.retire_archive(archive_id)


def an_archive_is_brought_back(person: Person) -> Act:
    archive_id = filed(person)[0].archive_id
    with person.scope():
        archival.retire_archive(archive_id)
    return lambda: archival.retire_archive(archive_id, retired=False)


def passages_are_deleted(person: Person) -> Act:
    ids = [passage.id for passage in filed(person)]
    return lambda: archival.retire_passages(ids[::-1])


def passages_are_erased(person: Person) -> Act:
    ids = [passage.id for passage in filed(person)]
    return lambda: index.forget("passage", ids[::-1])


def passages_are_superseded(person: Person) -> Act:
    ids = [passage.id for passage in filed(person)]
    return lambda: index.supersede("passage", ids[::-1], timezone.now())


def a_chat_is_deleted(person: Person) -> Act:
    chat = say(person, *TEXTS)
    return lambda: recall.delete(chat.id)


def a_chat_is_brought_back(person: Person) -> Act:
    chat = say(person, *TEXTS)
    with person.scope():
        recall.delete(chat.id)
    return lambda: recall.delete(chat.id, deleted=False)


def a_branch_is_left(person: Person) -> Act:
    chat = say(person, *TEXTS)
    return lambda: left(chat)


def left(chat: Conversation) -> None:
    recall.hold(chat.id)
    branches.leave(Message.objects.get(conversation=chat, content=TEXTS[0]).id)


WAYS = (
    an_archive_is_deleted,
    an_archive_is_brought_back,
    passages_are_deleted,
    passages_are_erased,
    passages_are_superseded,
    a_chat_is_deleted,
    a_chat_is_brought_back,
    a_branch_is_left,
)


def with_other_ids(person: Person) -> list[IndexEntry]:
    """A person's rows by their ids, which are others now."""
    ids = sorted(uuid.uuid4() for _ in ORDER)
    with person.scope():
        rows = list(IndexEntry.objects.order_by("record_id"))
        for row, place in zip(rows, ORDER, strict=True):
            IndexEntry.objects.filter(id=row.id).update(id=ids[place])
        return list(IndexEntry.objects.order_by("id"))


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_rows_are_locked_in_the_order_of_their_ids(alice: Person, way: Callable[[Person], Act]) -> None:
    act = way(alice)
    rows = with_other_ids(alice)
    for place, row in enumerate(rows):
        assert locked_by(act, alice, rows, row) == {each.id for each in rows[:place]}


def test_passages_that_are_filed_again_are_locked_in_the_order_of_their_ids(alice: Person) -> None:
    """As deleting many does it; their rows of the index follow."""
    rows = filed(alice)
    archive_id = rows[0].archive_id
    again = [NewPassage(text, ["striped"]) for text in reversed(TEXTS)]
    for place, row in enumerate(rows):
        locked = locked_by(
            lambda: archival.insert_passages(archive_id, again, actor=core.by_me()), alice, rows, row
        )
        assert locked == {each.id for each in rows[:place]}


@pytest.mark.parametrize("way", WAYS[:3], ids=[way.__name__ for way in WAYS[:3]])
def test_who_waited_for_a_row_writes_over_nothing(alice: Person, way: Callable[[Person], Act]) -> None:
    act = way(alice)
    with alice.scope():
        before = list(IndexEntry.objects.order_by("record_id"))
    with ThreadPoolExecutor(1) as elsewhere:
        with alice.scope():
            index.describe("passage", before[2].record_id, importance=0.875)
            doing = waits_for_us(elsewhere, alice, act)
        doing.result(timeout=60)
    with alice.scope():
        after = list(IndexEntry.objects.order_by("record_id"))
    assert [row.importance for row in after] == [0.5, 0.5, 0.875, 0.5, 0.5]
    expected = {"current": "hidden", "hidden": "current"}
    assert [row.state for row in after] == [expected[row.state] for row in before]


def test_what_comes_back_is_what_it_was(alice: Person) -> None:
    chat = say(alice, *TEXTS)
    with alice.scope():
        old = Message.objects.get(conversation=chat, content=TEXTS[0])
        index.supersede("message", [old.id], timezone.now())
        recall.delete(chat.id)
        rows = IndexEntry.objects.order_by("record_id").values_list("state", flat=True)
        assert list(rows.all()) == ["hidden"] * 5
        recall.delete(chat.id, deleted=False)
        assert list(rows.all()) == ["superseded", *["current"] * 4]


def test_counting_accesses_waits_for_nobody(alice: Person) -> None:
    accesses.write()
    held, free = filed(alice)[:2]
    with alice.scope():
        assert len(retrieval.search("zebra zebras", Filters()).hits) == 5
    with unfinished(alice, lambda: archival.retire_passages([held.id])):
        accesses.write()
        assert counted(alice, free) == 1
    assert counted(alice, held) == 0
    with alice.scope():
        assert IndexEntry.objects.get(record_id=held.id).state == "hidden"


def counted(person: Person, passage: Passage) -> int:
    with person.scope():
        return IndexEntry.objects.get(record_id=passage.id).access_count
