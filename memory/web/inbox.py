"""The inbox: what was proposed for the memory of a workspace, and the yes or no to it."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory import core, proposals
from memory.core import VersionConflict
from memory.models import Proposal
from memory.operations import BlockError
from memory.proposals import NotOpen, ProposalConflict
from memory.web.forms import TextForm
from memory.web.presentation import both_sides
from memory.web.proposed import ShownProposal, shown_proposals, with_all_it_names
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page
from tenants.web.notes import note, way_back

SECTION = {"section": "inbox"}
A_PAGE = 20
EVERY = "all"


@require_GET
@workspace_page
def inbox(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Open proposals, the oldest first; `?status=` shows decided ones, newest first; `?block=` a label's."""
    status = asked(request, "status") or Proposal.Status.OPEN
    label, after = asked(request, "block"), asked(request, "after")
    rows = list(_rows(workspace, status, label, after)[: A_PAGE + 1])
    context = {
        "proposals": shown_proposals(rows[:A_PAGE]),
        "more": len(rows) > A_PAGE,
        "status": status,
        "statuses": _statuses(),
        "of_block": label,
        "is_filtered": bool(label) or status != Proposal.Status.OPEN,
        "can_decide": has_role(workspace.id, "editor"),
        "workspace": workspace,
    }
    return show(request, "memory/inbox.html", SECTION | context, fragment="memory/_inbox.html")


def _statuses() -> list[tuple[str, str]]:
    return [
        (Proposal.Status.OPEN, _("Open")),
        (Proposal.Status.APPROVED, _("Approved")),
        (Proposal.Status.REJECTED, _("Rejected")),
        (Proposal.Status.WITHDRAWN, _("Withdrawn")),
        (EVERY, _("All")),
    ]


def _rows(workspace: Workspace, status: str, label: str, after: str) -> Any:
    is_open = status == Proposal.Status.OPEN
    rows = Proposal.objects.filter(workspace=workspace, block__retired_at=None)
    if status != EVERY:
        rows = rows.filter(status=status)
    if label:
        rows = rows.filter(block__label__icontains=label)
    if _is_id(after):
        rows = rows.filter(id__gt=after) if is_open else rows.filter(id__lt=after)
    return with_all_it_names(rows).order_by("id" if is_open else "-id")


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


@require_GET
@workspace_page
def proposal(request: PageRequest, workspace: Workspace, proposal: uuid.UUID) -> HttpResponse:
    """One proposal; `?edit=1` with its text in a form, `?back=1` where that was left."""
    shown = _shown(workspace, proposal)
    context: dict[str, Any] = {"is_focused": bool(asked(request, "back"))}
    if asked(request, "edit") and shown.is_open and shown.can_decide:
        context = _editing(shown)
    return _answer(request, shown, context)


def _editing(shown: ShownProposal) -> dict[str, Any]:
    """The form that holds the text with the proposal in it, and both sides where they do not fit."""
    conflict = None
    if not shown.is_clean:
        conflict = both_sides(shown.proposal.base, shown.block.value, shown.proposal.value)
    return {"form": _form(shown), "conflict": conflict}


def _form(shown: ShownProposal, data: Any = None, text: str | None = None) -> TextForm:
    typed = {"value": shown.text if text is None else text, "version": shown.block.version}
    form = TextForm(data, block=shown.block, initial=typed, auto_id=f"id_%s_{shown.proposal.id}")
    form.parts[0].field.widget.attrs["autofocus"] = True
    return form


@require_POST
@workspace_page
def approve(request: PageRequest, workspace: Workspace, proposal: uuid.UUID) -> HttpResponse:
    """Say yes, to the text as it was proposed or as it was changed in the form."""
    shown = _shown(workspace, proposal)
    form = _form(shown, request.POST) if "version" in request.POST else None
    if form is not None and not form.is_valid():
        return _answer(request, shown, {"form": form}, status=422)
    try:
        made = _approve(shown, form)
    except (ProposalConflict, VersionConflict) as conflict:
        return _clash(request, _shown(workspace, proposal), conflict)
    except NotOpen:
        return _too_late(request, workspace, proposal)
    except BlockError as error:
        return _refused(request, shown, form, error)
    label = shown.block.label
    said = _("Approved: %(label)s is at v%(number)s.") % {"label": label, "number": made.number}
    return _decided(request, workspace, proposal, said)


