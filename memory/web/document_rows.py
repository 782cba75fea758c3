"""Documents as pages show them: what is being done with each, what went wrong and what to do."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from memory.archival import may_change
from memory.documents.faults import PASSING
from memory.documents.replacing import ids_out_of_use, unreplaced
from memory.documents.services import UNFINISHED
from memory.models import Document, Passage
from memory.web.names import names_of
from memory.web.unreadable import reason, sentence
from tenants.models import Workspace

A_PAGE = 50
ENDED_BADLY = (Document.Status.FAILED, Document.Status.CANCELLED)


@dataclass(frozen=True)
class ShownDocument:
    """A document with what a page says of it; `deleted` of its passages were deleted, beside the others."""

    document: Document
    who: str = ""
    passages: int = 0
    deleted: int = 0
    can_change: bool = False
    is_out_of_use: bool = False

    @property
    def is_working(self) -> bool:
        """Whether something is still to be done with it."""
        return self.document.status in UNFINISHED and self.document.retired_at is None

    @property
    def is_ready(self) -> bool:
        """Whether its passages can be found."""
        return self.document.status == Document.Status.READY

    @property
    def step(self) -> str:
        """What is being done at this moment, or what it is now, in words."""
        return step_of(self.document)

    @property
    def fault(self) -> str:
        """What went wrong and what to do about it; empty where nothing did."""
        if self.document.status != Document.Status.FAILED:
            return ""
        return sentence(self.document.fault)

    @property
    def reason(self) -> str:
        """What went wrong alone, in one sentence."""
        return reason(self.document.fault) if self.fault else ""

    @property
    def can_cancel(self) -> bool:
        """Whether the work on it can be ended."""
        return self.can_change and self.is_working

    @property
    def can_retry(self) -> bool:
        """Whether reading it once more may help: a file that is at fault itself stays as it is."""
        is_over = self.document.status in ENDED_BADLY and self.document.retired_at is None
        return self.can_change and is_over and self.document.fault in PASSING

    @property
    def empty_pages(self) -> int:
        """How many of its pages hold no text, most often since they are pictures."""
        return int(self.document.fault_facts.get("empty_pages", 0)) if self.is_ready else 0


def step_of(document: Document) -> str:
    """Waiting, reading page 3 of 120, filing, ready, failed, cancelled."""
    facts = {"done": min(document.done + 1, document.total), "total": document.total}
    if document.status == Document.Status.READING and document.total:
        return _("reading page %(done)s of %(total)s") % facts
    if document.status == Document.Status.FILING and document.total:
        return _("filing %(done)s of %(total)s") % {"done": document.done, "total": document.total}
    words = {
        Document.Status.WAITING: _("waiting to be read"),
        Document.Status.READING: _("reading"),
        Document.Status.FILING: _("filing"),
        Document.Status.READY: _("ready"),
        Document.Status.FAILED: _("not read"),
        Document.Status.CANCELLED: _("cancelled"),
    }
    return words[Document.Status(document.status)]


def shown_documents(documents: Sequence[Document]) -> list[ShownDocument]:
    """Documents as pages show them. Three queries, however many."""
    names = names_of((each.actor_kind, each.actor_id) for each in documents)
    counts = _counts([each.id for each in documents])
    out_of_use = ids_out_of_use([each.id for each in documents])
    return [
        ShownDocument(
            document=each,
            who=names.of(each.actor_kind, each.actor_id),
            passages=counts.get(each.id, (0, 0))[0],
            deleted=counts.get(each.id, (0, 0))[1],
            can_change=may_change(each),
            is_out_of_use=each.id in out_of_use,
        )
        for each in documents
    ]


def parts_of(ids: Sequence[uuid.UUID]) -> QuerySet[Passage]:
    """The passages of documents, deleted ones too: of one that was corrected only how it reads now."""
    corrections = Passage.objects.filter(supersedes=OuterRef("pk"))
    return Passage.objects.filter(~Exists(corrections), document__in=ids)


def _counts(ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, tuple[int, int]]:
    """How many passages each of these documents has, and how many that were deleted."""
    there, gone = (Count("id", filter=Q(retired_at__isnull=is_there)) for is_there in (True, False))
    rows = parts_of(ids).values("document_id").annotate(there=there, gone=gone)
    return {key: (there, gone) for key, there, gone in rows.values_list("document_id", "there", "gone")}


@dataclass(frozen=True)
class Wanted:
    """Which documents are asked for; all of it stands in the address."""

    query: str = ""
    archive: str = ""
    status: str = ""

    @property
    def is_set(self) -> bool:
        """Whether anything is asked for beyond the list as it is."""
        return bool(self.query or self.archive or self.status)


def documents_of(workspace: Workspace, wanted: Wanted) -> QuerySet[Document]:
    """The documents of a workspace, the newest first; older versions stand on the page of the newest."""
    is_deleted = wanted.status == "deleted"
    rows = Document.objects.filter(workspace=workspace, retired_at__isnull=not is_deleted)
    if not is_deleted:
        rows = rows.filter(archive__retired_at=None)
    if wanted.query:
        rows = rows.filter(name__icontains=wanted.query)
    if wanted.archive:
        rows = rows.filter(archive_id=wanted.archive)
    if wanted.status == "working":
        rows = rows.filter(status__in=UNFINISHED)
    elif wanted.status in Document.Status.values:
        rows = rows.filter(status=wanted.status)
    return unreplaced(rows).select_related("archive").order_by("-created_at", "-id")
