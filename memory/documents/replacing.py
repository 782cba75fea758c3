"""A newer file of a name takes the place of the one before it in one moment: never neither, never both."""

from __future__ import annotations

from datetime import datetime

from memory.archival.states import show_documents
from memory.models import Document, Passage


def settle(document: Document, at: datetime) -> None:
    """Show the passages of a document that is ready, and end those of the versions before it; its own where a
    newer one is ready already. Its archive is held by the caller."""
    named = Document.objects.filter(
        archive_id=document.archive_id, name=document.name, status=Document.Status.READY
    )
    newer = named.filter(version__gt=document.version, retired_at=None)
    ended = {document.id} if newer.exists() else set()
    if document.retired_at is None:
        ended |= set(named.filter(version__lt=document.version).values_list("id", flat=True))
    Passage.objects.filter(document_id__in=ended, valid_to=None).update(valid_to=at)
    show_documents(ended | {document.id})
