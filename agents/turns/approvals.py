"""Tool calls that wait for a person's yes: asked, decided, expired, given up.

Who decides is the person whose turn it is, or an editor of the workspace in which the chat lies. Arguments
are edited by the person of the turn alone, with no smaller reach: that is where the call runs, and with
nobody else's words.

A turn that waits has no worker and no lease; when nothing of it is open any more it joins the line again, as
the same attempt. Who decides locks the turn alone; where a chat is locked too, that comes first.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from agents import events
from agents.events import Event
from agents.models import Approval, Turn
from agents.tools import catalog
from agents.tools.base import ToolError
from agents.turns import line, results
from agents.turns.results import Call, Refused
from memory.models import Message
from memory.texts import storable
from tenants import audit
from tenants.people import names_of
from tenants.permissions import NotAllowed, has_role, require_role
from tenants.scope import current_scope

NOTE_MAX = 1_000
Status = Approval.Status


class DecidedAlready(Exception):
    """Somebody has decided about this call already, or it waits no more."""


class BadArguments(Exception):
    """The tool does not take these arguments."""


class NotYourCall(NotAllowed):
    """Arguments are edited by who sent the message that led to the call, and with no smaller reach."""

    def __init__(self) -> None:
        Exception.__init__(self, NotYourCall.__doc__)
        self.needed = "member"


def in_sight(**conditions: Any) -> QuerySet[Approval]:
    """Calls about which somebody was asked, in chats that are not deleted, oldest first, with their turns."""
    rows = Approval.objects.filter(turn__conversation__deleted_at=None, **conditions)
    return rows.select_related("turn").order_by("id")


def may_decide(approval: Approval) -> bool:
    """Whether the present person says yes or no to this call."""
    return _is_mine(approval) or has_role(approval.workspace_id, "editor")


def may_edit(approval: Approval) -> bool:
    """Whether the present person may change what the call is made with. It runs with the turn's reach: with a
    key of less, words would get to where the key does not."""
    reach, of_turn = current_scope().identity.reach, approval.turn.reach
    is_wide = reach is None or (of_turn is not None and reach.issuperset(of_turn))
    return is_wide and _is_mine(approval)


def _is_mine(approval: Approval) -> bool:
    is_mine = approval.turn.user_id == current_scope().person
    return is_mine and has_role(approval.workspace_id, "member")


# Of the worker that comes to such a call.


def ask(turn: Turn, message: Message, calls: Iterable[Call], hours: int) -> list[Approval]:
    """Ask about calls of one answer, in the transaction in which the turn gives up its worker."""
    now = timezone.now()
    return Approval.objects.bulk_create(
        Approval(
            workspace_id=turn.workspace_id,
            turn=turn,
            message=message,
            call_id=call["id"],
            tool=call["name"],
            arguments=call["arguments"],
            expires_at=now + timedelta(hours=hours),
        )
        for call in calls
    )


@dataclass(frozen=True)
class Decision:
    """What a person decided about a call: what it runs with, or why it is not run.

    `refusal` is that reason, and what the model is told; `heard` what it is told beside the answer.
    """

    arguments: str
    refusal: tuple[Refused, str] | None = None
    heard: dict[str, Any] = field(default_factory=dict)


def decisions(turn: Turn, calls: Iterable[Call]) -> dict[str, Decision]:
    """What was decided about these calls of a turn, by the call's id."""
    rows = list(Approval.objects.filter(turn=turn, call_id__in=[call["id"] for call in calls]))
    names = names_of(row.decided_by for row in rows)
    return {row.call_id: _decision(row, names.get(row.decided_by) or "A person") for row in rows}


def _decision(approval: Approval, name: str) -> Decision:
    note = {"note": approval.note} if approval.note else {}
    if approval.status == Status.APPROVED:
        edited = {"edited_by": name, "ran_with": json.loads(approval.edited)} if approval.edited else {}
        return Decision(approval.edited or approval.arguments, heard=edited | note)
    if approval.status == Status.REJECTED:
        said = results.error(f"{name} said no, so it was not run.", code="rejected", by=name, **note)
        return Decision(approval.arguments, (Refused.REJECTED, said))
    said = results.error("Nobody said yes or no in time, so it was not run.", code="expired")
    return Decision(approval.arguments, (Refused.EXPIRED, said))


