"""One document: what it is, its parts, its file as it was uploaded; cancelled, replaced, deleted."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory import core
from memory.documents import services
from memory.documents.faults import UnreadableDocument
from memory.documents.limits import FILE_BYTES
from memory.documents.replacing import newer_than, version_before
from memory.documents.services import DocumentBusy
from memory.models import Document
from memory.web.document_rows import parts_of, shown_documents
from memory.web.documents import SECTION, as_json, document_in, known_already, told_of, wants_json
from memory.web.presentation import messages_in_sight
from memory.web.sourcing import ShownSource
from memory.web.unreadable import sentence
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note, way_back

PARTS_A_PAGE = 20
WINDOW = 8_000  # characters of the extracted text that a page shows


@require_GET
@workspace_page
def document(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """A document with its parts; `?at=` shows those from around one of them, or the last."""
    found = document_in(workspace, document)
    shown = shown_documents([found])[0]
    rows = parts_of([found.id])
    last = rows.aggregate(last=Max("place"))["last"] or 0
    start = min(_number(asked(request, "at")), last) // PARTS_A_PAGE * PARTS_A_PAGE
    parts = rows.filter(place__gte=start, place__lt=start + PARTS_A_PAGE).order_by("place", "version")
    context = SECTION | {
        "workspace": workspace,
        "shown": shown,
        "document": found,
        "parts": list(parts.select_related("archive", "document")),
        "at": _number(asked(request, "at")) if asked(request, "at") else None,
        "before": start - PARTS_A_PAGE if start else None,
        "after": start + PARTS_A_PAGE if last >= start + PARTS_A_PAGE else None,
        "newer": _newer(found),
        "older": found.supersedes_id,
        "source": _where_attached(found),
        "most": FILE_BYTES // 1_000_000,
    }
    return show(request, "memory/document.html", context, fragment="memory/_document.html")


def _newer(found: Document) -> Document | None:
    """What has taken its place, or is on its way to it."""
    coming = Document.objects.filter(supersedes=found, retired_at=None).order_by("-id")
    return newer_than(found) or coming.first()


def _number(text: str) -> int:
    """A place or an offset from an address; 0 where it names none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _where_attached(found: Document) -> ShownSource | None:
    """The chat message to which a document was attached, where that is in sight."""
    message = str(found.message_id or "")
    if message not in messages_in_sight([message]):
        return None
    return ShownSource(_("a chat"), reverse("message", args=[found.workspace_id, message]), "chat")


@require_GET
@workspace_page
def state(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """How far a document is, in a line: for a chat, which looks again until it is read."""
    shown = shown_documents([document_in(workspace, document)])[0]
    context = SECTION | {"workspace": workspace, "shown": shown, "document": shown.document}
    return show(request, "memory/document_state.html", context, fragment="memory/_document_chip.html")


@require_GET
@workspace_page
def text(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """The text that was read out of a document, around `?at=`, with what ends at `?to=` marked."""
    found = document_in(workspace, document)
    whole = services.text_of(found.id)
    at, to = _number(asked(request, "at")), _number(asked(request, "to"))
    at = min(at, max(len(whole) - 1, 0))
    to = min(max(to, at), len(whole), at + WINDOW)
    start = max(at - WINDOW // 4, 0)
    end = min(start + WINDOW, len(whole))
    context = SECTION | {
        "workspace": workspace,
        "document": found,
        "lead": whole[start:at],
        "marked": whole[at:to],
        "rest": whole[to:end],
        "start": start,
        "end": end,
        "length": len(whole),
        "before": max(start - WINDOW, 0) if start else None,
        "after": end if end < len(whole) else None,
    }
    return show(request, "memory/document_text.html", context)


@require_GET
@workspace_page
def file(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """The file as it was uploaded: to be kept, never to be shown by this site."""
    name, _media_type, data = services.file_of(document_in(workspace, document).id)
    return HttpResponse(
        data,
        content_type="application/octet-stream",
        headers={
            "Content-Disposition": content_disposition_header(True, name) or "attachment",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, no-store",
        },
    )


@require_POST
@workspace_page
def replace(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """Upload a newer version: it takes the place of this one as soon as it is read."""
    found = document_in(workspace, document)
    require_role(workspace.id, "member")
    given = request.FILES.get("files")
    if given is None:
        return _told(request, found, {"name": found.name, "fault": _("No file was chosen.")})
    try:
        if (given.size or 0) > FILE_BYTES:
            raise UnreadableDocument("too_large")
        made = services.upload(found.archive_id, found.name, given.read(), actor=core.by_me())
    except UnreadableDocument as error:
        return _told(request, found, {"name": found.name, "fault": sentence(error.code)})
    if made.id == found.id:
        return _told(
            request, found, {"name": found.name, "fault": _("This is the same file: nothing changed.")}
        )
    return _told(request, made, told_of(made) | {"fault": ""})


def _told(request: PageRequest, found: Document, outcome: dict[str, Any]) -> HttpResponse:
    if wants_json(request):
        return as_json([outcome])
    if outcome["fault"]:
        messages.error(request, outcome["fault"])
    elif outcome["known"]:
        note(request, known_already(outcome))
    else:
        note(request, _("The newer version is being read. Until then the older one is found."))
    return redirect("document", request.workspace, found.id)


@require_POST
@workspace_page
def cancel(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """End the work on a document; it can be read again."""
    found = services.cancel(document_in(workspace, document).id)
    note(request, _("Cancelled."), undo=way_back("document-retry", workspace.id, found.id))
    return _where_it_was_asked(request, found)


def _where_it_was_asked(request: PageRequest, document: Document) -> HttpResponse:
    """The list of documents, as it was, where that is where the button stood; else the document's page."""
    listed = request.POST.get("list")
    if listed is None:
        return redirect("document", request.workspace, document.id)
    filters = QueryDict(listed).urlencode()
    return redirect(reverse("documents", args=[request.workspace]) + (f"?{filters}" if filters else ""))


@require_POST
@workspace_page
def retry(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """Read a document once more."""
    try:
        made = services.read_again(document_in(workspace, document).id)
    except DocumentBusy:
        messages.error(request, _("It is being read at this moment."))
        return _where_it_was_asked(request, document_in(workspace, document))
    note(request, _("It is read again."), undo=way_back("document-cancel", workspace.id, made.id))
    return _where_it_was_asked(request, made)


@require_POST
@workspace_page
def delete(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """Take a document and its passages out of search; the note brings them back."""
    found = document_in(workspace, document)
    services.retire_document(found.id)
    note(request, _what_is_deleted(found), undo=way_back("document-return", workspace.id, document))
    return redirect("documents", workspace)


def _what_is_deleted(found: Document) -> str:
    """What is said of it, with the way to the version before it, which is not found again by itself."""
    said = _("%(name)s is deleted, with its passages.") % {"name": found.name}
    before = version_before(found)
    if before is None:
        return said
    address = reverse("document", args=[found.workspace_id, before.id])
    other = _("Version %(number)s can be used again.") % {"number": before.version}
    return format_html('{} <a href="{}">{}</a>', said, address, other)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, document: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the document is found again."""
    found = document_in(workspace, document)
    services.retire_document(found.id, retired=False)
    note(request, _("It is back."), undo=way_back("document-delete", workspace.id, document))
    return redirect("document", workspace, document)
