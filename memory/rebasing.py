"""What a proposed change makes of a block that may have changed since: as it is, applied again, or merged."""

from __future__ import annotations

from dataclasses import dataclass

from memory.comparing import Budget
from memory.merge import Merged, three_way
from memory.models import Block, BlockVersion, Proposal
from memory.operations import OPERATIONS, BlockError


@dataclass(frozen=True)
class Rebased:
    """The text on the head, and the operation under which its version goes."""

    operation: str
    merged: Merged


def on_head(proposal: Proposal, head: Block, budget: Budget | None = None) -> Rebased:
    """The proposed change on a block's newest version; not clean where somebody has to choose.

    An operation is applied again only where it means the same on a text that has changed: to write the whole
    again would undo what others wrote meanwhile.
    """
    if head.version == proposal.base.number:
        return Rebased(proposal.operation, Merged.of(proposal.value))
    again = _applied_again(proposal, head.value)
    if again is not None:
        return Rebased(proposal.operation, Merged.of(again))
    merged = three_way(proposal.base.value, head.value, proposal.value, budget)
    return Rebased(BlockVersion.Operation.MERGE, merged)


def _applied_again(proposal: Proposal, value: str) -> str | None:
    """What the operation makes of another text than its base; None where it would mean something else."""
    kind = OPERATIONS.get(proposal.operation)
    operation = kind(**proposal.arguments) if kind else None
    if operation is None or not operation.is_rebasable:
        return None
    try:
        return operation.apply(value)
    except BlockError:
        return None
