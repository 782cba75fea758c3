"""Taking back a save of a block: its text by the versions, its settings by what the address says of them."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.blocks import edit_block
from memory import core, versions
from memory.core import VersionConflict
from memory.models import Block, BlockVersion, Proposal
from memory.operations import BlockError
from memory.web.forms import SETTINGS, BlockForm
from memory.web.history import block_in, frame
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.web.doors import PageRequest, is_fragment, show, workspace_page
from tenants.web.notes import note, way_back


def typed(found: Block) -> dict[str, Any]:
    """A block as it stands in its form."""
    return {name: getattr(found, name) for name in ("value", "version", *SETTINGS)}


def undo_of(before: Block, saved: Block) -> str:
    """Where a save is taken back; "" where it changed nothing, or more than an address can hold."""
    if saved.version == before.version:
        return ""
    changed = [name for name in SETTINGS if getattr(before, name) != getattr(saved, name)]
    form = BlockForm(block=before, initial=typed(before))
    settings = {name: form[name].value() for name in {*changed, "limit"}} if changed else {}
    return way_back("block-unsave", saved.workspace_id, saved.id, saved.version, **settings)


@require_POST
@workspace_page
def unsave(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """Take back what a save did to the text and, as the address says them, to the settings."""
    found = block_in(workspace, block)
    undo = ""
    try:
        made = _unsave(found, number, request.GET)
    except VersionConflict:
        said = _("The block was changed again since. Choose a version to go back to.")
    except BlockError as error:
        said = sentence(error)
    else:
        is_proposed = isinstance(made, Proposal)
        said = _("Proposed. An editor decides.") if is_proposed else _("Taken back.")
        undo = "" if is_proposed else undo_of(found, Block.objects.get(id=found.id))
    if is_fragment(request):
        context = {"text": said, "undo_url": undo, "in_place": True}
        response = show(request, "_toast.html", frame(found) | context)
        response["HX-Trigger"] = json.dumps({"memory": {"block": str(found.id)}})
        return response
    note(request, said, undo=undo)
    return redirect("block", workspace, block)


def _unsave(found: Block, number: int, settings: QueryDict) -> Block | BlockVersion | Proposal:
    """Raises VersionConflict, NotAllowed, BlockError, BlockVersion.DoesNotExist."""
    if not settings:
        return core.undo(found.id, number, actor=core.by_me())
    require_role(found.workspace_id, "editor")
    data = settings.copy()
    data["version"] = str(number)
    form = BlockForm(data, block=found, initial=typed(found))
    if not form.is_valid():
        raise BlockError("An address that was made by hand.")
    before = versions.returnable(found, number - 1)
    fields = replace(form.fields_of_block(), value=before.value)
    return edit_block(found.id, fields, expected_version=number)
