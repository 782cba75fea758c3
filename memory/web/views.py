"""What one version changed, as a chip, and the ways back."""

from __future__ import annotations

import json
import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memory import core
from memory.core import VersionConflict
from memory.models import Block, BlockVersion, Proposal
from memory.operations import BlockError
from memory.web.history import block_in, frame
from memory.web.presentation import shown_versions
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.web.doors import PageRequest, is_fragment, show, workspace_page
from tenants.web.notes import note, way_back


@require_POST
@workspace_page
def restore(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """Make an old version the newest one again, or propose it."""
    found = block_in(workspace, block)
    try:
        made = core.restore(found.id, number, actor=core.by_me())
    except BlockError as error:
        messages.error(request, sentence(error))
    else:
        if isinstance(made, Proposal):
            return redirect("proposal", workspace, made.id)
        said = _("Version %(number)s is current again.") % {"number": number}
        note(request, said, undo=_undo_of(found, made))
    return redirect("block-versions", workspace, block)


@require_POST
@workspace_page
def undo(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """Take back what the newest version did; from a chat, from the list, or from a note."""
    found = block_in(workspace, block)
    refusal, made = "", None
    try:
        made = core.undo(found.id, number, actor=core.by_me())
    except VersionConflict:
        refusal = _("The block was changed again since. Choose a version to go back to.")
    except BlockError as error:
        refusal = sentence(error)
    if isinstance(made, Proposal):
        refusal, made = _("Proposed. An editor decides."), None
    if is_fragment(request):
        response = _chip(request, found, number, refusal)
        changed = made.number if made else found.version
        response["HX-Trigger"] = json.dumps({"memory": {"block": str(found.id), "version": changed}})
        return response
    note(request, refusal or _("Taken back."), undo=_undo_of(found, made))
    return redirect("block-versions", workspace, block)


def _undo_of(found: Block, made: BlockVersion | None) -> str:
    """Where a version that was made just now is taken back."""
    return way_back("block-undo", found.workspace_id, found.id, made.number) if made else ""


@require_GET
@workspace_page
def chip(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """What one version changed, in a line."""
    return _chip(request, block_in(workspace, block), number)


def _chip(request: PageRequest, found: Block, number: int, refusal: str = "") -> HttpResponse:
    version = BlockVersion.objects.select_related("block", "source").get(block=found, number=number)
    context = frame(found) | {"chip": shown_versions([version])[0], "refusal": refusal}
    return show(request, "memory/change.html", context, fragment="memory/_change.html")
