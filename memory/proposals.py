"""The inbox: changes of blocks that wait for an editor, and what becomes of them.

Lock order: the block, then the proposal.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.utils import timezone

from memory import audited, core, versions
from memory.actors import Actor
from memory.comparing import Budget
from memory.core import VersionConflict, check_text
from memory.merge import Merged
from memory.models import Block, BlockVersion, Proposal
from memory.rebasing import Rebased, on_head
from memory.versions import RETURNS, Hand
from tenants.permissions import NotAllowed, has_role, require_role
from tenants.scope import current_scope

NOTE_MAX = 1_000


class NotOpen(Exception):
    """Somebody has decided about this proposal already."""


class NotYourProposal(NotAllowed):
    """Only who made a proposal takes it back; an editor rejects it."""

    def __init__(self) -> None:
        Exception.__init__(self, NotYourProposal.__doc__)
        self.needed = "editor"


class ProposalConflict(Exception):
    """The block has changed since in the same place. Choose, and approve the text that you want."""

    def __init__(self, base: BlockVersion, theirs: Block, mine: str, merged: Merged) -> None:
        super().__init__(ProposalConflict.__doc__)
        self.base = base
        self.theirs = theirs
        self.mine = mine
        self.merged = merged


@dataclass(frozen=True)
class Preview:
    """What approving a proposal would do to the block's head now.

    `proposed` is the text on its base, `merged` that on the head; where it is not clean, somebody chooses.
    """

    base: BlockVersion
    head: Block
    proposed: str
    merged: Merged
    is_clean: bool
    has_moved: bool


def with_status(status: str) -> QuerySet[Proposal]:
    """Proposals, oldest first, with block, base and source; those of deleted blocks do not wait."""
    rows = _with_texts().filter(status=status)
    if status == Proposal.Status.OPEN:
        rows = rows.filter(block__retired_at=None)
    return rows.order_by("id")


def open_proposals(workspace_id: uuid.UUID | None = None) -> QuerySet[Proposal]:
    """What waits, in one workspace or in all that one sees."""
    waiting = with_status(Proposal.Status.OPEN)
    return waiting if workspace_id is None else waiting.filter(workspace_id=workspace_id)


def count_open(workspace_id: uuid.UUID | None = None) -> int:
    """How many proposals wait for the present person to decide."""
    counted = count_open_by_workspace()
    return sum(counted.values()) if workspace_id is None else counted.get(workspace_id, 0)


def count_open_by_workspace() -> dict[uuid.UUID, int]:
    """How many wait for the present person, by workspace; those without are left out. One query."""
    mine = [key for key in current_scope().workspaces if has_role(key, "editor")]
    waiting = Proposal.objects.filter(
        status=Proposal.Status.OPEN, block__retired_at=None, workspace_id__in=mine
    )
    return dict(waiting.values_list("workspace_id").annotate(count=Count("id")).order_by())


def preview(proposal: Proposal, budget: Budget | None = None) -> Preview:
    """What approving would do now, within a budget that several previews share. Nothing is changed."""
    base, head = proposal.base, proposal.block
    merged = on_head(proposal, head, budget).merged
    return Preview(base, head, proposal.value, merged, merged.is_clean, head.version != base.number)


def approve(
    proposal_id: uuid.UUID, *, value: str | None = None, expected_version: int | None = None
) -> BlockVersion:
    """Make a proposed change, or `value` in its place, and answer the version that it became.

    On a head that has moved, the operation is applied again where it means the same, else both changes are
    merged. `expected_version` is the head that the editor saw; an edited text is of the proposal's base
    unless it says so. Raises NotAllowed, NotOpen, VersionConflict, ProposalConflict, and a BlockError.
    """
    waiting = _with_texts().get(id=proposal_id)
    require_role(waiting.workspace_id, "editor")
    made = _wanted(waiting, value)  # to merge may take a while: it is done before anybody waits
    block, proposal = _opened(proposal_id)
    if block.version != waiting.block.version:
        made = _wanted(proposal, value)
    _require_seen(proposal, value, expected_version)
    if not made.merged.is_clean:
        raise ProposalConflict(proposal.base, block, proposal.value, made.merged)
    check_text(block, made.merged.text)
    block.value = made.merged.text
    return _approved(proposal, made.operation, edited=value is not None)


def _wanted(proposal: Proposal, value: str | None) -> Rebased:
    """What is to stand in the block: an editor's own text, or the proposed change on the head."""
    if value is not None:
        return Rebased(BlockVersion.Operation.EDIT, Merged.of(value))
    return on_head(proposal, proposal.block)


