"""Finding what is remembered: one function, one narrow table, permission as a condition of the query."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import F, QuerySet, Value

from memory import lexical
from memory.models import IndexEntry, Message, Passage

QUERY_MAX = 1000
LIMIT_MAX = 100


class BadQuery(Exception):
    """A search needs words: letters, digits or characters, at most 1,000 of them."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.__doc__)


@dataclass(frozen=True)
class Filters:
    """Conditions before ranking. An empty collection means nothing is allowed; None means no condition."""

    kinds: Collection[str] | None = None
    containers: Collection[uuid.UUID] | None = None
    roles: Collection[str] | None = None
    tags: Collection[str] | None = None
    all_tags: bool = False
    since: datetime | None = None
    until: datetime | None = None
    without: uuid.UUID | None = None


@dataclass(frozen=True)
class Hit:
    """One record that was found, best first."""

    id: uuid.UUID
    kind: str
    container_id: uuid.UUID
    text: str
    role: str
    occurred_at: datetime
    score: float
    tags: list[str] = field(default_factory=list)
    source_id: uuid.UUID | None = None


@dataclass(frozen=True)
class Page:
    """A page of hits, and how many there are in all."""

    hits: list[Hit]
    total: int


def search(query: str, filters: Filters, *, limit: int = 10, offset: int = 0) -> Page:
    """Records with the query's words that the present scope may see. Raises BadQuery.

    An empty query with other conditions lists the newest.
    """
    if len(query) > QUERY_MAX:
        raise BadQuery()
    rows = _filtered(filters)
    if query.strip():
        words = lexical.query_lexemes(query)
        if not words:
            raise BadQuery()
        rows = _ranked(rows, words)
    else:
        rows = rows.annotate(score=Value(0.0)).order_by("-occurred_at", "-record_id")
    total = rows.count()
    entries = list(rows.defer("lexemes")[offset : offset + min(limit, LIMIT_MAX)])
    return Page(_with_texts(entries), total)


def _filtered(filters: Filters) -> QuerySet[IndexEntry]:
    rows = IndexEntry.objects.filter(state=IndexEntry.State.CURRENT)
    for lookup, wanted in (
        ("kind__in", filters.kinds),
        ("container_id__in", filters.containers),
        ("role__in", filters.roles),
    ):
        if wanted is not None:
            rows = rows.filter(**{lookup: list(wanted)})
    if filters.without:
        rows = rows.exclude(record_id=filters.without)
    if filters.tags is not None:
        rows = rows.filter(**{"tags__contains" if filters.all_tags else "tags__overlap": list(filters.tags)})
    if filters.since:
        rows = rows.filter(occurred_at__gte=filters.since)
    if filters.until:
        rows = rows.filter(occurred_at__lte=filters.until)
    return rows


def _ranked(rows: QuerySet[IndexEntry], words: list[str]) -> QuerySet[IndexEntry]:
    """Any of the words; the more of them a record has, the higher it stands."""
    joined = " | ".join("'" + word.replace("\\", "\\\\").replace("'", "''") + "'" for word in words)
    wanted = SearchQuery(joined, search_type="raw", config="simple")
    rows = rows.annotate(score=SearchRank(F("lexemes"), wanted))
    return rows.filter(lexemes=wanted).order_by("-score", "-occurred_at", "-record_id")


def _with_texts(entries: list[IndexEntry]) -> list[Hit]:
    """Texts are fetched for the winners only."""
    ids = {kind: [entry.record_id for entry in entries if entry.kind == kind] for kind in IndexEntry.Kind}
    messages = Message.objects.in_bulk(ids[IndexEntry.Kind.MESSAGE])
    passages = Passage.objects.in_bulk(ids[IndexEntry.Kind.PASSAGE])
    texts: dict[uuid.UUID, Message | Passage] = {**messages, **passages}
    return [
        Hit(
            id=entry.record_id,
            kind=entry.kind,
            container_id=entry.container_id,
            text=texts[entry.record_id].content,
            role=entry.role,
            occurred_at=entry.occurred_at,
            score=float(entry.score),  # type: ignore[attr-defined]
            tags=entry.tags,
            source_id=getattr(texts[entry.record_id], "source_id", None),
        )
        for entry in entries
        if entry.record_id in texts
    ]
