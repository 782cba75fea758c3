"""Deleting a block, which says who uses it and asks; and bringing it back."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from agents.web.attached import shown_uses
from memory import core
from memory.operations import BlockError
from memory.web.history import block_in, frame
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, way_back


@require_http_methods(["GET", "POST"])
@workspace_page
def delete(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Take a block out of every view, undoably. Where agents use it, the page says so and asks."""
    found = block_in(workspace, block)
    require_role(workspace.id, "editor")
    uses = [shown for shown in shown_uses(found) if not shown.use.is_retired]
    if request.method == "GET" or (uses and not request.POST.get("sure")):
        return show(request, "agents/block_delete.html", frame(found) | {"uses": uses})
    core.delete_block(found.id)
    said = _("%(label)s is deleted; its versions are kept.") % {"label": found.label}
    note(request, said, undo=way_back("block-return", workspace.id, block))
    return redirect("blocks", workspace)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the block is in view again where it was."""
    try:
        core.bring_back(block_in(workspace, block).id)
    except BlockError as error:
        messages.error(request, sentence(error))
    else:
        note(request, _("It is back."), undo=way_back("block-delete", workspace.id, block))
    return redirect("block", workspace, block)
