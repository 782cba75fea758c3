"""The one search: candidates from the database, one order out of them, and what is shown of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from django.utils import timezone

from memory.embedding.catalog import serving_models
from memory.retrieval.access import accesses
from memory.retrieval.candidates import Candidates, candidates, newest
from memory.retrieval.contradicting import mark_contradictions
from memory.retrieval.filters import LIMIT_MAX, QUERY_MAX, BadQuery, Filters, Weights
from memory.retrieval.fusion import Ranked, fuse
from memory.retrieval.hits import each_of, hits_of
from memory.retrieval.meaning import vectors
from memory.retrieval.question import read
from memory.retrieval.records import Hit, Notice, Page, Parts
from memory.retrieval.rerank import SecondStage
from memory.retrieval.second_stage import reordered
from memory.retrieval.sifting import Budget, within
from tenants.ids import uuid7


def search(
    query: str,
    filters: Filters,
    *,
    limit: int = 10,
    offset: int = 0,
    weights: Weights | None = None,
    second_stage: SecondStage | None = None,
    budget: Budget | None = None,
    record_access: bool = True,
    is_typed: bool = False,
) -> Page:
    """The page of hits from `offset` on, best first, of what the present scope may see. Raises BadQuery.

    An empty query with other conditions lists the newest. What has the words or is near in meaning is ranked,
    up to 200 records, and texts that say the same are one hit; the pages behind them list what else has any
    of the words, the newest first. In lists by time each record is a hit. Pages of one search fit together
    where all have the same `filters.before` (see `snapshot`). A budget leaves out of the page what would pass
    its tokens. Where somebody is typing the query, its last word may be the beginning of one.
    """
    limit = min(limit, LIMIT_MAX)
    if len(query) > QUERY_MAX:
        raise BadQuery()
    if not query.strip():
        return _listed(filters, limit, offset)
    now = _moment(filters)
    asked = read(query, today=timezone.localtime(now).date(), is_typed=is_typed)
    if not asked.words:
        raise BadQuery()
    near = vectors(query, filters)
    found = candidates(filters, asked, near)
    ranked = fuse(found.rows, asked, weights or Weights(), now=now)
    notices = _notices(found, near)
    if second_stage is not None:
        ranked, failed = reordered(query, ranked, second_stage)
        notices += failed
    hits = hits_of(ranked, offset + limit)
    known, hits = len(hits), hits[offset:]
    if known < offset + limit and found.total > len(ranked):
        behind = replace(filters, without=[*filters.without, *(each.candidate.record_id for each in ranked)])
        hits += _by_time(newest(behind, asked, limit=limit - len(hits), offset=max(offset - known, 0)))
    kept, left_out = within(mark_contradictions(hits), budget)
    if record_access:
        _note_access(ranked, kept)
    total = max(found.total, len(ranked))
    return Page(kept, total, found.is_capped, found.total, notices, left_out)


def snapshot() -> uuid.UUID:
    """What `Filters.before` is for the pages of one search: all that is written until now."""
    return uuid7()


def _moment(filters: Filters) -> datetime:
    """The moment that a search speaks of: that of its snapshot, so that recency is the same on each page."""
    now = timezone.now()
    if filters.before is None or filters.before >= uuid7():
        return now
    return datetime.fromtimestamp((filters.before.int >> 80) / 1000, UTC)


def _listed(filters: Filters, limit: int, offset: int) -> Page:
    found = newest(filters, None, limit=limit, offset=offset)
    return Page(_by_time(found), found.total, found.is_capped, found.total)


def _by_time(found: Candidates) -> list[Hit]:
    return each_of([Ranked(each, 0.0, Parts()) for each in found.rows])


def _notices(found: Candidates, models: Collection[str]) -> list[Notice]:
    """Whether meaning counted for all, for some or for none of what may be a hit; or nothing else did. What
    one of the `models` has read and has no vector for is not waited for: it never gets one."""
    asked = [each.model for each in found.rows] or serving_models()
    waits = any(name not in models for name in asked)
    is_near = any(each.similarity is not None for each in found.rows)
    notices = [Notice("partly_embedded" if is_near else "words_only")] if waits else []
    return [*notices, Notice("meaning_only")] if found.rows and not found.total else notices


def _note_access(ranked: Sequence[Ranked], hits: Sequence[Hit]) -> None:
    shown = {hit.id for hit in hits}
    rows = (each.candidate for each in ranked if each.candidate.record_id in shown)
    accesses.note((row.id, row.workspace_id) for row in rows)
