"""What people do to a block: edit what they saw, take back, bring back."""

import pytest
from django.db import connections

from memory import core
from memory.core import BlockFields, VersionConflict
from memory.models import Block, BlockVersion, Derivation
from memory.operations import Append, BadOperation, LimitPassed
from tests.cast import Person
from tests.memory.remembering import new_block, now, operate, versions


def edit(alice: Person, block: Block, value: str, seen: int) -> Block:
    with alice.scope():
        return core.edit_block(block.id, BlockFields(value=value), expected_version=seen, actor=core.by_me())


def test_it_edits_what_the_person_saw(alice: Person) -> None:
    block = new_block(alice, "a")
    assert edit(alice, block, "b", 1).version == 2
    assert versions(alice, block)[-1].operation == "edit"


def test_it_shows_base_theirs_and_mine_where_somebody_was_faster(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Append("b"))
    with pytest.raises(VersionConflict) as conflict:
        edit(alice, block, "mine", 1)
    base, theirs = conflict.value.base, conflict.value.theirs
    assert base is not None
    assert (base.value, theirs.value, theirs.version, conflict.value.mine) == ("a", "a\nb", 2, "mine")
    assert now(alice, block).value == "a\nb"


def test_it_makes_no_version_of_an_edit_that_changes_nothing(alice: Person) -> None:
    block = new_block(alice, "a")
    assert edit(alice, block, "a", 1).version == 1
    assert len(versions(alice, block)) == 1


def test_it_takes_the_newest_version_back(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Append("b"))
    with alice.scope():
        undone = core.undo(block.id, 2, actor=core.by_me())
        first = BlockVersion.objects.get(block=block, number=1)
        assert Derivation.objects.filter(child_id=undone.id, parent_id=first.id).exists()
    assert (undone.number, undone.operation, undone.value) == (3, "undo", "a")
    assert now(alice, block).value == "a"


def test_it_takes_nothing_back_that_others_have_built_on(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Append("b"))
    operate(alice, block, Append("c"))
    with pytest.raises(VersionConflict) as conflict, alice.scope():
        core.undo(block.id, 2, actor=core.by_me())
    assert conflict.value.mine == "a"
    assert now(alice, block).value == "a\nb\nc"


def test_it_cannot_take_back_the_first_version_or_one_that_is_not_there(alice: Person) -> None:
    block = new_block(alice, "a")
    with pytest.raises(BadOperation), alice.scope():
        core.undo(block.id, 1, actor=core.by_me())
    with pytest.raises(BlockVersion.DoesNotExist), alice.scope():
        core.undo(block.id, 7, actor=core.by_me())


def test_it_brings_an_old_version_back_as_a_new_one(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Append("b"))
    operate(alice, block, Append("c"))
    with alice.scope():
        restored = core.restore(block.id, 2, actor=core.by_me())
    assert (restored.number, restored.operation, restored.value) == (4, "restore", "a\nb")


def test_it_does_not_bring_back_what_is_longer_than_the_limit_is_now(alice: Person) -> None:
    block = new_block(alice, "long enough")
    edit(alice, block, "a", 1)
    with alice.scope():
        core.edit_block(block.id, BlockFields(limit=5), expected_version=2, actor=core.by_me())
    with pytest.raises(LimitPassed), alice.scope():
        core.restore(block.id, 1, actor=core.by_me())
    assert now(alice, block).value == "a"


def test_it_does_not_bring_back_what_was_erased(alice: Person) -> None:
    block = new_block(alice, "secret")
    edit(alice, block, "a", 1)
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE memory_blockversion SET value = '', erased_at = now() WHERE block_id = %s AND number = 1",
            [block.id],
        )
    with pytest.raises(BadOperation, match="erased"), alice.scope():
        core.restore(block.id, 1, actor=core.by_me())
