"""A block goes to another workspace with its history, or as a copy without: who reads what afterwards."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection

from agents.models import AgentBlock
from memory import core, moving, proposals, provenance
from memory.core import BadBlock, BlockFields
from memory.models import Block, BlockVersion, Derivation, Proposal, Source
from memory.operations import Append, Deleted
from tenants.models import AuditEvent, Workspace
from tenants.permissions import NotAllowed
from tenants.scope import Identity, scope
from tests.cast import Cast, Person, new_agent
from tests.memory.remembering import (
    new_block,
    new_conversation,
    now,
    operate,
    proposed,
    remember,
    versions,
)

# What the app sees with plain SQL, past the managers.
SEEN = {
    "blocks": "SELECT count(*) FROM memory_block WHERE id = %s",
    "versions": "SELECT count(*) FROM memory_blockversion WHERE block_id = %s",
    "proposals": "SELECT count(*) FROM memory_proposal WHERE block_id = %s",
    "texts": "SELECT count(*) FROM memory_blockversion WHERE block_id = %s AND value LIKE '%%secret%%'",
}
MOVE = "SELECT move_block(%s, %s)"


def seen(person: Person, block_id: uuid.UUID) -> dict[str, int]:
    found = {}
    with person.scope(), connection.cursor() as cursor:
        for name, sql in SEEN.items():
            cursor.execute(sql, [block_id])
            found[name] = cursor.fetchone()[0]
    return found


NOTHING = dict.fromkeys(SEEN, 0)


@pytest.fixture
def block(cast: Cast) -> Block:
    """A block of Alice's own with a past: a secret from a chat that was taken out again, and a proposal."""
    cast.let_bob_in("member")
    made = new_block(cast.alice, "public")
    message = remember(cast.alice, new_conversation(cast.alice), "My secret is tea.")
    with cast.alice.scope():
        source = provenance.source_of_message(message)
    operate(cast.alice, made, Append("secret: tea"), source=source)
    with cast.alice.scope():
        core.restore(made.id, 1, actor=core.by_me())
        fields = BlockFields(governance="propose")
        core.edit_block(made.id, fields, expected_version=3, actor=core.by_me())
    proposed(cast.alice, made, Append("more"))
    return made


def test_moved_it_is_read_with_all_its_history_by_whoever_is_there(cast: Cast, block: Block) -> None:
    before = [(each.id, each.number, each.value, each.valid_from) for each in versions(cast.alice, block)]
    assert seen(cast.bob, block.id) == NOTHING
    assert seen(cast.alice, block.id) == {"blocks": 1, "versions": 4, "proposals": 1, "texts": 1}
    with cast.alice.scope():
        moved = moving.move_block(block.id, cast.team)
    assert moved.workspace_id == cast.team
    assert seen(cast.bob, block.id) == seen(cast.alice, block.id)
    assert seen(cast.bob, block.id) == {"blocks": 1, "versions": 4, "proposals": 1, "texts": 1}
    assert seen(cast.charlie, block.id) == NOTHING
    after = versions(cast.bob, block)
    assert [(each.id, each.number, each.value, each.valid_from) for each in after] == before
    assert {each.workspace_id for each in after} == {cast.team}


def test_moved_it_keeps_where_everything_came_from(cast: Cast, block: Block) -> None:
    told = [(each.source.kind, each.source.reference) for each in versions(cast.alice, block)]
    with cast.alice.scope():
        old = {each.source_id for each in BlockVersion.objects.filter(block=block)}
        moving.move_block(block.id, cast.team)
    after = versions(cast.bob, block)
    assert [(each.source.kind, each.source.reference) for each in after] == told
    assert {each.source.workspace_id for each in after} == {cast.team}
    with cast.bob.scope():
        derived = Derivation.objects.filter(child_id__in=[each.id for each in after])
        assert {each.parent_kind for each in derived} == {"message", "block_version"}
        assert Proposal.objects.get(block=block).source.workspace_id == cast.team
    with cast.alice.scope():
        kept = Source.objects.filter(id__in=old)
        assert {each.workspace_id for each in kept} == {cast.alice.personal}


def test_moved_it_goes_on_as_before(cast: Cast, block: Block) -> None:
    with cast.alice.scope():
        moving.move_block(block.id, cast.team)
        (waiting,) = proposals.open_proposals(cast.team)
        proposals.approve(waiting.id)
    operate(cast.alice, block, Append("b"), core.person(cast.alice.user.id))
    assert now(cast.bob, block).value == "public\nmore\nb"
    with cast.alice.scope():
        moving.move_block(block.id, cast.alice.personal)
    assert seen(cast.bob, block.id) == NOTHING
    assert [each.number for each in versions(cast.alice, block)] == [1, 2, 3, 4, 5, 6]


