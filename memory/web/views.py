"""Pages of one block: as a card, its versions, what changed, and the way back."""

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
from memory.models import Block, BlockVersion
from memory.operations import BlockError
from memory.web import diff
from memory.web.presentation import shown_versions, versions_of
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page

SECTION = {"section": "memory"}


@require_GET
@workspace_page
def card(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """A block as the side panel shows it; `?back=1` where its form was left, so that the focus stays here."""
    found = _block(workspace, block)
    context = {
        "memory_block": found,
        "can_write": has_role(workspace.id, "editor"),
        "is_focused": bool(asked(request, "back")),
    }
    return show(request, "memory/card.html", SECTION | context, fragment="memory/_card.html")


@require_GET
@workspace_page
def versions(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Every version of a block, the newest first; `?by=` filters by kind of hand, `?before=` pages."""
    found = _block(workspace, block)
    by, before = asked(request, "by"), asked(request, "before")
    rows = versions_of(found, by=by, before=int(before) if before.isascii() and before.isdigit() else None)
    context = {"memory_block": found, "versions": shown_versions(rows[:50]), "by": by, "more": len(rows) > 50}
    return show(request, "memory/versions.html", SECTION | context, fragment="memory/_versions.html")


@require_GET
@workspace_page
def version_diff(
    request: PageRequest, workspace: Workspace, block: uuid.UUID, a: int, b: int
) -> HttpResponse:
    """What changed from version `a` to version `b`, word by word; version 0 is the empty block."""
    found = _block(workspace, block)
    after = BlockVersion.objects.select_related("block", "source").get(block=found, number=b)
    before = BlockVersion.objects.get(block=found, number=a).value if a else ""
    context = {
        "memory_block": found,
        "a": a,
        "shown": shown_versions([after])[0],
        "changes": diff.runs(before, after.value),
    }
    return show(request, "memory/diff.html", SECTION | context, fragment="memory/_diff.html")


@require_POST
@workspace_page
def restore(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """Make an old version the newest one again."""
    found = _block(workspace, block)
    try:
        core.restore(found.id, number, actor=core.by_me())
    except BlockError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, _("Version %(number)s is current again.") % {"number": number})
    return redirect("block-versions", workspace, block)


@require_POST
@workspace_page
def undo(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """Take back what the newest version did; from a chat, from the list, or from a note."""
    found = _block(workspace, block)
    refusal, changed = "", found.version
    try:
        changed = core.undo(found.id, number, actor=core.by_me()).number
    except VersionConflict:
        refusal = _("The block was changed again since. Choose a version to go back to.")
    except BlockError as error:
        refusal = sentence(error)
    if is_fragment(request):
        response = _chip(request, found, number, refusal)
        response["HX-Trigger"] = json.dumps({"memory": {"block": str(found.id), "version": changed}})
        return response
    messages.info(request, refusal or _("Taken back."))
    return redirect("block-versions", workspace, block)


@require_GET
@workspace_page
def chip(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """What one version changed, in a line."""
    return _chip(request, _block(workspace, block), number)


def _chip(request: PageRequest, found: Block, number: int, refusal: str = "") -> HttpResponse:
    version = BlockVersion.objects.select_related("block", "source").get(block=found, number=number)
    context = {"chip": shown_versions([version])[0], "memory_block": found, "refusal": refusal}
    return show(request, "memory/change.html", SECTION | context, fragment="memory/_change.html")


def _block(workspace: Workspace, key: uuid.UUID) -> Block:
    return Block.objects.select_related("workspace").get(workspace=workspace, id=key)
