"""Writing the states of a block: the head under a short lock, and one version for each change."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.utils import timezone

from memory import index, provenance
from memory.actors import Actor
from memory.models import Block, BlockVersion, Proposal, Source
from memory.operations import BadOperation, Deleted
from tenants.scope import current_scope

RETURNS = frozenset({BlockVersion.Operation.UNDO, BlockVersion.Operation.RESTORE})
"""Operations that bring an older version's text back."""

# By hand, since every write of every agent comes through here: what lies around a new version in one look,
# then the version with its block in one statement.
AROUND = """
SELECT (SELECT s.id FROM memory_source s
        WHERE s.tenant_id = %(tenant_id)s AND s.workspace_id = %(workspace_id)s
          AND s.kind = 'person' AND s.reference = %(person)s), v.id, v.value, v.valid_from
FROM (SELECT) one LEFT JOIN memory_blockversion v
  ON v.tenant_id = %(tenant_id)s AND v.block_id = %(block_id)s AND v.number = %(number)s
"""
WRITE = """
WITH head AS (
  UPDATE memory_block SET value = %(value)s, version = %(number)s, updated_at = %(valid_from)s
  WHERE tenant_id = %(tenant_id)s AND workspace_id = %(workspace_id)s AND id = %(block_id)s RETURNING id)
INSERT INTO memory_blockversion (
  id, tenant_id, workspace_id, block_id, number, operation, value, actor_kind, actor_id, source_id,
  valid_from, supersedes_id, proposal_id, approved_by)
SELECT %(id)s, %(tenant_id)s, %(workspace_id)s, head.id, %(number)s, %(operation)s, %(value)s,
  %(actor_kind)s, %(actor_id)s, %(source_id)s, %(valid_from)s, %(supersedes_id)s, %(proposal_id)s,
  %(approved_by)s FROM head
"""


@dataclass(frozen=True)
class Hand:
    """Whose change it is, where it comes from, and, where it was proposed, what was allowed and by whom."""

    actor: Actor
    source: Source | None = None
    proposal: Proposal | None = None
    approved_by: uuid.UUID | None = None


def locked(block_id: uuid.UUID, *, also_deleted: bool = False) -> Block:
    """A block that nobody else changes until the transaction ends. Raises Block.DoesNotExist, Deleted."""
    block = Block.objects.select_for_update().get(id=block_id)
    if block.retired_at is not None and not also_deleted:
        raise Deleted(f"The block {block.label} was deleted. A person can bring it back.", label=block.label)
    return block


def head_of(block: Block) -> uuid.UUID:
    """The id of a block's newest version."""
    head: uuid.UUID = BlockVersion.objects.values_list("id", flat=True).get(block=block, number=block.version)
    return head


def returnable(block: Block, number: int) -> BlockVersion:
    """An old version, to go back to. Raises BlockVersion.DoesNotExist, BadOperation where it was erased."""
    wanted = BlockVersion.objects.get(block=block, number=number)
    if wanted.erased_at is not None:
        raise BadOperation("The content of that version was erased.")
    return wanted


def advance(block: Block, operation: str, hand: Hand, *, settings: Collection[str] = ()) -> BlockVersion:
    """Store a locked block's text, and its `settings` that were changed, as its next version."""
    if settings:
        block.save(update_fields=settings)
    block.version += 1
    block.updated_at = timezone.now()
    return _written(block, operation, hand)


def begin(block: Block, hand: Hand) -> BlockVersion:
    """Store a new block with its first version."""
    block.save()
    return _written(block, BlockVersion.Operation.CREATE, hand)


def _written(block: Block, operation: str, hand: Hand) -> BlockVersion:
    """The row of a block's present state, derived from the message that it came from, if it came from one."""
    before, source_id = _around(block, hand)
    version = BlockVersion(
        tenant_id=block.tenant_id,
        workspace_id=block.workspace_id,
        block=block,
        number=block.version,
        operation=operation,
        value=block.value,
        actor_kind=hand.actor.kind,
        actor_id=hand.actor.id,
        source_id=source_id,
        valid_from=block.updated_at,
        supersedes_id=before.id if before else None,
        proposal=hand.proposal,
        approved_by=hand.approved_by,
    )
    values: Any = vars(version)
    with connection.cursor() as cursor:
        cursor.execute(WRITE, values)
    version._state.adding = False
    index.index_block_version(block, version, before)
    if hand.source is not None and hand.source.kind == Source.Kind.MESSAGE:
        derive(version, (hand.source.kind, uuid.UUID(hand.source.reference)))
    return version


def _around(block: Block, hand: Hand) -> tuple[index.Before | None, uuid.UUID]:
    """The version before the one that is to be written, and where that one comes from: what the hand says,
    else the person behind it."""
    person = hand.actor.id or current_scope().user_id
    asked: dict[str, Any] = {
        "tenant_id": block.tenant_id,
        "workspace_id": block.workspace_id,
        "block_id": block.id,
        "number": block.version - 1,
        "person": provenance.reference_of(person),
    }
    with connection.cursor() as cursor:
        cursor.execute(AROUND, asked)
        known, *found = cursor.fetchone()
    before = index.Before(*found) if found[0] else None
    if hand.source is not None:
        known = hand.source.id
    return before, known or provenance.source_of_person(block.workspace_id, person).id


def source_in(workspace_id: uuid.UUID, hand: Hand) -> Source:
    """Where a hand's change comes from: what it says, else the person behind it."""
    if hand.source is not None:
        return hand.source
    return provenance.source_of_person(workspace_id, hand.actor.id or current_scope().user_id)


def derive(version: BlockVersion, parent: tuple[str, uuid.UUID]) -> None:
    """Write what a version was made of, beside its source."""
    provenance.derive(version.workspace_id, parents=[parent], child=("block_version", version.id))
