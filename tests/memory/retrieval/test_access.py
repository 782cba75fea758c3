"""When a record was last found is written apart: a search writes nothing, and what it noted is not lost."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.embedding import serving_models
from memory.models import IndexEntry
from memory.retrieval import Filters, search
from memory.retrieval.access import accesses
from tests.cast import Cast, Person
from tests.memory.remembering import new_conversation, remember

WRITES = ("INSERT", "UPDATE", "DELETE")


def entry_of(person: Person) -> IndexEntry:
    with person.scope():
        return IndexEntry.objects.get(kind="message")


def test_a_search_writes_nothing_and_its_hits_are_counted_later(alice: Person) -> None:
    accesses.write()
    serving_models()
    remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope(), CaptureQueriesContext(connection) as queries:
        assert search("tea", Filters()).hits
        search("tea", Filters())
        search("tea", Filters(), record_access=False)
    assert [each["sql"] for each in queries if each["sql"].lstrip().upper().startswith(WRITES)] == []
    assert (entry_of(alice).access_count, entry_of(alice).accessed_at) == (0, None)
    accesses.write()
    found = entry_of(alice)
    assert found.access_count == 2
    assert found.accessed_at is not None
    accesses.write()
    assert entry_of(alice).access_count == 2


def test_counting_touches_no_index(alice: Person) -> None:
    """Such an update stays on its page: it is a heap-only one."""
    remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope():
        search("tea", Filters())
    before = _place(alice)
    accesses.write()
    after = _place(alice)
    assert before != after
    assert before[0] == after[0]


def _place(person: Person) -> tuple[int, int]:
    """Page and row on it where the entry lies."""
    with person.scope(), connection.cursor() as cursor:
        cursor.execute("SELECT ctid::text FROM memory_indexentry WHERE kind = 'message'")
        page, row = cursor.fetchone()[0].strip("()").split(",")
        return int(page), int(row)


def test_it_is_written_in_the_workspace_where_it_was_found_and_nowhere_else(cast: Cast) -> None:
    for person in (cast.alice, cast.charlie):
        remember(person, new_conversation(person), "I drink tea.")
    with cast.alice.scope():
        assert len(search("tea", Filters()).hits) == 1
    accesses.write()
    assert entry_of(cast.alice).access_count == 1
    assert entry_of(cast.charlie).access_count == 0


def test_a_record_that_is_gone_meanwhile_is_no_matter(alice: Person) -> None:
    remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope():
        search("tea", Filters())
        IndexEntry.objects.all().delete()
    accesses.write()
    with alice.scope():
        assert not IndexEntry.objects.exists()
