"""An archive that comes or goes, and a passage that is changed at the same moment, wait for each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory import archival, core
from memory.models import IndexEntry, Passage
from tests.cast import Person
from tests.memory.archival.filing import file, new_archive
from tests.memory.holding import waits_for_us
from tests.memory.searching import found

Act = Callable[[Passage], object]


def deleted(passage: Passage) -> object:
    return archival.retire_passages([passage.id])


def corrected(passage: Passage) -> object:
    return archival.correct_passage(
        passage.id, "two zebras", actor=core.by_me(), expected_version=passage.version
    )


def state_of(person: Person, text: str) -> str:
    with person.scope():
        passage = Passage.objects.get(content=text)
        return IndexEntry.objects.get(record_id=passage.id).state


def meanwhile(person: Person, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """We do something, and before it is committed somebody does something else, who has to wait."""
    with ThreadPoolExecutor(1) as elsewhere:
        with person.scope():
            ours()
            doing = waits_for_us(elsewhere, person, theirs)
        doing.result(timeout=60)


def test_a_passage_that_is_deleted_while_its_archive_comes_back_stays_deleted(alice: Person) -> None:
    passage = file(alice, new_archive(alice), "one zebra")
    assert found(alice, "zebra") == ["one zebra"]
    with alice.scope():
        archival.retire_archive(passage.archive_id)

    meanwhile(
        alice,
        lambda: archival.retire_archive(passage.archive_id, retired=False),
        lambda: deleted(passage),
    )

    assert state_of(alice, "one zebra") == "hidden"
    assert found(alice, "zebra") == []


@pytest.mark.parametrize("change", [deleted, corrected])
def test_an_archive_waits_for_who_changes_a_passage_of_it(alice: Person, change: Act) -> None:
    passage = file(alice, new_archive(alice), "one zebra")

    meanwhile(alice, lambda: change(passage), lambda: archival.retire_archive(passage.archive_id))

    assert found(alice, "zebra") == []
    assert found(alice, "zebra", states=("current", "superseded")) == []


def test_a_correction_of_what_was_deleted_meanwhile_is_found_nowhere(alice: Person) -> None:
    passage = file(alice, new_archive(alice), "one zebra")

    meanwhile(alice, lambda: archival.retire_archive(passage.archive_id), lambda: corrected(passage))

    assert state_of(alice, "two zebras") == "hidden"
    assert found(alice, "zebra") == []
