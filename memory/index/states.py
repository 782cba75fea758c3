"""What changes of entries when their records do: hidden, shown, superseded, gone.

Whoever writes several rows of the index that are there, and waits for them, locks them first, by their ids in
ascending order (`held`, or ORDER BY id FOR NO KEY UPDATE in the statement). Words that neighbours tell each
other are written by who holds the chat. Who works for nobody in particular, the embedder and the counting of
accesses, waits for no row: it skips what others hold. So nobody waits in a circle.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Case, F, QuerySet, Value, When
from django.db.models.functions import Coalesce

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
    found = IndexEntry.objects.filter(kind=kind, record_id__in=list(record_ids))
    state = Case(When(state=CURRENT, then=Value(SUPERSEDED)), default=F("state"))
    held(found).update(valid_to=Coalesce("valid_to", Value(at)), state=state)


def describe(kind: str, record_id: uuid.UUID, **fields: Any) -> None:
    """Set tags, importance or expiry of a record's entry."""
    IndexEntry.objects.filter(kind=kind, record_id=record_id).update(**fields)


def forget(kind: str, record_ids: Collection[uuid.UUID]) -> None:
    """Nothing of these records is left in the index."""
    held(IndexEntry.objects.filter(kind=kind, record_id__in=list(record_ids))).delete()


def held(rows: QuerySet[IndexEntry]) -> QuerySet[IndexEntry]:
    """These rows as they are once they are locked, one after the other; nobody else writes them until the
    transaction ends."""
    ids = rows.order_by("id").select_for_update(no_key=True).values_list("id", flat=True)
    return IndexEntry.objects.filter(id__in=list(ids))


def _set_hidden(hidden: bool, **which: Any) -> None:
    rows = IndexEntry.objects.filter(**which)
    if hidden:
        held(rows.exclude(state=HIDDEN)).update(state=HIDDEN)
        return
    shown = Case(When(valid_to=None, then=Value(CURRENT)), default=Value(SUPERSEDED))
    held(rows.filter(state=HIDDEN)).update(state=shown)
    scope = current_scope()
    announce({(scope.tenant_id, workspace_id) for workspace_id in scope.workspaces})