def _approve(shown: ShownProposal, form: TextForm | None) -> Any:
    if form is None:
        return proposals.approve(shown.proposal.id)
    version = form.cleaned_data["version"]
    return proposals.approve(shown.proposal.id, value=form.text, expected_version=version)


def _clash(
    request: PageRequest, shown: ShownProposal, clash: ProposalConflict | VersionConflict
) -> HttpResponse:
    """409: the block has changed again; what was typed stands in the form, merged with that."""
    sides = both_sides(clash.base, clash.theirs.value, clash.mine)
    merged = clash.merged.text if clash.merged else clash.mine
    context = {"form": _form(shown, text=merged), "conflict": sides}
    return _answer(request, shown, context, status=409)


def _refused(
    request: PageRequest, shown: ShownProposal, form: TextForm | None, error: BlockError
) -> HttpResponse:
    if form is None:
        return _answer(request, shown, {"refusal": sentence(error)}, status=422)
    form.add_error(field_of(error, form), sentence(error))
    return _answer(request, shown, {"form": form}, status=422)


@require_POST
@workspace_page
def reject(request: PageRequest, workspace: Workspace, proposal: uuid.UUID) -> HttpResponse:
    """Say no, with a note for the one who proposed it."""
    note = request.POST.get("note", "").replace("\x00", "").strip()[:1000]
    try:
        proposals.reject(_shown(workspace, proposal).proposal.id, note=note)
    except NotOpen:
        return _too_late(request, workspace, proposal)
    return _decided(request, workspace, proposal, _("Rejected."))


@require_POST
@workspace_page
def withdraw(request: PageRequest, workspace: Workspace, proposal: uuid.UUID) -> HttpResponse:
    """Take back what one has proposed."""
    try:
        proposals.withdraw(_shown(workspace, proposal).proposal.id)
    except NotOpen:
        return _too_late(request, workspace, proposal)
    return _decided(request, workspace, proposal, _("Withdrawn."))


@require_POST
@workspace_page
def undo(request: PageRequest, workspace: Workspace, proposal: uuid.UUID) -> HttpResponse:
    """Take a decision back: a rejected proposal waits again, an approved one is undone by a new version."""
    found = _shown(workspace, proposal)
    refusal = ""
    try:
        if found.made_number:
            core.undo(found.block.id, found.made_number, actor=core.by_me())
        else:
            proposals.reopen(found.proposal.id)
    except (VersionConflict, NotOpen):
        refusal = _("The block was changed again since. Choose a version to go back to.")
    except BlockError as error:
        refusal = sentence(error)
    return _decided(request, workspace, proposal, refusal or _("Taken back."), can_undo=False)


def _too_late(request: PageRequest, workspace: Workspace, key: uuid.UUID) -> HttpResponse:
    """Somebody else has decided meanwhile."""
    return _decided(request, workspace, key, _("That was decided already."), can_undo=False)


def _decided(
    request: PageRequest, workspace: Workspace, key: uuid.UUID, said: str, *, can_undo: bool = True
) -> HttpResponse:
    """The proposal in its new state, with a note that says what happened."""
    shown = _shown(workspace, key)
    undo = way_back("proposal-undo", workspace.id, key) if can_undo and shown.can_undo else ""
    if is_fragment(request):
        context = {"said": said, "undo_url": undo, "open_count": proposals.count_open(workspace.id)}
        return _answer(request, shown, context, fragment="memory/_decided.html")
    note(request, said, undo=undo)
    return redirect("inbox", workspace)


def _shown(workspace: Workspace, key: uuid.UUID) -> ShownProposal:
    """A proposal as it stands now. Raises Proposal.DoesNotExist."""
    row = with_all_it_names(Proposal.objects.filter(workspace=workspace)).get(id=key)
    return shown_proposals([row])[0]


def _answer(
    request: PageRequest,
    shown: ShownProposal,
    context: dict[str, Any],
    *,
    fragment: str = "memory/_proposal.html",
    status: int = 200,
) -> HttpResponse:
    known = SECTION | {"shown": shown, "workspace": request.workspace} | context
    return show(request, "memory/proposal.html", known, fragment=fragment, status=status)
