"""What is done to memory, told to the audit log: who, what, to which thing; never a word of the content."""

from __future__ import annotations

from typing import Any

from memory.actors import Actor, ActorKind
from memory.models import Block, Proposal
from tenants import audit

_HANDS = {ActorKind.AGENT: "agent", ActorKind.SLEEPTIME: "agent", ActorKind.SYSTEM: "system"}


def record(action: str, about: Block | Proposal, actor: Actor, **details: Any) -> None:
    """One event in the present transaction. People and staff are who the scope says."""
    hand = _HANDS.get(ActorKind(actor.kind))
    block = about if isinstance(about, Block) else about.block
    by = (hand, actor.id, actor.name) if hand else None
    audit.record(action, about, name=block.label, actor=by, **details)
