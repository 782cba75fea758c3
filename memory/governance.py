"""Who may change a block, and how: at once, as a proposal, or not at all. This is the one place that says so.

Every door ends in `verdict`: tools, pages, the API, the admin, imports. It makes no query. Row-level security
has said before who sees the block. See docs/decisions/0008-governance-and-proposals.md.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import Enum

from memory.actors import Actor, ActorKind
from memory.models import Block, Trust
from memory.operations import ReadOnly
from tenants.permissions import NotAllowed, has_role, require_role

PEOPLE = frozenset({ActorKind.USER, ActorKind.STAFF})


class Verdict(Enum):
    """What becomes of a write that is allowed."""

    WRITE = "write"
    PROPOSE = "propose"


@dataclass(frozen=True)
class Origin:
    """Where a write comes from: the agent's own setting for the block, the conversation and its workspace.

    `asked_by` is the person in whose turn or request it happens; a page and the API need say nothing. `trust`
    is that of the least trusted text which whoever writes had before them.
    """

    override: str | None = None
    workspace_id: uuid.UUID | None = None
    conversation_id: uuid.UUID | None = None
    turn_id: uuid.UUID | None = None
    asked_by: uuid.UUID | None = None
    trust: int = Trust.TRUSTED

    @property
    def is_untrusted(self) -> bool:
        """Whether the write may be what a document or a web page asked for."""
        return self.trust <= Trust.UNTRUSTED


HERE = Origin()


def verdict(block: Block, actor: Actor, origin: Origin = HERE) -> Verdict:
    """Whether a write is made or proposed. Raises ReadOnly for an agent, NotAllowed for a person."""
    return _of_a_person(block) if actor.kind in PEOPLE else _of_an_agent(block, origin)


def _of_a_person(block: Block) -> Verdict:
    """By the role in the block's workspace: viewers read, members propose, editors write."""
    if has_role(block.workspace_id, "editor"):
        return Verdict.WRITE
    if block.governance == Block.Governance.READ_ONLY:
        raise NotAllowed("editor")
    require_role(block.workspace_id, "member")
    return Verdict.PROPOSE


def _of_an_agent(block: Block, origin: Origin) -> Verdict:
    """By the block's rule, or the agent's own for it; what reaches wider than the conversation is proposed.

    An agent does for a person no more than that person may propose. One that has read what nobody vouches for
    only proposes, whatever the rule: those may be a document's words and not the person's.
    """
    rule = origin.override or block.governance
    if rule == Block.Governance.READ_ONLY:
        raise ReadOnly("This block is read-only. Only a person can change it.", label=block.label)
    if not has_role(block.workspace_id, "member"):
        raise ReadOnly("The person you work for may only read this block.", label=block.label)
    if rule == Block.Governance.PROPOSE or origin.is_untrusted:
        return Verdict.PROPOSE
    if _is_wider(block, origin) and origin.override is None:
        return Verdict.PROPOSE
    return Verdict.WRITE


def _is_wider(block: Block, origin: Origin) -> bool:
    """Whether the block is read by others than the conversation in which the write was asked for."""
    return origin.workspace_id is not None and origin.workspace_id != block.workspace_id


def may_govern(block: Block) -> None:
    """Raises NotAllowed where the present person may not set the block's label, limit, rule or sections."""
    require_role(block.workspace_id, "editor")
