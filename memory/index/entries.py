"""One row of the narrow table: made of a record in Python, written in one statement however many there are.

A lexeme's places carry a weight: A in the record's own text, B to D in what stands around it: the messages
before, after and two away, the title and headings of a passage.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory import lexical
from memory.index.announcing import announce
from memory.models import IndexEntry

FORMAT = 2
PLACES_MAX = 8
"""Places of one lexeme in one weight: more add nothing to a score."""
LAST_PLACE = 16_383
PLACE_BYTES = 2
BYTES_MAX = 900_000
"""Of a `tsvector`, which holds 1,048,575 bytes: its neighbours may tell a message more words later."""

COLUMNS = {
    "id": "uuid",
    "tenant_id": "uuid",
    "workspace_id": "uuid",
    "kind": "text",
    "record_id": "uuid",
    "container_id": "uuid",
    "place": "bigint",
    "role": "text",
    "speaker": "text",
    "occurred_at": "timestamptz",
    "valid_from": "timestamptz",
    "valid_to": "timestamptz",
    "expires_at": "timestamptz",
    "state": "text",
    "trust": "smallint",
    "importance": "double precision",
    "access_count": "integer",
    "accessed_at": "timestamptz",
    "tags": "text[]",
    "length": "integer",
    "digest": "text",
    "lexemes": "tsvector",
    "format": "smallint",
    "embedded_by": "text",
}
# What stays as it is where a record's row is there already.
KEPT = {"id", "tenant_id", "kind", "record_id", "access_count", "accessed_at"}
NAMES = ", ".join(COLUMNS)
TYPED = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
# More words for rows that are there, which are to be embedded again; a message's place, where it has got one.
TELL = """
UPDATE memory_indexentry e
SET lexemes = e.lexemes || t.lexemes, place = coalesce(t.place, e.place), embedded_by = ''
FROM json_to_recordset(%(told)s) AS t(record_id uuid, lexemes tsvector, place bigint)
WHERE e.tenant_id = %(tenant)s AND e.kind = %(kind)s AND e.record_id = t.record_id
"""
WRITE = f"""
INSERT INTO memory_indexentry ({NAMES})
SELECT {NAMES} FROM json_to_recordset(%(rows)s) AS r({TYPED})
ON CONFLICT (tenant_id, kind, record_id) DO UPDATE SET
{", ".join(f"{name} = EXCLUDED.{name}" for name in COLUMNS if name not in KEPT)}
"""
# The same where something else of the kind changes too. Apart, since each part asks the policy once more.
WRITE_AND_TELL = f"""
WITH gone AS (
  DELETE FROM memory_indexentry
  WHERE tenant_id = %(tenant)s AND kind = %(kind)s AND record_id = ANY (%(without)s)),
told AS ({TELL})
{WRITE}
"""


@dataclass(frozen=True)
class Told:
    """Words for the row of a record, as the text of a `tsvector`, and its place where it has got one."""

    record_id: uuid.UUID
    lexemes: str
    place: int | None = None


def entry(
    kind: str,
    record: Any,
    container_id: uuid.UUID,
    text: str,
    around: Iterable[tuple[str, Iterable[str]]] = (),
    **fields: Any,
) -> IndexEntry:
    """The row of a record: its own words in weight A, and those `around` it by their weight."""
    words = lexical.words(text)
    made = IndexEntry(
        workspace_id=record.workspace_id,
        kind=kind,
        record_id=record.id,
        container_id=container_id,
        length=lexical.length(text),
        digest=digest(text),
        format=FORMAT,
        **fields,
    )
    made.lexemes = tsvector([("A", words), *around, ("A", lexical.last_characters(text))])
    return made


def digest(text: str) -> str:
    """The same for texts that read alike: whatever the case and the spaces."""
    alike = " ".join(text.casefold().split())
    return hashlib.blake2b(alike.encode(), digest_size=16).hexdigest()


def tsvector(parts: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Words by weight as the text of a `tsvector`: the first part's, then the next one's, as far as one may
    be long."""
    places: dict[str, dict[str, list[int]]] = {}
    place, room = 0, BYTES_MAX
    for weight, words in parts:
        for word in words:
            place = place + 1 if place < LAST_PLACE else LAST_PLACE
            if word not in places:
                room -= _bytes_of(word)
                if room < 0:
                    break
                places[word] = {}
            found = places[word].setdefault(weight, [])
            if len(found) < PLACES_MAX:
                found.append(place)
                room -= PLACE_BYTES
    return " ".join([f"{quoted(word)}:{_places(found)}" for word, found in places.items()])


def _bytes_of(word: str) -> int:
    """What a word takes in a `tsvector` without its places: brought to an even number, then a count."""
    length = len(word) if word.isascii() else len(word.encode())
    return length + length % 2 + PLACE_BYTES


def quoted(word: str) -> str:
    """A lexeme as it is written in a `tsvector` or `tsquery`."""
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def _places(found: dict[str, list[int]]) -> str:
    return ",".join([f"{place}{weight}" for weight, places in found.items() for place in places])


def write(
    entries: Sequence[IndexEntry], *, without: Collection[uuid.UUID] = (), told: Sequence[Told] = ()
) -> None:
    """Write rows of one kind in one statement, in the place of what there was of their records and of the
    records `without`; and give others of the kind the words that they are told."""
    if not entries:
        return
    for row in entries:
        row.check_scope()
    first = entries[0]
    rows = [{name: getattr(row, name) for name in COLUMNS} for row in entries]
    sql = WRITE_AND_TELL if without or told else WRITE
    _execute(sql, first.tenant_id, first.kind, told, rows=as_json(rows), without=list(without))
    announce({(row.tenant_id, row.workspace_id) for row in entries})


def tell(kind: str, told: Sequence[Told], place: tuple[uuid.UUID, uuid.UUID]) -> None:
    """Give rows that are there more words; `place` is the tenant and workspace that they lie in."""
    _execute(TELL, place[0], kind, told)
    announce({place})


def _execute(sql: str, tenant_id: uuid.UUID, kind: str, told: Sequence[Told], **more: Any) -> None:
    values: dict[str, Any] = {
        "tenant": tenant_id,
        "kind": kind,
        "told": as_json([vars(each) for each in told]),
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values | more)


def as_json(rows: list[dict[str, Any]]) -> str:
    """Rows as PostgreSQL's functions of JSON take them: ids and moments as texts."""
    return json.dumps(rows, default=_written)


def _written(value: uuid.UUID | datetime) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
