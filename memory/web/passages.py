"""One passage: read, added by hand, corrected, put away. An edit is a correction: what was there stays."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memory import archival, core
from memory.archival import BadPassage, NewPassage, may_change
from memory.models import Archive, Passage
from memory.stale import StaleVersion
from memory.web.archive_forms import CorrectionForm, NewPassageForm, PassageForm, typed
from memory.web.clashes import clash
from memory.web.passage_facts import facts_of
from memory.web.passage_rows import archives_of
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note, way_back

SECTION = {"section": "archive"}


@require_GET
@workspace_page
def passage(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """A passage with its source, its versions, what is like it, and what was made of what."""
    found = passage_in(workspace, passage)
    context = SECTION | {"passage": found, "facts": facts_of(found), "can_change": may_change(found)}
    return show(request, "memory/passage.html", context)


@require_GET
@workspace_page
def newest(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """Leads to what stands now in the place of a passage that was corrected."""
    found = archival.newest_of(passage_in(workspace, passage))
    return redirect("passage", workspace, found.id)


def passage_in(workspace: Workspace, key: uuid.UUID) -> Passage:
    """A passage of a workspace, one that was corrected or deleted too. Raises Passage.DoesNotExist."""
    return Passage.objects.select_related("archive", "source", "document").get(workspace=workspace, id=key)


@require_http_methods(["GET", "POST"])
@workspace_page
def new_passage(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A passage written by hand; `?archive=` says where it goes."""
    require_role(workspace.id, "member")
    archives = archives_of(workspace)
    form = NewPassageForm(
        request.POST or None, archives=archives, initial={"archive": asked(request, "archive")}
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = _insert(form)
        except BadPassage as error:
            form.add_error("content", refused(error))
        else:
            said = _what_became_of(made)
            undo = "" if made.is_known else way_back("passage-delete", workspace.id, made.id)
            note(request, said, undo=undo)
            return redirect("passage", workspace, made.id)
    context = SECTION | {"form": form, "workspace": workspace, "archives": archives}
    return show(request, "memory/passage_new.html", context, status=422 if form.errors else 200)


def _what_became_of(made: Passage) -> str:
    if made.has_new_tags:
        return _("This text is in the archive already. Its new tags were added to it.")
    return _("This text is in the archive already.") if made.is_known else _("Filed in the archive.")


def _insert(form: NewPassageForm) -> Passage:
    said = form.cleaned_data
    new = NewPassage(
        content=said["content"],
        tags=said["tags"],
        occurred_at=said["occurred_at"],
        importance=said["importance"],
        expires_at=said["expires_at"],
    )
    archive = Archive.objects.get(id=said["archive"])
    return archival.insert_passages(archive, [new], actor=core.by_me())[0]


def refused(error: BadPassage) -> str:
    """Why a passage cannot be like this."""
    return _("The passage cannot be stored like this: it is empty or too long, or a field of it is.")


@require_http_methods(["GET", "POST"])
@workspace_page
def edit_passage(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """Correct a passage: another text is a new version. Tags, importance and end are changed in place."""
    found = passage_in(workspace, passage)
    require_role(workspace.id, "member" if may_change(found) else "editor")
    form = CorrectionForm(request.POST or None, initial=typed(found))
    if request.method == "GET" or not form.is_valid():
        return _form(request, found, form, status=422 if form.errors else 200)
    try:
        made = _correct(found, form)
    except StaleVersion as stale:
        return _conflict(request, found, form, stale)
    except BadPassage as error:
        form.add_error("content", refused(error))
        return _form(request, found, form, status=422)
    undo = way_back("passage-undo", workspace.id, made.id) if made.id != found.id else ""
    note(request, _("Corrected.") if made.id != found.id else _("Saved."), undo=undo)
    return redirect("passage", workspace, made.id)


def _correct(found: Passage, form: CorrectionForm) -> Passage:
    said, seen = form.cleaned_data, form.cleaned_data["version"] or found.version
    made = found
    if said["content"] != found.content or seen != found.version or not found.is_current:
        made = archival.correct_passage(found.id, said["content"], actor=core.by_me(), expected_version=seen)
    changed = form.metadata(made)
    return archival.describe_passage(made.id, **changed) if changed else made


def _conflict(
    request: PageRequest, found: Passage, form: CorrectionForm, stale: StaleVersion
) -> HttpResponse:
    """409: theirs and mine against what both began with, and a form on the newest version that holds both."""
    theirs = passage_in(request.workspace, uuid.UUID(stale.facts["newest"]))
    both = clash(found.content, theirs.content, form.cleaned_data["content"])
    kept = {name: form.cleaned_data[name] for name in ("tags", "importance", "expires_at")}
    again = CorrectionForm(initial=typed(theirs) | kept | {"content": both.text})
    return _form(request, theirs, again, status=409, conflict=both)


def _form(
    request: PageRequest, found: Passage, form: PassageForm, *, status: int, conflict: Any = None
) -> HttpResponse:
    context = SECTION | {"passage": found, "form": form, "conflict": conflict, "can_change": True}
    return show(request, "memory/passage_edit.html", context, status=status)


@require_POST
@workspace_page
def undo(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """Take back what a version corrected: the text before it, as one more version."""
    found = passage_in(workspace, passage)
    if found.supersedes_id is None:
        raise Passage.DoesNotExist
    before = Passage.objects.get(workspace=workspace, id=found.supersedes_id)
    try:
        made = archival.correct_passage(
            found.id, before.content, actor=core.by_me(), expected_version=found.version
        )
    except StaleVersion as stale:
        note(request, _("It was corrected again since. Choose a version to go back to."))
        return redirect("passage", workspace, stale.facts["newest"])
    note(request, _("Taken back."), undo=way_back("passage-undo", workspace.id, made.id))
    return redirect("passage", workspace, made.id)


@require_POST
@workspace_page
def delete(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """Take a passage out of search; the note brings it back."""
    found = passage_in(workspace, passage)
    archival.retire_passages([found.id])
    note(request, _("The passage is deleted."), undo=way_back("passage-return", workspace.id, passage))
    return redirect("archive-one", workspace, found.archive_id)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, passage: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the passage is found again."""
    found = passage_in(workspace, passage)
    archival.retire_passages([found.id], retired=False)
    note(request, _("It is back."), undo=way_back("passage-delete", workspace.id, passage))
    return redirect("passage", workspace, passage)
