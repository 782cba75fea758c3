"""The line of turns that wait for a worker: how one is put there, and how a worker hears of it."""

from __future__ import annotations

from django.db import transaction
from django.dispatch import Signal

from agents import events
from agents.events import Event, EventLog
from agents.models import Turn

# Sent after commit with tenant_id, workspace_id and turn_id of a turn that waits for a worker.
turn_queued = Signal()


def announce(turn: Turn, *before: Event) -> Event:
    """Tell followers, after what they are told `before`, and a worker, that a turn is queued."""
    *_, queued = EventLog(turn).write(*before, events.state(Turn.Status.QUEUED))
    publish(turn)
    return queued


def publish(turn: Turn) -> None:
    """Tell a worker about a queued turn, once this transaction is committed."""
    ids = {"tenant_id": turn.tenant_id, "workspace_id": turn.workspace_id, "turn_id": turn.id}
    transaction.on_commit(lambda: turn_queued.send_robust(sender=Turn, **ids))
