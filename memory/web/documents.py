"""The documents of a workspace: uploaded, and listed with what is being done with each."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from memory import archival, core
from memory.documents import services
from memory.documents.faults import UnreadableDocument
from memory.documents.limits import FILE_BYTES
from memory.models import Archive, Document
from memory.web.document_rows import A_PAGE, Wanted, documents_of, shown_documents
from memory.web.passage_rows import archives_of
from memory.web.unreadable import sentence
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.templatetags.figures import figure
from tenants.web.doors import PageRequest, asked, is_uuid, show, workspace_page
from tenants.web.notes import note

SECTION = {"section": "documents"}


@require_http_methods(["GET", "POST"])
@workspace_page
def documents(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """GET: the documents, `?q=`, `?archive=`, `?status=` filter, `?after=` pages. POST: upload files."""
    if request.method == "POST":
        return _upload(request, workspace)
    archive = asked(request, "archive")
    wanted = Wanted(asked(request, "q"), archive if is_uuid(archive) else "", asked(request, "status"))
    rows = documents_of(workspace, wanted)
    after = asked(request, "after")
    if is_uuid(after):
        rows = rows.filter(id__lt=after)
    found = list(rows[: A_PAGE + 1])
    shown = shown_documents(found[:A_PAGE])
    context = SECTION | {
        "workspace": workspace,
        "wanted": wanted,
        "documents": shown,
        "is_working": any(each.is_working for each in shown),
        "more": _more(request, found[A_PAGE - 1]) if len(found) > A_PAGE else "",
        "archives": archives_of(workspace),
        "most": FILE_BYTES // 1_000_000,
        "can_add": has_role(workspace.id, "member"),
    }
    return show(request, "memory/documents.html", context, fragment="memory/_documents.html")


def _more(request: PageRequest, last: Document) -> str:
    asked_for = request.GET.copy()
    asked_for["after"] = str(last.id)
    return f"?{asked_for.urlencode()}"


def _upload(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Each file for itself: one that is refused does not keep the others out."""
    require_role(workspace.id, "member")
    archive = archive_to(workspace, request.POST.get("archive", ""))
    done = [upload_one(archive, each) for each in request.FILES.getlist("files")]
    if wants_json(request):
        return as_json(done)
    for outcome in done:
        if outcome["fault"]:
            messages.error(request, outcome["fault"])
        elif outcome["known"]:
            note(request, known_already(outcome))
    taken = [outcome for outcome in done if not outcome["fault"] and not outcome["known"]]
    if not done:
        messages.error(request, _("No file was chosen."))
    if taken:
        words = ngettext("%(files)s file is being read.", "%(files)s files are being read.", len(taken))
        note(request, words % {"files": figure(len(taken))})
    return redirect("documents", workspace)


def known_already(outcome: dict[str, Any]) -> str:
    """What is said of a file that was there before (see `told_of`), with a link to it."""
    return format_html('<a href="{}">{}</a>: {}', outcome["address"], outcome["name"], outcome["known"])


def archive_to(workspace: Workspace, chosen: str) -> Archive:
    """The archive that was chosen; where none was, the only or the first one, or one that is made for it.

    Raises Archive.DoesNotExist.
    """
    if chosen:
        if not is_uuid(chosen):
            raise Archive.DoesNotExist
        return Archive.objects.get(id=chosen, workspace=workspace, retired_at=None)
    found = archives_of(workspace)
    return found[0] if found else archival.create_archive(workspace_id=workspace.id, name=_("Documents"))


def upload_one(archive: Archive, file: UploadedFile[Any]) -> dict[str, Any]:
    """Take one file in, and tell what became of it: see `told_of`; `fault` is why it was refused."""
    name = str(file.name or "").replace("\x00", "") or _("unnamed")
    try:
        made = _take(archive, name, file)
    except UnreadableDocument as error:
        return {"name": name, "fault": f"{name}: {sentence(error.code)}"}
    return told_of(made) | {"fault": ""}


def _take(archive: Archive, name: str, file: UploadedFile[Any]) -> Document:
    if (file.size or 0) > FILE_BYTES:  # it is not read into memory to be refused
        raise UnreadableDocument("too_large")
    return services.upload(archive.id, name, file.read(), actor=core.by_me())


def told_of(made: Document) -> dict[str, Any]:
    """A document as a script is told of it."""
    return {
        "id": str(made.id),
        "name": made.name,
        "address": reverse("document", args=[made.workspace_id, made.id]),
        "state": reverse("document-state", args=[made.workspace_id, made.id]),
        "remove": reverse("document-delete", args=[made.workspace_id, made.id]),
        "known": _("This file is in the archive already.") if made.is_known else "",
    }


def wants_json(request: PageRequest) -> bool:
    """Whether a script sends one file and wants to know what became of it."""
    return request.headers.get("Accept") == "application/json"


def as_json(done: list[dict[str, Any]]) -> HttpResponse:
    """What became of a script's file; 422 where it was refused."""
    outcome = done[0] if done else {"name": "", "fault": _("No file was chosen.")}
    return JsonResponse(outcome, status=422 if outcome["fault"] else 201)


def document_in(workspace: Workspace, key: uuid.UUID) -> Document:
    """A document of a workspace, one that was deleted or replaced too. Raises Document.DoesNotExist."""
    return Document.objects.select_related("archive").get(workspace=workspace, id=key)
