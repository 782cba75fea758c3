"""Tool calls that wait for a yes, and saying it."""

from __future__ import annotations

from typing import Any

from agents.models import Approval, Turn
from tests.agents.stubbed import Stubbed
from tests.cast import Person


def waiting(stubbed: Stubbed, turn: Turn, status: str = "open") -> list[Approval]:
    """The calls of a turn about which somebody was asked."""
    with stubbed.person.scope():
        return list(Approval.objects.filter(turn=turn, status=status).order_by("id"))


def decide(person: Person, action: Any, approval: Approval, **said: Any) -> Approval:
    """Decide as a person."""
    with person.scope():
        decided: Approval = action(approval.id, **said)
        return decided
