"""What is embedded of a row: its text, and of a message also what was said around it.

A message's vector is the sum of its own and of its neighbours' vectors, by distance: on LoCoMo as good as
embedding the whole window's text, at a third of the cost, since each text is read once. What is on a chat's
live branch has neighbours on it alone. Who said it is no part of it (see `memory.retrieval.meaning`).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from memory.index.texts import records_of, text_of
from memory.models import IndexEntry, Passage
from tenants.scope import current_scope

LONGEST = 16_000
"""Characters of a text that are embedded: the mean of more parts than that says little of any of them."""
WEIGHTS = (0.5, 0.25)
"""Of the neighbours on each side, the next one first; the message's own weight is 1."""
NEIGHBOURS = f"""
SELECT own.id, near.step, near.content FROM memory_message own CROSS JOIN LATERAL (
  (SELECT m.content, row_number() OVER (ORDER BY m.position DESC) AS step
   FROM memory_message m WHERE m.tenant_id = own.tenant_id AND m.conversation_id = own.conversation_id
     AND m.position < own.position AND m.is_abandoned = own.is_abandoned
     AND m.role IN ('user', 'assistant') AND m.content <> ''
   ORDER BY m.position DESC LIMIT {len(WEIGHTS)})
  UNION ALL
  (SELECT m.content, row_number() OVER (ORDER BY m.position) AS step
   FROM memory_message m WHERE m.tenant_id = own.tenant_id AND m.conversation_id = own.conversation_id
     AND m.position > own.position AND m.is_abandoned = own.is_abandoned
     AND m.role IN ('user', 'assistant') AND m.content <> ''
   ORDER BY m.position LIMIT {len(WEIGHTS)})) near
WHERE own.tenant_id = %s AND own.workspace_id = ANY(%s) AND own.id = ANY(%s)
"""


@dataclass(frozen=True)
class Part:
    """A text whose vector is part of a row's, with its weight there; `own` where it is the row's own text."""

    text: str
    weight: float
    own: bool = True


def compose(entries: Sequence[IndexEntry]) -> dict[uuid.UUID, list[Part]]:
    """The parts of each row by the row's id, its own first; none where the record is gone or says nothing."""
    records = records_of(entries)
    near = _neighbours([each.record_id for each in entries if each.kind == IndexEntry.Kind.MESSAGE])
    found: dict[uuid.UUID, list[Part]] = {}
    for entry in entries:
        text = wording(entry.kind, records[entry.record_id]) if entry.record_id in records else ""
        found[entry.id] = [Part(text, 1.0), *near.get(entry.record_id, [])] if text else []
    return found


def wording(kind: str, record: object) -> str:
    """A record's text as it is embedded: a passage below its headings, all else as it stands."""
    text = text_of(kind, record)
    if not text.strip():
        return ""
    if isinstance(record, Passage) and record.headings:
        text = f"{' > '.join(record.headings)}\n{text}"
    return text[:LONGEST]


def _neighbours(message_ids: list[uuid.UUID]) -> dict[uuid.UUID, list[Part]]:
    """The parts that each message's neighbours lend it; one that waits for its place has none."""
    if not message_ids:
        return {}
    reach = current_scope()
    with connection.cursor() as cursor:
        cursor.execute(NEIGHBOURS, [reach.tenant_id, list(reach.workspaces), message_ids])
        rows = cursor.fetchall()
    found: dict[uuid.UUID, list[Part]] = {}
    for message_id, step, text in rows:
        part = Part(text[:LONGEST], WEIGHTS[step - 1], own=False)
        found.setdefault(message_id, []).append(part)
    return found
