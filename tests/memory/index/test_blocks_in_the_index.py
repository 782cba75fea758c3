"""Core memory is found as it is now; what left it is found as what once stood there."""

from __future__ import annotations

import pytest

from memory import core, moving
from memory.models import Block, IndexEntry
from memory.operations import Append, Replace, Rethink
from memory.retrieval import Filters, search
from memory.retrieval.records import Hit
from tests.cast import Cast, Person
from tests.memory.remembering import new_block, operate
from tests.memory.searching import found

EVER = ["current", "superseded"]


def hits(person: Person, query: str, *states: str) -> list[Hit]:
    with person.scope():
        return search(query, Filters(kinds=["block"], states=states or ["current"])).hits


@pytest.fixture
def block(alice: Person) -> Block:
    return new_block(alice, "Lives in Ghent.\nDrinks tea.", description="about Alice")


def test_an_edit_is_found_by_its_new_text_and_no_longer_by_the_old(alice: Person, block: Block) -> None:
    assert [hit.text for hit in hits(alice, "Ghent")] == ["Lives in Ghent.\nDrinks tea."]
    operate(alice, block, Replace("Ghent", "Brussels"))
    assert [hit.text for hit in hits(alice, "Brussels")] == ["Lives in Brussels.\nDrinks tea."]
    assert hits(alice, "Ghent") == []


def test_lines_that_left_are_found_as_history_with_the_days_they_stood(alice: Person, block: Block) -> None:
    operate(alice, block, Replace("Ghent", "Brussels"))
    (old,) = hits(alice, "Ghent", "superseded")
    assert (old.text, old.number, old.is_current, old.title) == ("Lives in Ghent.", 1, False, "human")
    assert old.valid_to is not None
    assert old.occurred_at < old.valid_to
    (now,) = hits(alice, "Brussels", *EVER)
    assert (now.number, now.is_current, now.valid_to) == (2, True, None)


def test_versions_from_which_nothing_left_leave_nothing(alice: Person, block: Block) -> None:
    for number in range(5):
        operate(alice, block, Append(f"Line {number}."))
    with alice.scope():
        assert IndexEntry.objects.filter(kind="block").count() == 1
    (hit,) = hits(alice, "tea", *EVER)
    assert hit.number == 6


def test_a_text_that_came_back_is_current_again(alice: Person, block: Block) -> None:
    operate(alice, block, Rethink("Nothing is known."))
    assert hits(alice, "Ghent") == []
    with alice.scope():
        core.restore(block.id, 1, actor=core.by_me())
    assert [hit.number for hit in hits(alice, "Ghent")] == [3]
    assert {hit.number for hit in hits(alice, "Ghent", *EVER)} == {1, 3}


def test_a_deleted_block_is_not_found_until_it_is_brought_back(alice: Person, block: Block) -> None:
    operate(alice, block, Replace("Ghent", "Brussels"))
    with alice.scope():
        core.delete_block(block.id)
    for query in ("Ghent", "Brussels", ""):
        assert hits(alice, query, *EVER) == []
    with alice.scope():
        core.bring_back(block.id)
    assert [hit.is_current for hit in hits(alice, "Brussels")] == [True]
    assert [hit.is_current for hit in hits(alice, "Ghent", "superseded")] == [False]


def test_a_moved_block_is_found_where_it_lies_now(cast: Cast) -> None:
    cast.let_bob_in()
    block = new_block(cast.alice, "Lives in Ghent.")
    operate(cast.alice, block, Rethink("Lives in Brussels."))
    assert found(cast.bob, "Brussels") == []
    with cast.alice.scope():
        moving.move_block(block.id, cast.team)
    assert found(cast.bob, "Brussels") == ["Lives in Brussels."]
    assert found(cast.bob, "Ghent", states=EVER) == ["Lives in Ghent."]
    assert found(cast.alice, "Brussels", workspaces=[cast.alice.personal]) == []


def test_nobody_elses_blocks_are_found(cast: Cast) -> None:
    new_block(cast.alice, "Lives in Ghent.")
    assert found(cast.alice, "Ghent") == ["Lives in Ghent."]
    assert found(cast.bob, "Ghent") == found(cast.charlie, "Ghent") == []


def test_an_empty_block_is_not_found_until_something_stands_in_it(alice: Person) -> None:
    block = new_block(alice, "Drinks tea.", label="habits")
    assert [hit.text for hit in hits(alice, "habits")] == ["Drinks tea."]
    operate(alice, block, Rethink(""))
    assert hits(alice, "habits") == []
    assert [hit.text for hit in hits(alice, "habits", *EVER)] == ["Drinks tea."]
    empty = new_block(alice, "", label="human")
    with alice.scope():
        assert not IndexEntry.objects.filter(container_id=empty.id).exists()
    operate(alice, empty, Append("Lives in Ghent."))
    assert [hit.text for hit in hits(alice, "human")] == ["Lives in Ghent."]
