"""Telling the embedder, after commit, in which workspaces rows were written."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection, transaction
from django.dispatch import Signal

from memory.models import IndexEntry

# Sent after commit with tenant_id and workspace_id, once a transaction however many rows it wrote there.
entries_written = Signal()


@dataclass(frozen=True)
class Announcement:
    """What is called when the transaction is committed."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID

    def __call__(self) -> None:
        entries_written.send_robust(
            sender=IndexEntry, tenant_id=self.tenant_id, workspace_id=self.workspace_id
        )


def announce(places: Iterable[tuple[uuid.UUID, uuid.UUID]]) -> None:
    """Announce what is written in this transaction: tenants and workspaces. A savepoint that is rolled back
    takes its announcements along."""
    waiting = {call[1] for call in connection.run_on_commit}
    for place in places:
        told = Announcement(*place)
        if told not in waiting:
            transaction.on_commit(told)
