"""What changes of entries when their records do: hidden, shown, superseded, gone."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from memory.index.announcing import announce
from memory.models import IndexEntry
from tenants.scope import current_scope

HIDDEN, CURRENT, SUPERSEDED = (
    IndexEntry.State.HIDDEN,
    IndexEntry.State.CURRENT,
    IndexEntry.State.SUPERSEDED,
)


def hide(kind: str, container_id: uuid.UUID, *, hidden: bool = True) -> None:
    """Take everything of a container out of search, or bring it back."""
    _set_hidden(hidden, kind=kind, container_id=container_id)


def hide_records(kind: str, record_ids: Collection[uuid.UUID], *, hidden: bool = True) -> None:
    """Take records out of search, or bring them back: as current ones, or as superseded where they were."""
    _set_hidden(hidden, kind=kind, record_id__in=list(record_ids))


def supersede(kind: str, record_ids: Collection[uuid.UUID], at: datetime) -> None:
    """Records stood until a moment; they are found in the history from now on. Hidden ones stay hidden."""
    rows = IndexEntry.objects.filter(kind=kind, record_id__in=list(record_ids), valid_to=None)
    rows.update(valid_to=at)
    rows = IndexEntry.objects.filter(kind=kind, record_id__in=list(record_ids), state=CURRENT)
    rows.update(state=SUPERSEDED)


def describe(kind: str, record_id: uuid.UUID, **fields: Any) -> None:
    """Set tags, importance or expiry of a record's entry."""
    IndexEntry.objects.filter(kind=kind, record_id=record_id).update(**fields)


def forget(kind: str, record_ids: Collection[uuid.UUID]) -> None:
    """Nothing of these records is left in the index."""
    IndexEntry.objects.filter(kind=kind, record_id__in=list(record_ids)).delete()


def _set_hidden(hidden: bool, **which: Any) -> None:
    rows = IndexEntry.objects.filter(**which)
    if hidden:
        rows.exclude(state=HIDDEN).update(state=HIDDEN)
        return
    rows.filter(state=HIDDEN, valid_to=None).update(state=CURRENT)
    rows.filter(state=HIDDEN, valid_to__isnull=False).update(state=SUPERSEDED)
    scope = current_scope()
    announce({(scope.tenant_id, workspace_id) for workspace_id in scope.workspaces})