# Of the person who decides.


def approve(approval_id: uuid.UUID, *, arguments: dict[str, Any] | None = None, note: str = "") -> Approval:
    """Say yes to a call, as it is or with other arguments, and answer it as it is then.

    Raises Approval.DoesNotExist, NotAllowed, DecidedAlready, BadArguments.
    """
    turn, approval = _opened(approval_id)
    if arguments is not None:
        if not may_edit(approval):
            raise NotYourCall
        approval.edited = _sound(approval, arguments)
    return _decided(turn, approval, "approval.approved", note, edited=bool(approval.edited))


def reject(approval_id: uuid.UUID, *, note: str = "") -> Approval:
    """Say no to a call, with a note for the model. Raises as `approve` does."""
    return _decided(*_opened(approval_id), "approval.rejected", note)


def _opened(approval_id: uuid.UUID) -> tuple[Turn, Approval]:
    """A call that still waits, and its turn, locked. Raises NotAllowed, DecidedAlready."""
    found = in_sight().get(id=approval_id)
    if not may_decide(found):
        require_role(found.workspace_id, "editor")
    turn = Turn.objects.select_for_update().get(id=found.turn_id)
    approval = in_sight().get(id=approval_id)
    if approval.status != Status.OPEN or approval.expires_at <= timezone.now():
        raise DecidedAlready(DecidedAlready.__doc__)
    return turn, approval


def _sound(approval: Approval, arguments: dict[str, Any]) -> str:
    """Edited arguments, as JSON; nothing where they are the model's own. Raises BadArguments."""
    text = storable(json.dumps(arguments, ensure_ascii=False))
    tool = catalog.TOOLS.get(approval.tool)
    if tool is None:
        raise BadArguments(f"There is no tool {approval.tool} any more.")
    try:
        given = tool.parsed(text)
    except ToolError as error:
        raise BadArguments(str(error)) from None
    return "" if given == tool.parsed(approval.arguments) else text


# What a decision is called in the audit log, and what the call is then.
_DECISIONS = {"approval.approved": Status.APPROVED, "approval.rejected": Status.REJECTED}


def _decided(turn: Turn, approval: Approval, action: str, note: str, **details: Any) -> Approval:
    approval.status, approval.note = _DECISIONS[action], storable(note).strip()[:NOTE_MAX]
    approval.decided_by, approval.decided_at = current_scope().user_id, timezone.now()
    approval.save(update_fields=["status", "note", "edited", "decided_by", "decided_at"])
    audit.record(action, approval, name=approval.tool, subject_id=turn.user_id, **details)
    _go_on(turn, [approval])
    return approval


# What happens by itself.


def expire(approval_id: uuid.UUID) -> None:
    """A call about which nobody decided in time: the turn goes on without it. Background work."""
    found = Approval.objects.get(id=approval_id)
    turn = Turn.objects.select_for_update().get(id=found.turn_id)
    approval = Approval.objects.get(id=approval_id)
    if approval.status != Status.OPEN or approval.expires_at > timezone.now():
        return
    approval.status, approval.decided_at = Status.EXPIRED, timezone.now()
    approval.save(update_fields=["status", "decided_at"])
    audit.record("approval.expired", approval, name=approval.tool, subject_id=turn.user_id)
    _go_on(turn, [approval])


def give_up(turn: Turn) -> list[Event]:
    """Nothing of a turn that ends waits any more; what followers are told of that."""
    waiting = list(Approval.objects.filter(turn=turn, status=Status.OPEN))
    for approval in waiting:
        approval.status, approval.decided_at = Status.CANCELLED, timezone.now()
    Approval.objects.bulk_update(waiting, ["status", "decided_at"])
    return [events.approval(each) for each in waiting]


def _go_on(turn: Turn, decided: Sequence[Approval]) -> None:
    """The turn joins the line again where it waits for nothing more.

    It is the same attempt that goes on: its worker gave it up, and died of nothing.
    """
    told = [events.approval(each) for each in decided]
    if turn.status != Turn.Status.AWAITING or Approval.objects.filter(turn=turn, status=Status.OPEN).exists():
        events.EventLog(turn).write(*told)
        return
    Turn.objects.filter(id=turn.id).update(status=Turn.Status.QUEUED, attempt=F("attempt") - 1)
    line.announce(turn, *told)
