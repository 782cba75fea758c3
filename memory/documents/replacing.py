"""A newer file of a name takes the place of the one before it in one moment: never neither, never both."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from memory.archival.states import show_documents
from memory.models import Document, Passage


def settle(document: Document, at: datetime) -> None:
    """Show the passages of a document that is ready, and end those of the versions before it; its own where a
    newer one is ready already. Its archive is held by the caller."""
    named = _named_like(document)
    ended = {document.id} if newer_than(document) else set()
    if document.retired_at is None:
        ended |= set(named.filter(version__lt=document.version).values_list("id", flat=True))
    Passage.objects.filter(document_id__in=ended, valid_to=None).update(valid_to=at)
    show_documents(ended | {document.id})


def stand_again(document: Document) -> None:
    """Let a document that was replaced take its place again, with the corrections of its parts, where what
    had replaced it is gone. Its archive is held by the caller."""
    if newer_than(document) is None:
        parts = Passage.objects.filter(document_id=document.id)
        corrected = parts.filter(supersedes__isnull=False).values("supersedes")
        parts.exclude(id__in=corrected).exclude(valid_to=None).update(valid_to=None)


def ids_out_of_use(ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of some documents that were replaced by one that is deleted now, so that neither is found."""
    rows = Document.objects.filter(id__in=ids, status=Document.Status.READY, retired_at=None)
    parts = Passage.objects.filter(document=OuterRef("id"))
    ended = rows.filter(Exists(parts), ~Exists(parts.filter(valid_to=None)))
    return set(unreplaced(ended).values_list("id", flat=True)) if ids else set()


def unreplaced(rows: QuerySet[Document]) -> QuerySet[Document]:
    """Those of some documents in whose place no newer version stands."""
    newer = Document.objects.filter(
        archive=OuterRef("archive"), name=OuterRef("name"), version__gt=OuterRef("version")
    )
    return rows.filter(~Exists(newer.filter(status=Document.Status.READY, retired_at=None)))


def newer_than(document: Document) -> Document | None:
    """The document that stands in the place of another one of its name."""
    rows = _named_like(document).filter(version__gt=document.version, retired_at=None)
    return rows.order_by("-version").first()


def version_before(document: Document) -> Document | None:
    """The one that could stand in the place of a document that is deleted."""
    rows = _named_like(document).filter(version__lt=document.version, retired_at=None)
    return None if newer_than(document) else rows.order_by("-version").first()


def _named_like(document: Document) -> QuerySet[Document]:
    return Document.objects.filter(
        archive_id=document.archive_id, name=document.name, status=Document.Status.READY
    )
