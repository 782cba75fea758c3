"""Reading a document, step by step, by one worker at a time: claimed, read in a process of its own, filed.

Who works on it holds a lease, fenced by the attempt's number, and renews it with each step. What a dead
worker has filed is removed by the next one; nobody has seen it, since passages show only when the document is
ready. After three attempts it fails: a file that kills its reader is not read for ever. No transaction is
open while the file is read.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from memory.archival.storing import store
from memory.documents import isolation
from memory.documents.chunking import Chunk, chunks
from memory.documents.faults import UnreadableDocument
from memory.documents.isolation import Reading
from memory.documents.replacing import settle
from memory.documents.services import discard
from memory.models import Archive, Document, DocumentFile, Passage, Trust
from tenants.scope import Identity, in_background, scope

ATTEMPTS_MAX = 3
BATCH = 200
# Between two looks at whether it was cancelled, which also tell how far it is.
BEAT_SECONDS = 1.0
HEADING_MAX = 300
# So many leases it takes at the most to cut a text: 5 million characters are 2 seconds of a processor.
CUTTING = 4


class Lost(Exception):
    """Another worker has this document, or a person has cancelled it. Write nothing more."""


@dataclass(frozen=True)
class Work:
    """A document that is ours, as attempt number `attempt`."""

    identity: Identity
    document_id: uuid.UUID
    attempt: int


def read(tenant_id: uuid.UUID, workspace_id: uuid.UUID, document_id: uuid.UUID) -> None:
    """Do all the work on a document that waits or was left alone; nothing where somebody else has it."""
    work = claim(in_background(tenant_id, workspace_id), document_id)
    if work is None:
        return
    try:
        _file(work, _read(work))
    except UnreadableDocument as fault:
        _fail(work, fault)
    except Lost:
        return


def claim(identity: Identity, document_id: uuid.UUID) -> Work | None:
    """Take a document; it fails here where all attempts are used up. None where it is not to be had."""
    now = timezone.now()
    is_left_alone = Q(status__in=[Document.Status.READING, Document.Status.FILING], lease_until__lt=now)
    with scope(identity):
        rows = Document.objects.filter(Q(status=Document.Status.WAITING) | is_left_alone, id=document_id)
        if not rows.update(
            status=Document.Status.READING, attempt=F("attempt") + 1, lease_until=_lease(), done=0, total=0
        ):
            return None
        document = Document.objects.get(id=document_id)
        discard(document_id)
    work = Work(identity, document_id, document.attempt)
    if document.attempt - document.attempt_base > ATTEMPTS_MAX:
        _fail(work, UnreadableDocument("crashed"))
        return None
    return work


def _read(work: Work) -> Reading:
    """The text, with pages as its progress. Raises UnreadableDocument, Lost."""
    with scope(work.identity):
        row = DocumentFile.objects.select_related("document").get(document_id=work.document_id)
        name, data = row.document.name, bytes(row.data)
    pulse = _Pulse(work)
    reading = isolation.read_document(data, name, on_progress=pulse)
    if pulse.is_lost:
        raise Lost
    return reading


class _Pulse:
    """Tells how far it is, at most once a second; answers whether to go on."""

    def __init__(self, work: Work) -> None:
        self.work, self.told_at, self.is_lost = work, 0.0, False

    def __call__(self, done: int, total: int) -> bool:
        if time.monotonic() - self.told_at >= BEAT_SECONDS:
            self.told_at = time.monotonic()
            with scope(self.work.identity):
                self.is_lost = not _hold(self.work, done=done, total=total)
        return not self.is_lost


def _file(work: Work, reading: Reading) -> None:
    """Cut the text, file the parts, and show them all at once. Raises Lost."""
    with scope(work.identity):
        # A long text is cut in one go: nobody is to take the document for left alone meanwhile.
        _require(work, status=Document.Status.FILING, done=0, total=0, lease_until=_lease(CUTTING))
    parts = chunks(reading.pieces)
    with scope(work.identity):
        _require(
            work,
            total=len(parts),
            kind=str(reading.kind),
            pages=reading.pages or None,
            characters=len(reading.text),
            fault_facts={"empty_pages": reading.empty_pages} if reading.empty_pages else {},
        )
        DocumentFile.objects.filter(document_id=work.document_id).update(text=reading.text)
    for start in range(0, len(parts), BATCH):
        with scope(work.identity):
            _require(work, done=start)
            _store(work, parts[start : start + BATCH], start)
    with scope(work.identity):
        _finish(work, len(parts))


def _store(work: Work, parts: Sequence[Chunk], start: int) -> None:
    document = Document.objects.select_related("archive", "source").get(id=work.document_id)
    passages = [_passage(document, part, place) for place, part in enumerate(parts, start=start)]
    store(passages, parent=("document", document.id), hidden=True)


def _passage(document: Document, part: Chunk, place: int) -> Passage:
    return Passage(
        workspace_id=document.workspace_id,
        archive=document.archive,
        document=document,
        content=part.text,
        tags=document.tags,
        trust=Trust.UNTRUSTED,
        actor_kind=document.actor_kind,
        actor_id=document.actor_id,
        source=document.source,
        occurred_at=document.created_at,
        place=place,
        page=part.page,
        page_to=part.last_page,
        start=part.start,
        end=part.end,
        headings=[heading[:HEADING_MAX] for heading in part.headings],
    )


def _finish(work: Work, parts: int) -> None:
    """The document is ready: its passages show, and those of the file before it do no longer. Raises Lost."""
    document = Document.objects.get(id=work.document_id)
    # Two files of one name do not finish at the same moment.
    Archive.objects.select_for_update(no_key=True).get(id=document.archive_id)
    now = timezone.now()
    _require(
        work, status=Document.Status.READY, done=parts, total=parts, ready_at=now, lease_until=None, fault=""
    )
    document.refresh_from_db()
    settle(document, now)


def _fail(work: Work, fault: UnreadableDocument) -> None:
    """The document cannot be read, and says why; of one that was cancelled there is nothing to say."""
    facts: dict[str, Any] = getattr(fault, "facts", {})
    with scope(work.identity):
        if _hold(work, status=Document.Status.FAILED, fault=fault.code, fault_facts=facts, lease_until=None):
            discard(work.document_id)


def _require(work: Work, **changes: Any) -> None:
    if not _hold(work, **changes):
        raise Lost


def _hold(work: Work, **changes: Any) -> bool:
    """Renew the lease and write; answers whether the document is still ours."""
    rows = Document.objects.filter(
        id=work.document_id,
        attempt=work.attempt,
        status__in=[Document.Status.READING, Document.Status.FILING],
    )
    return bool(rows.update(**{"lease_until": _lease()} | changes))


def _lease(times: int = 1) -> datetime:
    return timezone.now() + timedelta(seconds=times * settings.DOCUMENT_LEASE)
