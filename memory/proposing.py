"""Putting a change before those who may allow it. What becomes of it is in `memory.proposals`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory import audited, versions
from memory.governance import Origin
from memory.models import Block, Proposal
from memory.operations import BadOperation, BlockError
from memory.versions import Hand
from tenants.scope import current_scope

OPEN_MAX = 100
REASON_MAX = 1_000


class InboxFull(BlockError):
    """So many proposals wait for this block that no more are taken."""

    code = "inbox_full"


@dataclass(frozen=True)
class Change:
    """An operation by its name and fields, and the text that it makes of the block's head."""

    operation: str
    arguments: dict[str, Any]
    value: str


def propose(block: Block, change: Change, hand: Hand, origin: Origin, reason: str) -> Proposal:
    """A proposal on a locked block's head; the one that waits, where the same hand says the same again.

    Raises InboxFull, and BadOperation where it would change nothing.
    """
    if change.value == block.value:
        raise BadOperation("This would change nothing: the block reads like that already.")
    waiting = Proposal.objects.filter(block=block, status=Proposal.Status.OPEN)
    same = waiting.filter(
        actor_kind=hand.actor.kind,
        actor_id=hand.actor.id,
        operation=change.operation,
        arguments=change.arguments,
    )
    found = same.first()
    if found is not None:
        return found
    if waiting.count() >= OPEN_MAX:
        raise InboxFull(f"{OPEN_MAX} proposals wait for this block. Somebody has to decide first.")
    made = Proposal.objects.create(
        workspace_id=block.workspace_id,
        block=block,
        base_id=versions.head_of(block),
        operation=change.operation,
        arguments=change.arguments,
        value=change.value,
        reason=reason[:REASON_MAX],
        source=versions.source_in(block.workspace_id, hand),
        actor_kind=hand.actor.kind,
        actor_id=hand.actor.id,
        asked_by=origin.asked_by or current_scope().user_id,
        conversation_id=origin.conversation_id,
        turn_id=origin.turn_id,
        trust=origin.trust,
    )
    audited.record("block.proposed", block, hand.actor, proposal=str(made.id), operation=change.operation)
    return made
