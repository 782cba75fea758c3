"""Telling a worker, after commit, that a summary is to be made."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.dispatch import Signal

from agents.models import MainContext
from memory.models import Summary

# Sent after commit with tenant_id, workspace_id and row_id: of a context whose queue is filling, of a summary
# that is due to be made anew.
context_filling = Signal()
summary_due = Signal()


def announce(context: MainContext) -> None:
    """At the end of a turn: have a summary made where the turn has left the queue nearly full."""
    if context.is_filling:
        _send(context_filling, context)


def announce_due(summary: Summary) -> None:
    """Have a summary made anew."""
    _send(summary_due, summary)


def _send(signal: Signal, row: Any) -> None:
    ids = {"tenant_id": row.tenant_id, "workspace_id": row.workspace_id, "row_id": row.id}
    transaction.on_commit(lambda: signal.send_robust(sender=type(row), **ids))
