"""The archive browser: archives, their passages newest first or found; archives made and gone."""

from __future__ import annotations

import uuid
from operator import attrgetter
from typing import Any

from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memory import archival
from memory.archival import BadArchive
from memory.models import Archive, Passage
from memory.retrieval import BadQuery
from memory.web.archive_filters import PassageFilter, parsed
from memory.web.archive_forms import ArchiveForm
from memory.web.paging import page_number, page_or_last, snapshot_of
from memory.web.passage_rows import A_PAGE, Listed, archives_of, page_of_passages, seal_of_all
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page
from tenants.web.notes import note, sent, way_back

SECTION = {"section": "archive"}
NOTHING = Listed([], 0, 0, False, frozenset(), False)


@require_GET
@workspace_page
def archive(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The passages of all archives; filters stand in the address, `?page=` pages."""
    return _browse(request, workspace, None)


@require_GET
@workspace_page
def archive_one(request: PageRequest, workspace: Workspace, archive: uuid.UUID) -> HttpResponse:
    """The same for one archive, with what can be done to it."""
    return _browse(request, workspace, Archive.objects.get(id=archive, workspace=workspace))


def _browse(request: PageRequest, workspace: Workspace, chosen: Archive | None) -> HttpResponse:
    archives = archives_of(workspace)
    offered = archives if chosen is None or chosen.retired_at is None else [*archives, chosen]
    form = filter_of(request, offered, chosen)
    before = snapshot_of(request)
    number, listed, refusal = _looked_up(workspace, form, page_number(request), before)
    can_govern = has_role(workspace.id, "editor")
    context = {
        "workspace": workspace,
        "form": form,
        "archives": archives if is_fragment(request) else _counted(archives),
        "chosen": chosen,
        "listed": listed,
        "refusal": refusal,
        "page": number,
        "snapshot": before,
        "page_before": number - 1,
        "page_after": number + 1,
        "here": _here(workspace, chosen),
        "can_add": has_role(workspace.id, "member"),
        "can_govern": can_govern,
        "seal": seal_of_all(workspace, form, listed) if can_govern else "",
    }
    return show(request, "memory/archive.html", SECTION | context, fragment="memory/_passages.html")


def filter_of(request: PageRequest, archives: list[Archive], chosen: Archive | None) -> PassageFilter:
    """The filter of the address; an address that names an archive is about that one."""

    def given(name: str) -> str:
        return str(chosen.id) if name == "archive" and chosen else asked(request, name)

    return parsed(given, archives=archives)


def _looked_up(
    workspace: Workspace, form: PassageFilter, number: int, before: uuid.UUID
) -> tuple[int, Listed, str]:
    """The page that there is, and what is found on it; or why nothing can be."""
    if form.errors:
        return 1, NOTHING, _("The filter cannot be understood.")

    def page(each: int) -> Listed:
        return page_of_passages(workspace, form, each, before)

    try:
        return *page_or_last(number, A_PAGE, page, attrgetter("rows")), ""
    except BadQuery:
        return 1, NOTHING, _("There is no word in this to look for.")


def _counted(archives: list[Archive]) -> list[tuple[Archive, int]]:
    """Archives, each with how many passages stand in it."""
    standing = Passage.objects.filter(Passage.standing(), archive__in=archives)
    rows = standing.values("archive_id").annotate(count=Count("id")).order_by()
    counts = dict(rows.values_list("archive_id", "count"))
    return [(each, counts.get(each.id, 0)) for each in archives]


def _here(workspace: Workspace, chosen: Archive | None) -> str:
    if chosen is None:
        return reverse("archive", args=[workspace])
    return reverse("archive-one", args=[workspace, chosen.id])


@require_http_methods(["GET", "POST"])
@workspace_page
def new_archive(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new archive, empty."""
    require_role(workspace.id, "editor")
    form = ArchiveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = archival.create_archive(workspace_id=workspace.id, **form.cleaned_data)
        except BadArchive as error:
            form.add_error(error.field, refused(error))
        else:
            return redirect("archive-one", workspace, made.id)
    return _form(request, {"workspace": workspace, "form": form})


@require_http_methods(["GET", "POST"])
@workspace_page
def edit_archive(request: PageRequest, workspace: Workspace, archive: uuid.UUID) -> HttpResponse:
    """Another name or description."""
    found = Archive.objects.get(id=archive, workspace=workspace)
    require_role(workspace.id, "editor")
    before = {"name": found.name, "description": found.description}
    form = ArchiveForm(sent(request, "name"), initial=before)
    if request.method == "POST" and form.is_valid():
        try:
            archival.change_archive(found.id, **form.cleaned_data)
        except BadArchive as error:
            form.add_error(error.field, refused(error))
        else:
            undo = way_back("archive-edit", workspace.id, archive, **before) if form.has_changed() else ""
            note(request, _("Saved."), undo=undo)
            return redirect("archive-one", workspace, archive)
    return _form(request, {"workspace": workspace, "form": form, "chosen": found})


def _form(request: PageRequest, context: dict[str, Any]) -> HttpResponse:
    status = 422 if context["form"].errors else 200
    return show(request, "memory/archive_form.html", SECTION | context, status=status)


def refused(error: BadArchive) -> str:
    """Why an archive cannot be like this."""
    if error.field == "name":
        return _("A name is one line of 1 to 120 characters.")
    return _("The description is too long.")


@require_POST
@workspace_page
def delete_archive(request: PageRequest, workspace: Workspace, archive: uuid.UUID) -> HttpResponse:
    """Take an archive out of every view with its passages and documents; the note brings it back."""
    found = Archive.objects.get(id=archive, workspace=workspace)
    archival.retire_archive(found.id)
    said = _("The archive %(name)s is deleted, with what is in it.") % {"name": found.name}
    note(request, said, undo=way_back("archive-return", workspace.id, archive))
    return redirect("archive", workspace)


@require_POST
@workspace_page
def bring_back_archive(request: PageRequest, workspace: Workspace, archive: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the archive is there again, with what was in it."""
    found = Archive.objects.get(id=archive, workspace=workspace)
    archival.retire_archive(found.id, retired=False)
    note(request, _("It is back."), undo=way_back("archive-delete", workspace.id, archive))
    return redirect("archive-one", workspace, archive)