def _require_seen(proposal: Proposal, value: str | None, expected_version: int | None) -> None:
    """Raises VersionConflict where the editor has not seen the head."""
    block = proposal.block
    if value is not None and expected_version is None:
        expected_version = proposal.base.number
    if expected_version is not None and expected_version != block.version:
        seen = BlockVersion.objects.filter(block=block, number=expected_version).first()
        raise VersionConflict(seen, block, proposal.value if value is None else value)


def _approved(proposal: Proposal, operation: str, *, edited: bool) -> BlockVersion:
    """The version of a proposal whose block holds the text already, by the proposer's hand."""
    me = core.by_me()
    actor = Actor(proposal.actor_kind, proposal.actor_id)
    hand = Hand(actor, proposal.source, proposal=proposal, approved_by=me.id)
    version = versions.advance(proposal.block, operation, hand)
    if operation in RETURNS:
        again = BlockVersion.objects.get(block=proposal.block, number=proposal.arguments["number"])
        versions.derive(version, ("block_version", again.id))
    proposal.made = version
    _decide(proposal, Proposal.Status.APPROVED, me)
    facts: dict[str, Any] = {
        "version": version.number,
        "edited": edited,
        "subject_id": proposal.asked_by,
    }
    audited.record("proposal.approved", proposal, me, **facts)
    return version


def reject(proposal_id: uuid.UUID, *, note: str = "") -> Proposal:
    """Decide against a proposal. Raises NotAllowed, NotOpen."""
    block, proposal = _opened(proposal_id, also_deleted=True)
    require_role(block.workspace_id, "editor")
    proposal.note = note[:NOTE_MAX]
    _decide(proposal, Proposal.Status.REJECTED, core.by_me())
    audited.record("proposal.rejected", proposal, core.by_me(), subject_id=proposal.asked_by)
    return proposal


def withdraw(proposal_id: uuid.UUID) -> Proposal:
    """Take back what one has proposed oneself, or had an agent propose. Raises NotYourProposal, NotOpen."""
    _, proposal = _opened(proposal_id, also_deleted=True)
    if proposal.asked_by is None or proposal.asked_by != current_scope().user_id:
        raise NotYourProposal
    _decide(proposal, Proposal.Status.WITHDRAWN, core.by_me())
    audited.record("proposal.withdrawn", proposal, core.by_me())
    return proposal


def reopen(proposal_id: uuid.UUID) -> Proposal:
    """Put what was rejected before the editors again. Raises NotAllowed, NotOpen for anything else."""
    block, proposal = _locked(proposal_id, also_deleted=True)
    require_role(block.workspace_id, "editor")
    if proposal.status != Proposal.Status.REJECTED:
        raise NotOpen(NotOpen.__doc__)
    proposal.status = Proposal.Status.OPEN
    proposal.decided_by = proposal.decided_at = proposal.told_at = None
    proposal.note = ""
    proposal.save()
    audited.record("proposal.reopened", proposal, core.by_me())
    return proposal


def _with_texts() -> QuerySet[Proposal]:
    return Proposal.objects.select_related("block", "base", "source")


def _opened(proposal_id: uuid.UUID, *, also_deleted: bool = False) -> tuple[Block, Proposal]:
    block, proposal = _locked(proposal_id, also_deleted=also_deleted)
    if proposal.status != Proposal.Status.OPEN:
        raise NotOpen(NotOpen.__doc__)
    return block, proposal


def _locked(proposal_id: uuid.UUID, *, also_deleted: bool) -> tuple[Block, Proposal]:
    """A proposal and its block, both of which nobody else changes now. Raises DoesNotExist, Deleted."""
    block_id = Proposal.objects.values_list("block_id", flat=True).get(id=proposal_id)
    block = versions.locked(block_id, also_deleted=also_deleted)
    proposal = _with_texts().select_for_update(of=("self",)).get(id=proposal_id)
    proposal.block = block
    return block, proposal


def _decide(proposal: Proposal, status: Proposal.Status, me: Actor) -> None:
    proposal.status = status
    proposal.decided_by = me.id
    proposal.decided_at = timezone.now()
    proposal.save()
