"""Hits of every kind as the one search shows them: what each is, where exactly, and why it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from memory.models import IndexEntry
from memory.retrieval import Hit
from memory.web.highlight import Stretch, excerpt
from memory.web.reasons import Reason, around, in_short, on_left_branch, reasons_of
from memory.web.sourcing import part_of_document
from tenants.models import Workspace

Kind = IndexEntry.Kind
_FOR_MODELS = re.compile(r";? ?read (?:it|on) with message_read\([^)]*\)")
# What a hit is, in words, and its sign.
SHOWN: dict[str, tuple[Any, str]] = {
    Kind.MESSAGE: (_("Chat"), "chat"),
    Kind.SUMMARY: (_("Summary of a chat"), "chat"),
    Kind.BLOCK: (_("Memory block"), "memory"),
    Kind.PASSAGE: (_("Archive"), "archive"),
    Kind.SKILL: (_("Skill"), "skill"),
    "document": (_("Document"), "file"),
}


@dataclass(frozen=True)
class ShownHit:
    """A hit with its exact place; `current` is where what stands now is, for one that does not any more."""

    hit: Hit
    kind: str
    address: str
    current: str
    place: str
    stretches: list[Stretch]
    reasons: list[Reason]
    around: str
    contradicts: list[Hit]
    on_left_branch: str = ""

    @property
    def words(self) -> Any:
        """What it is."""
        return SHOWN[self.kind][0]

    @property
    def icon(self) -> str:
        """Its sign."""
        return SHOWN[self.kind][1]

    @property
    def percent(self) -> int:
        """The score as whole percent."""
        return round(self.hit.score * 100)

    @property
    def why(self) -> str:
        """What spoke most for it."""
        return in_short(self.reasons)


def shown_hits(hits: Sequence[Hit], query: str, *, is_everywhere: bool) -> list[ShownHit]:
    """Hits as a page shows them; one query for the names of workspaces, where there are several."""
    names = dict(Workspace.objects.values_list("id", "name")) if is_everywhere else {}
    return [
        ShownHit(
            hit=hit,
            kind="document" if hit.document_id else hit.kind,
            address=address_of(hit),
            current="" if hit.is_current else current_of(hit),
            place=names.get(hit.workspace_id, ""),
            stretches=excerpt(_read_by_people(hit), query),
            reasons=reasons_of(hit) if query else [],
            around=around(hit) if query else "",
            contradicts=others_of(hit, hits),
            on_left_branch=on_left_branch(hit),
        )
        for hit in hits
    ]


def others_of(hit: Hit, hits: Sequence[Hit]) -> list[Hit]:
    """The hits of a page that one of them contradicts."""
    return [other for other in hits if other.id in hit.contradicts]


def _read_by_people(hit: Hit) -> str:
    """A hit's text; in the summary of a chat the model is told which tool shows more, that is left out."""
    return _FOR_MODELS.sub("", hit.text) if hit.kind == Kind.SUMMARY else hit.text


def address_of(hit: Hit) -> str:
    """Where exactly a hit is: the message in its chat, the part in its document, the version of a block."""
    place = hit.workspace_id
    if hit.kind == Kind.MESSAGE:
        return reverse("message", args=[place, hit.id])
    if hit.kind == Kind.SUMMARY:
        return reverse("summary", args=[place, hit.container_id, hit.id])
    if hit.kind == Kind.BLOCK:
        return reverse("block-version", args=[place, hit.container_id, hit.number or 1])
    if hit.kind == Kind.SKILL:
        return reverse("skill", args=[place, hit.id])
    if hit.document_id and hit.is_current:
        return part_of_document(place, hit.document_id, hit.place)
    return reverse("passage", args=[place, hit.id])


def current_of(hit: Hit) -> str:
    """Where the text stands that took the place of one that is no longer current."""
    if hit.kind == Kind.BLOCK:
        return reverse("block", args=[hit.workspace_id, hit.container_id])
    if hit.kind == Kind.PASSAGE:
        return reverse("passage-newest", args=[hit.workspace_id, hit.id])
    return ""