def test_moved_it_stays_with_the_agents_that_have_it(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    with cast.alice.scope():
        block = Block.objects.get(attachments__agent=agent, label="persona")
        moving.move_block(block.id, cast.organisation)
        assert AgentBlock.objects.get(block=block).workspace_id == cast.organisation


def test_a_copy_reads_the_same_and_has_no_past(cast: Cast, block: Block) -> None:
    with cast.alice.scope():
        copied = moving.copy_block(block.id, cast.team)
    assert seen(cast.bob, block.id) == NOTHING
    assert seen(cast.bob, copied.id) == {"blocks": 1, "versions": 1, "proposals": 0, "texts": 0}
    found = now(cast.bob, copied)
    assert (found.value, found.label, found.governance) == ("public", "human", "propose")
    with cast.alice.scope():
        assert Block.objects.get(id=block.id).workspace_id == cast.alice.personal
        head = BlockVersion.objects.get(block=block, number=4)
        first = BlockVersion.objects.get(block=copied)
        assert Derivation.objects.get(child_id=first.id).parent_id == head.id


def test_it_says_before_what_goes_along_and_who_will_read_it(cast: Cast, block: Block) -> None:
    with cast.alice.scope():
        wider = moving.preview_move(block.id, cast.team)
        moving.move_block(block.id, cast.team)
        narrower = moving.preview_move(block.id, cast.alice.personal)
    assert (wider.versions, wider.open_proposals) == (4, 1)
    assert (wider.readers, wider.no_longer) == (["Bob"], [])
    assert (narrower.readers, narrower.no_longer) == ([], ["Bob"])


@pytest.mark.parametrize("act", [moving.move_block, moving.copy_block, moving.preview_move])
def test_it_needs_an_editor_on_both_sides(cast: Cast, act: Any) -> None:
    ours, bobs = new_block(cast.alice, "a", cast.team), new_block(cast.bob, "a")
    for role in ("viewer", "member"):
        cast.let_bob_in(role)
        for block, place in ((ours, cast.bob.personal), (bobs, cast.team)):
            with pytest.raises(NotAllowed), cast.bob.scope():
                act(block.id, place)
    cast.let_bob_in("editor")
    with cast.bob.scope():
        act(ours.id, cast.bob.personal)


@pytest.mark.parametrize("act", [moving.move_block, moving.copy_block, moving.preview_move])
def test_it_goes_nowhere_out_of_sight_and_not_where_it_is(cast: Cast, act: Any) -> None:
    block = new_block(cast.alice, "a")
    for place in (cast.charlie.personal, cast.bob.personal, uuid.uuid4()):
        with pytest.raises(Workspace.DoesNotExist), cast.alice.scope():
            act(block.id, place)
    with pytest.raises(BadBlock), cast.alice.scope():
        act(block.id, cast.alice.personal)
    with pytest.raises(Block.DoesNotExist), cast.charlie.scope():
        act(block.id, cast.charlie.personal)


def test_a_deleted_block_stays_where_it_is(cast: Cast) -> None:
    block = new_block(cast.alice, "a")
    with cast.alice.scope():
        core.delete_block(block.id)
        for act in (moving.move_block, moving.copy_block):
            with pytest.raises(Deleted):
                act(block.id, cast.team)


def test_the_database_function_asks_for_both_roles_itself(cast: Cast) -> None:
    """Called by hand, as the app, past `memory.moving`."""
    block = new_block(cast.alice, "a", cast.team)
    attempts = [
        (cast.charlie, cast.charlie.personal),
        (cast.bob, cast.bob.personal),
        (cast.alice, cast.charlie.personal),
        (cast.alice, cast.bob.personal),
        (cast.alice, cast.team),
        (cast.alice, uuid.uuid4()),
    ]
    for role in ("viewer", "member"):
        cast.let_bob_in(role)
        for person, place in attempts:
            by_hand(person.identity, block, place)
    assert now(cast.alice, block).workspace_id == cast.team
    by_hand(cast.alice.identity.narrowed([cast.team]), block, cast.alice.personal)


def by_hand(identity: Identity, block: Block, place: uuid.UUID) -> None:
    with pytest.raises(DatabaseError, match="editor of both"), scope(identity), connection.cursor() as cursor:
        cursor.execute(MOVE, [block.id, place])


def test_a_block_cannot_be_taken_from_its_versions(cast: Cast) -> None:
    block = new_block(cast.alice, "a")
    with pytest.raises(IntegrityError), cast.alice.scope():
        Block.objects.filter(id=block.id).update(workspace_id=cast.team)
    assert now(cast.alice, block).workspace_id == cast.alice.personal


def test_the_audit_log_has_both(cast: Cast, block: Block) -> None:
    with cast.alice.scope():
        copied = moving.copy_block(block.id, cast.team)
        moving.move_block(block.id, cast.team)
        told = {
            (event.action, event.object_id, event.workspace_id): event.details
            for event in AuditEvent.objects.filter(action__in=["block.moved", "block.copied"])
        }
    assert told == {
        ("block.copied", copied.id, cast.team): {"copy_of": str(block.id)},
        ("block.moved", block.id, cast.team): {"came_from": str(cast.alice.personal)},
    }
