"""What is done to memory, told to the audit log: who, what, to which thing; never a word of the content."""

from __future__ import annotations

from typing import Any

from django.db.models import Model

from memory.actors import Actor, ActorKind
from memory.models import Proposal
from tenants import audit

_HANDS = {ActorKind.AGENT: "agent", ActorKind.SLEEPTIME: "agent", ActorKind.SYSTEM: "system"}


def record(action: str, about: Model, actor: Actor, *, name: str = "", **details: Any) -> None:
    """One event in the present transaction. People and staff are who the scope says.

    `name` is for what has neither a name nor a label: the archive of a passage, say.
    """
    hand = _HANDS.get(ActorKind(actor.kind))
    called = about.block.label if isinstance(about, Proposal) else name
    by = (hand, actor.id, actor.name) if hand else None
    audit.record(action, about, name=called, actor=by, **details)
