"""A block to another workspace: moved with its history, or copied without it. Says who will read what."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import moving
from memory.models import Block
from memory.operations import BlockError
from memory.web.history import block_in, frame
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, asked, show, workspace_in_reach, workspace_page
from tenants.web.notes import note, way_back


@require_http_methods(["GET", "POST"])
@workspace_page
def move(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """`?to=` shows what a move would mean; a POST moves or copies, as `how` says, also in its address."""
    found = block_in(workspace, block)
    require_role(workspace.id, "editor")
    to = _place(request.POST.get("to", "") or asked(request, "to"))
    if request.method == "GET" or to is None:
        return _preview(request, found, to)
    try:
        moved = _move(found, to, request.POST.get("how", "") or asked(request, "how"))
    except BlockError as error:
        return _preview(request, found, to, refusal=sentence(error), status=422)
    if moved.id != found.id:
        said, undo = _("Copied to %(name)s."), way_back("block-delete", to.id, moved.id)
    else:
        said = _("Moved to %(name)s, with its history.")
        undo = way_back("block-move", to.id, moved.id, to=workspace.id, how="move")
    note(request, said % {"name": to.name}, undo=undo)
    return redirect("block", to, moved.id)


def _move(found: Block, to: Workspace, how: str) -> Block:
    return moving.move_block(found.id, to.id) if how == "move" else moving.copy_block(found.id, to.id)


def _place(text: str) -> Workspace | None:
    """The workspace that was chosen. Raises Http404 where it is out of reach."""
    try:
        return workspace_in_reach(uuid.UUID(text)) if text else None
    except ValueError:
        return None


def _preview(
    request: PageRequest, found: Block, to: Workspace | None, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"places": _places(found), "to": to, "refusal": refusal}
    if to is not None and to.id != found.workspace_id and has_role(to.id, "editor"):
        context["preview"] = moving.preview_move(found.id, to.id)
    return show(
        request,
        "memory/move.html",
        frame(found) | context,
        fragment="memory/_move_preview.html",
        status=status,
    )


def _places(found: Block) -> list[Workspace]:
    """Where the present person may write, but for where the block lies."""
    mine = [
        key for key in current_scope().workspaces if key != found.workspace_id and has_role(key, "editor")
    ]
    return list(Workspace.objects.filter(id__in=mine).order_by("kind", "name"))
