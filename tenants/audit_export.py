"""The audit log as a file: CSV, or one JSON object a line; oldest first, and never whole in memory."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection

from tenants.audit import Asked, search
from tenants.models import AuditEvent
from tenants.scope import Identity, scope

FIELDS = (
    *("id", "at", "actor_kind", "actor_id", "actor_name", "key_id", "action"),
    *("object_kind", "object_id", "object_name", "workspace_id", "workspace_name", "subject_id"),
    *("address", "request_id", "details"),
)
KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}
CHUNK = 1_000
# What a spreadsheet would take for the beginning of a formula, full-width signs included, which a Chinese or
# Japanese one takes too. Names are what people chose.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def export(identity: Identity, asked: Asked, kind: str) -> Iterator[str]:
    """The text of a file of one of KINDS, piece by piece. Each piece is read in a scope of its own, so who
    loses sight of the log gets no more of it."""
    if kind == "csv":
        # The mark tells a spreadsheet that this is UTF-8.
        yield "\ufeff" + ",".join(FIELDS) + "\r\n"
    last: uuid.UUID | None = None
    while True:
        found = _chunk(identity, asked, last)
        yield _csv(found) if kind == "csv" else "".join(map(_json, found))
        if len(found) < CHUNK:
            return
        last = found[-1].id


async def in_pieces(texts: Iterator[str]) -> AsyncIterator[str]:
    """Each piece is made in a thread when it is asked for, and none before."""
    while (piece := await _next(texts)) is not None:
        yield piece


@sync_to_async(thread_sensitive=False)
def _next(texts: Iterator[str]) -> str | None:
    return next(texts, None)


def _chunk(identity: Identity, asked: Asked, after: uuid.UUID | None) -> list[AuditEvent]:
    try:
        with scope(identity):
            rows = search(asked).order_by("id")
            return list((rows.filter(id__gt=after) if after else rows)[:CHUNK])
    finally:
        if not connection.in_atomic_block:
            connection.close()  # whoever takes the file may be slow


def _csv(events: Sequence[AuditEvent]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(map(_cells, events))
    return text.getvalue()


def _cells(event: AuditEvent) -> list[str]:
    values = _values(event) | {"details": json.dumps(event.details, ensure_ascii=False)}
    return [_harmless(str(value or "")) for value in values.values()]


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _json(event: AuditEvent) -> str:
    return json.dumps(_values(event), ensure_ascii=False) + "\n"


def _values(event: AuditEvent) -> dict[str, Any]:
    found = {name: getattr(event, name) for name in FIELDS}
    texts = {name: str(value) for name, value in found.items() if isinstance(value, uuid.UUID)}
    return found | texts | {"at": event.at.isoformat()}
