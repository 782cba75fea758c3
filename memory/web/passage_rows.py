"""Passages as lists show them: found by a search, the newest, or the deleted ones."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from memory import archival, retrieval
from memory.archival import may_change
from memory.models import Archive, Passage
from memory.retrieval import Hit
from memory.web.archive_filters import PassageFilter, end_of, midnight, tags_of
from memory.web.highlight import Stretch, excerpt
from memory.web.hits import others_of
from memory.web.names import Names, names_of
from memory.web.reasons import Reason, around, in_short, reasons_of
from memory.web.sourcing import ShownSource, Sources, sources_of
from tenants.models import Workspace

A_PAGE = 25
AT_ONCE = 10_000
"""The most passages that are deleted together."""


@dataclass(frozen=True)
class Row:
    """A passage with what a list says of it."""

    passage: Passage
    who: str
    source: ShownSource
    stretches: list[Stretch]
    reasons: list[Reason]
    score: float | None
    can_change: bool
    duplicates: int = 0
    contradicts: Sequence[Hit] = ()
    around: str = ""

    @property
    def percent(self) -> int:
        """The score as whole percent."""
        return round((self.score or 0) * 100)

    @property
    def why(self) -> str:
        """What spoke most for it."""
        return in_short(self.reasons)


@dataclass(frozen=True)
class Listed:
    """A page of passages, and how many there are in all; `worded` of them have any of the query's words."""

    rows: list[Row]
    total: int
    worded: int
    is_capped: bool
    notices: frozenset[str]
    has_more: bool


def page_of_passages(workspace: Workspace, form: PassageFilter, number: int, before: uuid.UUID) -> Listed:
    """A page of what the filter asks for and was written before a snapshot; page 1 is the first.

    Raises retrieval.BadQuery.
    """
    if form.errors or not form.containers:
        return Listed([], 0, 0, False, frozenset(), False)
    offset = (number - 1) * A_PAGE
    if form.is_of_deleted:
        return _deleted(workspace, form, offset)
    wanted = replace(form.wanted(workspace), before=before)
    found = retrieval.search(
        form.query, wanted, limit=A_PAGE, offset=offset, record_access=False, is_typed=True
    )
    looked_at = sum(1 + len(hit.duplicates) for hit in found.hits)
    return Listed(
        rows_of([hit.id for hit in found.hits], found.hits, form.query),
        found.total,
        found.worded,
        found.is_capped,
        frozenset(notice.code for notice in found.notices),
        looked_at >= A_PAGE and offset + looked_at < found.total,
    )


def ids_of_all(workspace: Workspace, form: PassageFilter) -> list[uuid.UUID]:
    """Every passage that the filter asks for, but for deleted ones; none where they are too many.

    None where words are looked for, too: a search orders everything by how well it fits, and ends nowhere.
    """
    if form.errors or form.is_of_deleted or form.query or not form.containers:
        return []
    found = retrieval.all_of(form.wanted(workspace), most=AT_ONCE + 1)
    return found if len(found) <= AT_ONCE else []


def seal_of(ids: Collection[uuid.UUID]) -> str:
    """Names exactly these passages, in any order: others have another seal."""
    return hashlib.sha256(b"".join(sorted(each.bytes for each in ids))).hexdigest()[:32]


def seal_of_all(workspace: Workspace, form: PassageFilter, listed: Listed) -> str:
    """The seal of all that the filter finds, of which a page shows some; "" where it shows all, or a seal
    would be of more or fewer than the page says."""
    if len(listed.rows) == listed.total or listed.is_capped:
        return ""
    ids = ids_of_all(workspace, form)
    return seal_of(ids) if len(ids) == listed.total else ""


def _deleted(workspace: Workspace, form: PassageFilter, offset: int) -> Listed:
    said = form.cleaned_data
    wanted = Q(workspace=workspace, archive__in=form.containers, retired_at__isnull=False)
    if form.query:
        wanted &= Q(content__icontains=form.query)
    if said["tag"]:
        wanted &= Q(tags__contains=tags_of(said["tag"]))
    if said["since"]:
        wanted &= Q(occurred_at__gte=midnight(said["since"]))
    if said["until"]:
        wanted &= Q(occurred_at__lte=end_of(said["until"]))
    rows = Passage.objects.filter(wanted).order_by("-retired_at", "-id")
    ids = list(rows.values_list("id", flat=True)[offset : offset + A_PAGE])
    total = rows.count()
    return Listed(rows_of(ids), total, total, False, frozenset(), offset + len(ids) < total)


def rows_of(ids: Sequence[uuid.UUID], hits: Sequence[Hit] = (), query: str = "") -> list[Row]:
    """These passages in their order, as lists show them. A fixed number of queries."""
    known = Passage.objects.select_related("source", "archive", "document").in_bulk(list(ids))
    passages = [known[key] for key in ids if key in known]
    sources = sources_of(passages)
    names = names_of((each.actor_kind, each.actor_id) for each in passages)
    by_id = {hit.id: hit for hit in hits}
    return [_row(each, by_id.get(each.id), hits, sources, names, query) for each in passages]


def _row(
    passage: Passage, hit: Hit | None, hits: Sequence[Hit], sources: Sources, names: Names, query: str
) -> Row:
    return Row(
        passage=passage,
        who=names.of(passage.actor_kind, passage.actor_id),
        source=sources.of(passage),
        stretches=excerpt(passage.content, query),
        reasons=reasons_of(hit) if hit and query else [],
        score=hit.score if hit and query else None,
        can_change=may_change(passage),
        duplicates=len(hit.duplicates) if hit else 0,
        contradicts=others_of(hit, hits) if hit else (),
        around=around(hit) if hit and query else "",
    )


def archives_of(workspace: Workspace) -> list[Archive]:
    """The archives of a workspace that are in use, by name."""
    return list(archival.archives(workspace.id))
