"""Which line came with which version, by whose hand, from which message."""

from __future__ import annotations

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from memory import blame, core, proposals, provenance
from memory.core import BlockFields
from memory.models import Block
from memory.operations import Append, Insert, Replace, Rethink
from tests.cast import Cast, Person
from tests.memory.remembering import AGENT, new_block, new_conversation, operate, proposed, remember


def lines(person: Person, block: Block) -> list[tuple[str, int | None]]:
    with person.scope():
        return [(line.text, line.version) for line in blame.blame(Block.objects.get(id=block.id))]


def test_it_names_the_version_of_each_line(alice: Person) -> None:
    block = new_block(alice, "姓名：李雷\n城市：根特")
    operate(alice, block, Append("喜欢：茶"))
    operate(alice, block, Insert("年龄：四十", 1))
    operate(alice, block, Replace("根特", "里昂"))
    assert lines(alice, block) == [("姓名：李雷", 1), ("年龄：四十", 3), ("城市：里昂", 4), ("喜欢：茶", 2)]


def test_it_names_hand_and_message(cast: Cast) -> None:
    alice = cast.alice
    block = new_block(alice, "first", cast.team)
    with alice.scope():
        message = remember(alice, new_conversation(alice), "I drink tea.")
        source = provenance.source_of_message(message, cast.team)
    operate(alice, block, Append("Drinks tea."), source=source)
    proposal = proposed(alice, new_block(alice, "x", governance="propose"), Append("y"))
    with alice.scope():
        first, second = blame.blame(Block.objects.get(id=block.id))
        proposals.approve(proposal.id)
        allowed = blame.blame(Block.objects.get(id=proposal.block_id))[1]
    assert (first.who, first.actor.kind, first.actor.id, first.message_id) == (
        "Alice",
        "user",
        alice.user.id,
        None,
    )
    assert (second.who, second.actor.kind, second.actor.id) == ("", "agent", AGENT.id)
    assert (second.message_id, second.source.kind) == (message.id, "message")
    assert first.at < second.at
    assert (allowed.actor.kind, allowed.approved_by) == ("agent", alice.user.id)


def test_a_line_that_was_brought_back_is_of_the_version_it_came_with(alice: Person) -> None:
    block = new_block(alice, "a\nb")
    operate(alice, block, Append("c"))
    operate(alice, block, Rethink("nothing"))
    with alice.scope():
        core.undo(block.id, 3, actor=core.by_me())
    assert lines(alice, block) == [("a", 1), ("b", 1), ("c", 2)]
    operate(alice, block, Append("d"))
    operate(alice, block, Replace("a", "A"))
    with alice.scope():
        core.restore(block.id, 1, actor=core.by_me())
    assert lines(alice, block) == [("a", 1), ("b", 1)]


def test_a_line_that_left_and_was_written_again_is_new(alice: Person) -> None:
    block = new_block(alice, "a\nb")
    operate(alice, block, Replace("b", ""))
    operate(alice, block, Append("b"))
    assert lines(alice, block) == [("a", 1), ("b", 3)]


def test_an_erased_version_is_passed_over(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Append("secret"))
    operate(alice, block, Replace("secret", "b"))
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE memory_blockversion SET value = '', erased_at = now() WHERE block_id = %s AND number = 2",
            [block.id],
        )
    assert lines(alice, block) == [("a", 1), ("b", 3)]


def test_an_empty_block_has_no_lines(alice: Person) -> None:
    assert lines(alice, new_block(alice)) == []


def test_it_looks_at_few_versions_at_a_time_and_not_at_all(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = new_block(alice, "old\nline 0")
    for number in range(30):
        with alice.scope():
            held = Block.objects.get(id=block.id)
            fields = BlockFields(value=f"old\nline {number + 1}")
            core.edit_block(block.id, fields, expected_version=held.version, actor=core.by_me())
    monkeypatch.setattr(blame, "WINDOW", 4)
    monkeypatch.setattr(blame, "VERSIONS_AT_MOST", 12)
    with alice.scope(), CaptureQueriesContext(connection) as queries:
        found = blame.blame(Block.objects.get(id=block.id))
    assert [(line.text, line.version) for line in found] == [("old", None), ("line 30", 31)]
    assert (found[0].actor, found[0].at) == (None, None)
    assert len(queries) == 1 + 12 // 4 + 2
