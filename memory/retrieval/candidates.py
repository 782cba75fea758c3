"""Asking the database for candidates: what has the words, and what is near in meaning, with both scores."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from typing import Any

from django.db import connection

from memory.index.entries import quoted
from memory.models import IndexEntry
from memory.retrieval.filters import Filters
from memory.retrieval.question import Question
from tenants.scope import current_scope

MOST = 100
COUNTED = 10_000
PLACES = (0.25, 0.4, 0.6, 1.0)
"""What a lexeme's places of weight D, C, B and A count; see `memory.index.entries`."""

SEARCH = "SELECT * FROM search_entries(%s::jsonb, %s::text[], %s::real[], %s::text[], %s::text[], %s)"
LISTED = "SELECT ids, total FROM list_entries(%s::jsonb, %s::text[], %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of the narrow table that may be a hit, with what each ranking says of it.

    `lexical` is the sum over the query's words of idf times a frequency between 0 and 1, `own` what its own
    text gives of that, `complete` about the sum of a row which has all that are not optional. Bit n of
    `matched` says whether its own text has word n. `similarity` is the inner product with the query's vector
    by the model `model`; None where that model has not read it.
    """

    id: uuid.UUID
    kind: str
    record_id: uuid.UUID
    container_id: uuid.UUID
    workspace_id: uuid.UUID
    place: int | None
    role: str
    speaker: str
    occurred_at: datetime
    valid_to: datetime | None
    state: str
    trust: int
    importance: float
    accessed_at: datetime | None
    tags: list[str]
    length: int
    digest: str
    lexical: float = 0.0
    own: float | None = None
    matched: int = 0
    model: str = ""
    similarity: float | None = None
    complete: float | None = None


_COLUMNS = [each.name for each in fields(Candidate) if each.default is MISSING]


@dataclass(frozen=True)
class Candidates:
    """What may be a hit, and how many rows were seen to have any of the words; `is_capped` where not all
    were counted."""

    rows: list[Candidate]
    total: int
    is_capped: bool


def candidates(
    filters: Filters, question: Question, vectors: Mapping[str, Sequence[float]], *, most: int = MOST
) -> Candidates:
    """Up to `most` rows of each ranking that the present scope sees; `vectors` has one per model."""
    optional = [n for n, word in enumerate(question.words, 1) if word in question.optional]
    asked: list[Any] = [
        _asked(filters, optional=optional),
        terms(question),
        list(PLACES),
        list(vectors),
        [_written(vector) for vector in vectors.values()],
        most,
    ]
    with connection.cursor() as cursor:
        cursor.execute(SEARCH, asked)
        rows = cursor.fetchall()
    found, is_common = rows[0][-2:] if rows else (0, False)
    return Candidates([Candidate(*row[:-2]) for row in rows], found or 0, bool(is_common))


def terms(question: Question) -> list[str]:
    """What is looked for, as the terms of a `tsquery`."""
    return [*map(quoted, question.words), *(f"{quoted(each)}:*" for each in question.beginnings)]


def newest(filters: Filters, question: Question | None, *, limit: int, offset: int) -> Candidates:
    """Rows by time, the newest first; those that have any of a query's words, where one is given. Counted up
    to 10,000."""
    words = terms(question) if question else []
    asked: list[Any] = [_asked(filters), words, limit, offset, COUNTED + 1]
    with connection.cursor() as cursor:
        cursor.execute(LISTED, asked)
        ids, total = cursor.fetchone() or ([], 0)
    entries = IndexEntry.objects.only(*_COLUMNS).in_bulk(ids) if ids else {}
    found = [_candidate(entries[key]) for key in ids if key in entries]
    return Candidates(found, min(total, COUNTED), total > COUNTED)


def all_of(filters: Filters, *, most: int) -> list[uuid.UUID]:
    """The records of all rows under these conditions, in no order, in two statements; at most so many."""
    with connection.cursor() as cursor:
        cursor.execute(LISTED, [_asked(filters), [], most, 0, 0])
        ids, _ = cursor.fetchone() or ([], 0)
    return list(IndexEntry.objects.filter(id__in=ids).values_list("record_id", flat=True)) if ids else []


def _candidate(entry: IndexEntry) -> Candidate:
    return Candidate(**{name: getattr(entry, name) for name in _COLUMNS})


def _asked(filters: Filters, **more: Any) -> str:
    """Conditions as JSON: those of the filters, and those of the first lock."""
    current_scope()
    held: dict[str, Any] = IndexEntry.objects.conditions()
    reach = held.get("workspace_id__in")
    locks = {
        "tenant": str(held["tenant_id"]) if "tenant_id" in held else None,
        "reach": None if reach is None else [str(each) for each in reach],
    }
    return json.dumps(
        {name: value for name, value in locks.items() if value is not None} | filters.asked() | more
    )


def _written(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"
