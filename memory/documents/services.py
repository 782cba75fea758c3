"""What can be done about documents: uploaded, cancelled, read again, deleted, brought back, looked into.

Reading them is a worker's work (`memory.documents.pipeline`), told of by `document_queued`.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from memory import audited, core, index, provenance
from memory.actors import Actor
from memory.archival.archives import held
from memory.archival.passages import checked_tags
from memory.archival.rights import may_change, needed_role
from memory.archival.states import show_documents
from memory.documents.files import MEDIA_TYPES, names, plain_name
from memory.documents.replacing import ids_out_of_use, settle, stand_again
from memory.documents.sniffing import sniff
from memory.governance import PEOPLE
from memory.models import Archive, Derivation, Document, DocumentFile, Passage
from tenants.permissions import require_role

# Sent after commit with tenant_id, workspace_id and document_id of a document that waits for a worker.
document_queued = Signal()

UNFINISHED = (Document.Status.WAITING, Document.Status.READING, Document.Status.FILING)


class DocumentBusy(Exception):
    """This document is being read at present. Cancel it first, or wait until it is ready."""


def upload(
    archive_id: uuid.UUID,
    name: str,
    data: bytes,
    *,
    actor: Actor,
    conversation_id: uuid.UUID | None = None,
    tags: Collection[str] = (),
) -> Document:
    """A file that is to be read into an archive; `tags` are put on each of its passages.

    The same bytes are there once: that document is answered, with `is_known` set, and read again where that
    failed. Another file of the same name supersedes the one that is there, once it is ready; beside one that
    the present person may not change it gets another name.
    Raises UnreadableDocument for what is no document at first sight, BadPassage, Archive.DoesNotExist,
    NotAllowed; nothing is stored then.
    """
    archive = Archive.objects.get(id=archive_id, retired_at=None)
    if actor.kind in PEOPLE:
        require_role(archive.workspace_id, "member")
    kind = sniff(data, name)
    archive = held(archive_id)
    digest = hashlib.sha256(data).hexdigest()
    known = _known(archive, digest)
    if known is not None:
        known.is_known = True
        return _queued_again(known) if known.status in _FELL else known
    document = Document(
        workspace_id=archive.workspace_id,
        archive=archive,
        name=_name_for(archive, plain_name(name)),
        kind=str(kind),
        media_type=MEDIA_TYPES[kind.format],
        size=len(data),
        digest=digest,
        actor_kind=actor.kind,
        actor_id=actor.id,
        conversation_id=conversation_id,
        tags=checked_tags(tags),
    )
    _store(document, data)
    audited.record("document.added", document, actor, size=document.size)
    return document


def cancel(document_id: uuid.UUID) -> Document:
    """Stop reading a document; nothing of it stays findable. One that is read already stays as it is.

    Raises Document.DoesNotExist, NotAllowed.
    """
    document = _locked(document_id)
    if document.status in UNFINISHED:
        document.status, document.lease_until = Document.Status.CANCELLED, None
        document.fault = "cancelled"
        document.save(update_fields=["status", "lease_until", "fault"])
        discard(document.id)
        audited.record("document.cancelled", document, core.by_me())
    return document


def read_again(document_id: uuid.UUID) -> Document:
    """Read a document's file anew. One that is ready serves until its successor is: that one is answered,
    also where it waits already.

    Raises Document.DoesNotExist, NotAllowed, DocumentBusy.
    """
    document = _locked(document_id)
    if document.status in UNFINISHED:
        raise DocumentBusy(DocumentBusy.__doc__)
    if waiting := _successor_of(document):
        return waiting
    audited.record("document.read_again", document, core.by_me())
    if document.status in _FELL:
        return _queued_again(document)
    data = bytes(DocumentFile.objects.values_list("data", flat=True).get(document=document))
    made = Document(**{name: getattr(document, name) for name in _OF_THE_FILE}, supersedes=document)
    _store(made, data)
    return made


def retire_document(document_id: uuid.UUID, *, retired: bool = True) -> Document:
    """Delete a document with its passages, undoably, or bring it back.

    What it had replaced stays as it is: who deletes a document wants less to be found, not an older text.
    That one is brought back like a deleted one, and stands again unless a newer one does.
    Raises Document.DoesNotExist, NotAllowed.
    """
    document = _locked(document_id)
    if (document.retired_at is not None) != retired or (not retired and ids_out_of_use([document.id])):
        document.retired_at = timezone.now() if retired else None
        document.save(update_fields=["retired_at"])
        _shown_as_it_is(document)
        audited.record("document.deleted" if retired else "document.brought_back", document, core.by_me())
    return document


def file_of(document_id: uuid.UUID) -> tuple[str, str, bytes]:
    """Name, media type and bytes of a document as it was uploaded. Raises Document.DoesNotExist."""
    document = Document.objects.get(id=document_id)
    data = DocumentFile.objects.values_list("data", flat=True).get(document=document)
    return document.name, document.media_type, bytes(data)


def text_of(document_id: uuid.UUID) -> str:
    """The text that was read out of a document; empty until it is. Raises Document.DoesNotExist."""
    document = Document.objects.get(id=document_id)
    text: str = DocumentFile.objects.values_list("text", flat=True).get(document=document)
    return text


def publish(document: Document) -> None:
    """Tell a worker about a waiting document, once this transaction is committed."""
    ids = {
        "tenant_id": document.tenant_id,
        "workspace_id": document.workspace_id,
        "document_id": document.id,
    }
    transaction.on_commit(lambda: document_queued.send_robust(sender=Document, **ids))


def discard(document_id: uuid.UUID) -> None:
    """Remove what an attempt that did not get to its end has filed: nobody has seen it."""
    passages = Passage.objects.filter(document_id=document_id)
    ids = list(passages.values_list("id", flat=True))
    if ids:
        index.forget("passage", ids)
        Derivation.objects.filter(child_id__in=ids).delete()
        passages.delete()


_OF_THE_FILE = (
    *("workspace_id", "archive", "name", "kind", "media_type", "size", "digest", "tags"),
    *("conversation_id", "actor_kind", "actor_id"),
)
_FELL = (Document.Status.FAILED, Document.Status.CANCELLED)


def _locked(document_id: uuid.UUID) -> Document:
    """A document that nobody else changes until the transaction ends; its archive first, as everywhere."""
    known = Document.objects.get(id=document_id)
    require_role(known.workspace_id, needed_role(known))
    Archive.objects.select_for_update(no_key=True).get(id=known.archive_id)
    rows = Document.objects.select_related("archive").select_for_update(of=("self",))
    return rows.get(id=document_id)


def _shown_as_it_is(document: Document) -> None:
    """Its passages go with it; when it comes back they stand, and those of the versions before it go."""
    if document.is_in_use:
        stand_again(document)
        settle(document, timezone.now())
    else:
        show_documents([document.id])


def _known(archive: Archive, digest: str) -> Document | None:
    """The document with these bytes, unless another file of its name has come after it: one that is read or
    will be, or, where it was not read itself, any."""
    rows = Document.objects.filter(archive=archive, digest=digest, retired_at=None)
    found = rows.order_by("-created_at", "-id").first()
    if found is None:
        return None
    later = Document.objects.filter(archive=archive, name=found.name, version__gt=found.version)
    later = later if found.status in _FELL else later.exclude(status__in=_FELL)
    return None if later.exists() else found


def _name_for(archive: Archive, name: str) -> str:
    """A name under which the present person may file: nobody ends what only others may change."""
    return next(each for each in names(name) if _is_free(archive, each))


def _is_free(archive: Archive, name: str) -> bool:
    rows = Document.objects.filter(archive=archive, name=name, retired_at=None)
    holder = rows.order_by("-version").first()
    return holder is None or may_change(holder)


def _successor_of(document: Document) -> Document | None:
    """What a document is being read anew as."""
    rows = Document.objects.filter(supersedes=document, digest=document.digest, status__in=UNFINISHED)
    return rows.order_by("-version").first()


def _store(document: Document, data: bytes) -> None:
    """Write a document that waits, as the newest of its name. Its archive is held."""
    named = Document.objects.filter(archive=document.archive, name=document.name)
    before = named.order_by("-version").first()
    document.supersedes = document.supersedes or before
    document.version = before.version + 1 if before else 1
    document.source = provenance.source_of_document(document.workspace_id, document.id, document.name)
    document.save(force_insert=True)
    DocumentFile.objects.create(workspace_id=document.workspace_id, document=document, data=data)
    publish(document)


def _queued_again(document: Document) -> Document:
    discard(document.id)
    document.status, document.attempt_base = Document.Status.WAITING, document.attempt
    document.fault, document.fault_facts, document.done, document.total = "", {}, 0, 0
    document.lease_until = None
    document.save()
    publish(document)
    return document
