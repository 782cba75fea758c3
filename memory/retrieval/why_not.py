"""Why a search did not find a record: the conditions that shut it out, or the place that it got.

A record out of the asker's sight is as one that is not there. What the conditions say is decided here once
more, beside the SQL of `memory.retrieval.functions`; a test holds both to one another.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db import connection
from django.utils import timezone

from memory.models import IndexEntry, Passage
from memory.retrieval.candidates import candidates, terms
from memory.retrieval.contradicting import mark_contradictions
from memory.retrieval.filters import Filters, Weights
from memory.retrieval.fusion import Ranked, fuse
from memory.retrieval.hits import hits_of
from memory.retrieval.meaning import vectors
from memory.retrieval.question import Question, read
from memory.retrieval.records import Hit, Parts


class Reason(StrEnum):
    """What kept a record from being shown, or that nothing did."""

    FOUND = "found"
    LOWER = "lower"
    ALIKE = "alike"
    NO_MATCH = "no_match"
    NO_WORDS = "no_words"
    OUT_OF_SIGHT = "out_of_sight"
    KIND = "kind"
    CONTAINER = "container"
    WORKSPACE = "workspace"
    ROLE = "role"
    SPEAKER = "speaker"
    DOCUMENT = "document"
    TAGS = "tags"
    TOO_EARLY = "too_early"
    TOO_LATE = "too_late"
    NOT_VALID_THEN = "not_valid_then"
    HIDDEN = "hidden"
    SUPERSEDED = "superseded"
    ABANDONED = "abandoned"
    EXPIRED = "expired"
    TRUST = "trust"
    LEFT_OUT = "left_out"
    WRITTEN_LATER = "written_later"


@dataclass(frozen=True)
class WhyNot:
    """The answer. `place` counts from 1 as pages of results do, where texts that say the same have one place;
    `score` and `parts` are the record's, `least` the score of the last one that was shown. `words` of the
    query stand in it, `missing` ones do not; `is_embedded` says whether a model has read it. `alike` is the
    record that stands for it."""

    reasons: tuple[Reason, ...]
    kind: str = ""
    place: int | None = None
    score: float | None = None
    least: float | None = None
    parts: Parts | None = None
    words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    is_embedded: bool = False
    alike: uuid.UUID | None = None


def why_not(
    query: str,
    filters: Filters,
    record_id: uuid.UUID,
    *,
    limit: int = 10,
    weights: Weights | None = None,
) -> WhyNot:
    """Why a search for `query` did not show a record among its first `limit` hits; it counts as no access."""
    return why_not_each(query, filters, [record_id], limit=limit, weights=weights)[record_id]


def why_not_each(
    query: str,
    filters: Filters,
    record_ids: Sequence[uuid.UUID],
    *,
    limit: int = 10,
    weights: Weights | None = None,
) -> dict[uuid.UUID, WhyNot]:
    """The same of several records, by id; the search is made once."""
    found = {entry.record_id: entry for entry in IndexEntry.objects.filter(record_id__in=record_ids)}
    asking = _Asking(query, filters, limit, weights or Weights(), tuple(found.values()), timezone.now())
    unseen = WhyNot((Reason.OUT_OF_SIGHT,))
    return {key: asking.of(found[key]) if key in found else unseen for key in record_ids}


@dataclass(frozen=True)
class _Asking:
    """A search that is asked about some of the rows that it might find; made when an answer needs it."""

    query: str
    filters: Filters
    limit: int
    weights: Weights
    entries: tuple[IndexEntry, ...]
    now: datetime

    def of(self, entry: IndexEntry) -> WhyNot:
        """Why it did not show a row."""
        if not self._asked.words:
            return WhyNot((Reason.NO_WORDS,), kind=entry.kind)
        if shut_out := tuple(_conditions(entry, self.filters, self.now)):
            return self._told(entry, shut_out)
        return self._placed(entry)

    def _placed(self, entry: IndexEntry) -> WhyNot:
        """What the order says of a record that no condition shuts out."""
        rank = next((n for n, each in enumerate(self._ranked) if each.candidate.id == entry.id), None)
        if rank is None:
            return self._told(entry, (Reason.NO_MATCH,))
        own, least = self._ranked[rank], min((hit.score for hit in self._page), default=None)
        told = {"score": own.score, "parts": own.parts, "least": least}
        if (place := _place_of(entry, self._page)) is None:
            down_to_it = hits_of(self._ranked[: rank + 1], rank + 1)
            return self._told(entry, (Reason.LOWER,), place=_place_of(entry, down_to_it), **told)
        hit = self._page[place - 1]
        if hit.id == entry.record_id:
            return self._told(entry, (Reason.FOUND,), place=place, **told)
        return self._told(entry, (Reason.ALIKE,), place=place, alike=hit.id, **told)

    def _told(self, entry: IndexEntry, reasons: tuple[Reason, ...], **more: Any) -> WhyNot:
        has = self._words.get(entry.id, ())
        missing = tuple(dict.fromkeys(word for word in self._asked.terms if word not in has))
        return WhyNot(
            reasons, entry.kind, words=has, missing=missing, is_embedded=entry.vector is not None, **more
        )

    @cached_property
    def _asked(self) -> Question:
        return read(self.query, today=timezone.localtime(self.now).date())

    @cached_property
    def _ranked(self) -> list[Ranked]:
        found = candidates(self.filters, self._asked, vectors(self.query, self.filters))
        return fuse(found.rows, self._asked, self.weights, now=self.now)

    @cached_property
    def _page(self) -> list[Hit]:
        """The first page, as the search shows it."""
        return mark_contradictions(hits_of(self._ranked, self.limit))

    @cached_property
    def _words(self) -> dict[uuid.UUID, tuple[str, ...]]:
        return _words_in(self.entries, self._asked)


def _place_of(entry: IndexEntry, hits: Sequence[Hit]) -> int | None:
    """Where a record stands among hits, from 1: itself, or what says the same."""
    keys = ({hit.id, *hit.duplicates} for hit in hits)
    return next((n for n, each in enumerate(keys, start=1) if entry.record_id in each), None)


def _conditions(entry: IndexEntry, filters: Filters, now: datetime) -> Iterator[Reason]:
    """The conditions that a row does not meet."""
    allowed = [
        (Reason.KIND, filters.kinds, entry.kind),
        (Reason.CONTAINER, filters.containers, entry.container_id),
        (Reason.WORKSPACE, filters.workspaces, entry.workspace_id),
        (Reason.ROLE, filters.roles, entry.role),
        (Reason.SPEAKER, _lower(filters.speakers), entry.speaker.lower()),
    ]
    yield from (reason for reason, values, own in allowed if values is not None and own not in values)
    fails = [
        (Reason.DOCUMENT, filters.documents is not None and _document_of(entry) not in filters.documents),
        (Reason.TAGS, not _tags_fit(entry, filters)),
        (Reason.TOO_EARLY, bool(filters.since and entry.occurred_at < filters.since)),
        (Reason.TOO_LATE, bool(filters.until and entry.occurred_at > filters.until)),
        (Reason.TRUST, filters.min_trust is not None and entry.trust < filters.min_trust),
        (Reason.LEFT_OUT, entry.record_id in filters.without),
        (Reason.WRITTEN_LATER, bool(filters.before and entry.id > filters.before)),
    ]
    yield from (reason for reason, is_failed in fails if is_failed)
    yield from _state(entry, filters, now)


def _lower(names: Collection[str] | None) -> Collection[str] | None:
    return None if names is None else {name.lower() for name in names}


def _state(entry: IndexEntry, filters: Filters, now: datetime) -> Iterator[Reason]:
    if entry.expires_at and entry.expires_at <= now:
        yield Reason.EXPIRED
    if entry.state == IndexEntry.State.HIDDEN:
        yield Reason.HIDDEN
    elif filters.as_of:
        begins = entry.valid_from or entry.occurred_at
        if begins > filters.as_of or (entry.valid_to and entry.valid_to <= filters.as_of):
            yield Reason.NOT_VALID_THEN
    elif entry.state not in filters.states:
        yield Reason(entry.state)


def _tags_fit(entry: IndexEntry, filters: Filters) -> bool:
    if filters.tags is None:
        return True
    wanted, own = set(filters.tags), set(entry.tags)
    if filters.tag_mode == "all":
        return wanted <= own
    return not wanted & own if filters.tag_mode == "none" else bool(wanted & own)


def _document_of(entry: IndexEntry) -> uuid.UUID | None:
    if entry.kind != IndexEntry.Kind.PASSAGE:
        return None
    return Passage.objects.filter(id=entry.record_id).values_list("document_id", flat=True).first()


def _words_in(entries: Sequence[IndexEntry], asked: Question) -> dict[uuid.UUID, tuple[str, ...]]:
    """The query's words that stand in each of some rows, their neighbours' words included."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.id, array_agg(w.n ORDER BY w.n) "
            "FROM memory_indexentry e, unnest(%s::text[]) WITH ORDINALITY w(word, n) "
            "WHERE e.tenant_id = %s AND e.id = ANY(%s) AND e.lexemes @@ w.word::tsquery GROUP BY e.id",
            [terms(asked), entries[0].tenant_id, [entry.id for entry in entries]],
        )
        return {
            key: tuple(dict.fromkeys(asked.terms[place - 1] for place in places))
            for key, places in cursor.fetchall()
        }
