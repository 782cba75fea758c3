"""A block's limit is a wall, in characters or tokens: the refusal helps, and nothing changes."""

import pytest

from memory import core, measure
from memory.core import BadBlock, BlockFields
from memory.operations import (
    Append,
    BlockError,
    Insert,
    LimitPassed,
    Operation,
    Replace,
    Rethink,
    TextNotFound,
)
from tests.cast import Person
from tests.memory.remembering import new_block, now, operate, versions


@pytest.mark.parametrize(
    "operation", [Append("123"), Replace("7", "12345"), Insert("123", 0), Rethink("x" * 11)]
)
def test_it_refuses_one_character_more_than_the_limit(alice: Person, operation: Operation) -> None:
    block = new_block(alice, "1234567", limit=10)
    with pytest.raises(LimitPassed, match="would hold 11 characters, 1 more than its limit") as refusal:
        operate(alice, block, operation)
    assert refusal.value.facts["room"] == 3
    assert (now(alice, block).value, now(alice, block).version) == ("1234567", 1)


def test_it_takes_what_fills_the_limit_to_the_last_character(alice: Person) -> None:
    block = new_block(alice, "香" * 7, limit=10)
    operate(alice, block, Append("菜菜"))
    assert len(now(alice, block).value) == 10


def test_it_says_how_much_room_is_left(alice: Person) -> None:
    block = new_block(alice, "1234567", limit=10)
    with pytest.raises(LimitPassed, match="there was room for 3 more") as refusal:
        operate(alice, block, Append("too long for it"))
    assert refusal.value.facts == {
        "label": "human",
        "limit": 10,
        "room": 3,
        "over": 13,
        "unit": "characters",
    }


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (BlockFields(label=""), "label"),
        (BlockFields(label="</human>"), "label"),
        (BlockFields(label="1st"), "label"),
        (BlockFields(label="a" * 65), "label"),
        (BlockFields(label='a"b'), "label"),
        (BlockFields(label="a b"), "label"),
        (BlockFields(limit=0), "limit"),
        (BlockFields(limit=10**9), "limit"),
        (BlockFields(description="x" * 1001), "description"),
        (BlockFields(unit="words"), "unit"),
        (BlockFields(governance="closed"), "governance"),
        (BlockFields(sections=[{"name": "a"}, {"name": "a"}]), "sections"),
        (BlockFields(sections=[{"name": "a\nb"}]), "sections"),
        (BlockFields(sections=[{"name": "a ", "description": ""}]), "sections"),
        (BlockFields(sections=[{"title": "a"}]), "sections"),
        (BlockFields(sections=[{"name": f"a{number}"} for number in range(31)]), "sections"),
    ],
)
def test_it_refuses_fields_that_no_block_can_have(alice: Person, fields: BlockFields, field: str) -> None:
    block = new_block(alice, "a")
    with pytest.raises(BadBlock) as refusal, alice.scope():
        core.edit_block(block.id, fields, expected_version=1, actor=core.by_me())
    assert refusal.value.field == field
    assert len(versions(alice, block)) == 1


@pytest.mark.parametrize("label", ["human", "人", "notes_2", "my-notes", "Ünïcode"])
def test_it_takes_labels_of_letters_in_any_script(alice: Person, label: str) -> None:
    assert new_block(alice, label=label).label == label


def test_it_refuses_a_limit_under_the_present_length(alice: Person) -> None:
    block = new_block(alice, "1234567")
    with pytest.raises(LimitPassed), alice.scope():
        core.edit_block(block.id, BlockFields(limit=6), expected_version=1, actor=core.by_me())
    assert now(alice, block).limit == 2000


def test_it_changes_nothing_where_an_operation_is_refused(alice: Person) -> None:
    block = new_block(alice, "a")
    refused: list[Operation] = [Append(""), Replace("b", "c"), Replace("", "c"), Insert("b", 9)]
    for operation in refused:
        with pytest.raises(BlockError):
            operate(alice, block, operation)
    with pytest.raises(TextNotFound):
        operate(alice, block, Replace("b", "c"))
    assert (now(alice, block).value, len(versions(alice, block))) == ("a", 1)


def test_it_counts_tokens_where_the_limit_is_in_tokens(alice: Person) -> None:
    block = new_block(alice, "hello " * 40, limit=45, unit="tokens")
    assert (measure.used(block), len(block.value)) == (41, 240)
    operate(alice, block, Append("hello hello"))
    with pytest.raises(LimitPassed, match="more than its limit of 45") as refusal:
        operate(alice, block, Append("我不吃香菜 " * 9))
    assert refusal.value.facts["unit"] == "tokens"
    assert refusal.value.facts["room"] == 45 - measure.used(now(alice, block))
    assert len(versions(alice, block)) == 2


def test_it_counts_anew_where_the_unit_changes(alice: Person) -> None:
    block = new_block(alice, "hello " * 40, limit=45, unit="tokens")
    fields = BlockFields(unit="characters")
    with pytest.raises(LimitPassed, match="240 characters"), alice.scope():
        core.edit_block(block.id, fields, expected_version=1, actor=core.by_me())
    assert now(alice, block).unit == "tokens"


def test_it_holds_no_more_characters_than_any_limit_whatever_the_unit(alice: Person) -> None:
    block = new_block(alice, limit=measure.LIMIT_MAX, unit="tokens")
    text = " " * (measure.LIMIT_MAX + 1)
    assert measure.length(text, "tokens") < measure.LIMIT_MAX
    with pytest.raises(LimitPassed, match="characters"):
        operate(alice, block, Rethink(text))
