"""Tool calls that wait for a person's yes, as pages show them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from agents.models import Approval, Turn
from agents.turns import approvals
from tenants.people import names_of

Arguments = list[tuple[str, str]]


@dataclass(frozen=True)
class ShownApproval:
    """A call with what it is made with, and what the present person can do about it."""

    approval: Approval
    arguments: Arguments
    edited: Arguments
    decided_by: str = ""
    may_decide: bool = False
    may_edit: bool = False

    @property
    def is_open(self) -> bool:
        """Whether somebody can still decide."""
        return self.approval.status == Approval.Status.OPEN and not self.is_late

    @property
    def is_late(self) -> bool:
        """Whether its time is over. The agent is told of that within a few seconds."""
        is_over = self.approval.status == Approval.Status.OPEN and self.approval.expires_at <= timezone.now()
        return is_over or self.approval.status == Approval.Status.EXPIRED


def shown_approvals(rows: Iterable[Approval]) -> list[ShownApproval]:
    """Calls (with `turn`) as cards. One query."""
    found = list(rows)
    names = names_of(row.decided_by for row in found)
    return [
        ShownApproval(
            row,
            _told(row.arguments),
            _told(row.edited) if row.edited else [],
            names.get(row.decided_by, ""),
            may_decide=approvals.may_decide(row),
            may_edit=approvals.may_edit(row),
        )
        for row in found
    ]


def of_turns(turns: Iterable[Turn]) -> dict[uuid.UUID, dict[str, ShownApproval]]:
    """What was asked about in each of these turns, by the call's id."""
    rows = approvals.in_sight(turn__in=list(turns))
    found: dict[uuid.UUID, dict[str, ShownApproval]] = {}
    for shown in shown_approvals(rows):
        found.setdefault(shown.approval.turn_id, {})[shown.approval.call_id] = shown
    return found


def _told(arguments: str) -> Arguments:
    given: dict[str, Any] = json.loads(arguments)
    return [(name, as_typed(value)) for name, value in given.items()]


def as_typed(value: Any) -> str:
    """An argument as a person reads and types it: a text as it stands, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
