"""Pages of one search fit together: nothing twice, nothing left out, whatever is written in between."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from memory import archival, core
from memory.archival import NewPassage
from memory.models import Archive
from memory.retrieval import Filters, search, snapshot
from memory.retrieval.access import accesses
from tests.api_calls import everything
from tests.cast import Person

SIZE = 30


def file(person: Person, archive: Archive, texts: list[str]) -> None:
    with person.scope():
        archival.insert_passages(archive, [NewPassage(text) for text in texts], actor=core.by_me())


@pytest.fixture
def archive(alice: Person) -> Archive:
    with alice.scope():
        made = archival.create_archive(workspace_id=alice.personal, name="notes")
    file(alice, made, [f"tea of garden {name}" for name in names(250)])
    return made


def names(count: int) -> list[str]:
    """Words that no two texts share, so that none of them says what another one says."""
    return [
        f"{uuid.UUID(int=number * 7919 + 1).hex[-6:]}x plot{number}y row{number}z" for number in range(count)
    ]


def pages(person: Person, query: str, filters: Filters) -> list[list[uuid.UUID]]:
    with person.scope():
        found = []
        for offset in range(0, 1000, SIZE):
            found.append([hit.id for hit in search(query, filters, limit=SIZE, offset=offset).hits])
            if len(found[-1]) < SIZE:
                return found
        raise AssertionError("it does not end")


@pytest.mark.parametrize("query", ["tea garden", ""])
def test_pages_hold_everything_once_and_end(alice: Person, archive: Archive, query: str) -> None:
    found = [each for page in pages(alice, query, Filters(before=snapshot())) for each in page]
    assert len(found) == len(set(found)) == 250


def test_the_same_page_is_the_same_again(alice: Person, archive: Archive) -> None:
    filters = Filters(before=snapshot())
    assert pages(alice, "tea garden", filters) == pages(alice, "tea garden", filters)


def test_what_is_written_between_two_pages_moves_nothing(alice: Person, archive: Archive) -> None:
    filters = Filters(before=snapshot())
    with alice.scope():
        first = [hit.id for hit in search("tea garden", filters, limit=SIZE).hits]
    file(alice, archive, [f"tea garden tea garden {number}" for number in range(5)])
    with alice.scope():
        again = [hit.id for hit in search("tea garden", filters, limit=SIZE).hits]
        second = [hit.id for hit in search("tea garden", filters, limit=SIZE, offset=SIZE).hits]
        fresh = [hit.text for hit in search("tea garden", Filters(), limit=SIZE).hits]
    assert any(text.startswith("tea garden tea garden") for text in fresh)
    assert again == first
    assert not set(first) & set(second)


def test_looking_at_a_page_does_not_reorder_the_next(alice: Person, archive: Archive) -> None:
    """What was found is used more recently than the rest, but the search speaks of one moment."""
    filters = Filters(before=snapshot())
    before = pages(alice, "tea garden", filters)
    with alice.scope():
        search("tea garden", filters, limit=SIZE)
    assert accesses.waiting() > 0
    accesses.write()
    assert pages(alice, "tea garden", filters) == before


def test_the_count_is_that_of_all_that_has_any_of_the_words(alice: Person, archive: Archive) -> None:
    with alice.scope():
        assert search("tea", Filters()).total == 250
        assert search("plot7y", Filters()).total == 1
        assert search("", Filters()).total == 250


def file_rents(person: Person, count: int) -> Archive:
    """An archive in which every second passage, by time, says the same as the others of its sort."""
    start = datetime(2025, 1, 1, tzinfo=UTC)
    paid = [
        NewPassage("Paid the rent", occurred_at=start + timedelta(hours=2 * number))
        for number in range(count)
    ]
    notes = [
        NewPassage(f"A note on rent {name}", occurred_at=start + timedelta(hours=2 * number + 1))
        for number, name in enumerate(names(count))
    ]
    with person.scope():
        made = archival.create_archive(workspace_id=person.personal, name="rent")
        archival.insert_passages(made, [*paid, *notes], actor=core.by_me())
    return made


def test_a_list_without_words_shows_each_of_those_that_read_alike(alice: Person) -> None:
    rents = file_rents(alice, 12)
    listed = everything(alice, f"search/?archive={rents.id}&limit=5")
    assert len(listed) == len({hit["id"] for hit in listed}) == 24
    with alice.scope():
        (one,) = search("Paid the rent", Filters(containers=[rents.id]), limit=1).hits
    assert len(one.duplicates) == 11


def test_pages_behind_the_ranked_ones_show_each_once(alice: Person) -> None:
    file_rents(alice, 120)
    ids = [hit["id"] for hit in everything(alice, "search/?q=rent&limit=7")]
    assert len(ids) == len(set(ids)) > 120
