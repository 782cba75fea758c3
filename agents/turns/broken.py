"""Turns that break whoever takes them up: not claimed, not read, not ended. They are not tried for ever."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import Q
from django.utils import timezone

from agents import events
from agents.events import EventLog
from agents.models import Turn
from agents.turns import approvals, lease, line, results
from agents.turns.lease import Claim
from memory.models import Message
from tenants.scope import RowKey, scope

KIND = "internal"
# Classes of SQLSTATE: connection, transaction rolled back, resources, intervention. "Program limit exceeded"
# (54) is none of them: that a text is too long for an index does not pass.
PASSING = {"08", "40", "53", "57"}


def is_of_the_database(error: Exception) -> bool:
    """Whether it is the database that failed, and not the turn's data: such a turn is tried again as often as
    it takes."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state[:2] in PASSING


def put_down(key: RowKey, claimed: Claim | None, error: Exception) -> None:
    """Count that a turn broke its worker; after as many attempts as others have, it ends as failed.

    A claim that broke was rolled back, and so was its count. The end holds also where telling of it breaks.
    """
    with scope(key.background()):
        turn = _mine(key, claimed)
        if turn is None:
            return
        turn.attempt += claimed is None
        is_over = turn.attempt - turn.attempt_base >= lease.ATTEMPTS_MAX
        _end(turn, type(error).__name__) if is_over else _try_later(turn)
    if is_over:
        with scope(key.background()):
            _tell(turn)


def _mine(key: RowKey, claimed: Claim | None) -> Turn | None:
    """The turn, locked, where nobody else works on it."""
    rows = Turn.objects.select_for_update(of=("self",)).select_related("context__conversation")
    if claimed is not None:
        return rows.filter(id=key.row_id, status=Turn.Status.RUNNING, attempt=claimed.attempt).first()
    is_left = Q(status=Turn.Status.RUNNING, lease_until__lt=timezone.now())
    return rows.filter(Q(status=Turn.Status.QUEUED) | is_left, id=key.row_id).first()


def _try_later(turn: Turn) -> None:
    """The sweep finds it when the lease is over, as it finds one whose worker died."""
    if turn.status == Turn.Status.RUNNING:
        turn.lease_until = timezone.now() + timedelta(seconds=settings.TURN_LEASE)
    turn.save(update_fields=["attempt", "lease_until"])


def _end(turn: Turn, why: str) -> None:
    turn.status, turn.ended_at, turn.lease_until = Turn.Status.FAILED, timezone.now(), None
    turn.error_kind, turn.error_text = KIND, why
    turn.save(update_fields=["status", "ended_at", "lease_until", "attempt", "error_kind", "error_text"])
    if waiting := lease.next_in_line(turn.conversation_id):
        line.publish(waiting)


def _tell(turn: Turn) -> None:
    messages = list(Message.objects.filter(turn_id=turn.id).order_by("position"))
    messages += results.close(turn, messages)
    told = [events.error(KIND, turn.error_text, retryable=True), events.done(turn.status, messages)]
    EventLog(turn).write(*approvals.give_up(turn), *told)
