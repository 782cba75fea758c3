"""The form of a block, as a page and in the side panel: saved, proposed, or merged with what came between."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from agents.blocks import edit_block
from agents.web.cards import card_in
from agents.web.unsaving import typed, undo_of
from memory import proposals
from memory.core import VersionConflict
from memory.models import Block, Proposal
from memory.operations import BlockError
from memory.web.cards import Card, may_of
from memory.web.forms import SETTINGS, BlockForm
from memory.web.history import block_in, frame
from memory.web.presentation import both_sides
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, is_fragment, is_uuid, show, workspace_page
from tenants.web.notes import note, way_back


@require_GET
@workspace_page
def card(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """A block as the side panel shows it in `?chat=` or `?agent=`; `?back=1` where its form was left."""
    found = block_in(workspace, block)
    context = {"card": _card(request, found), "is_focused": bool(asked(request, "back"))}
    return show(request, "memory/card.html", frame(found) | context, fragment="memory/_card.html")


def _card(request: PageRequest, found: Block) -> Card:
    """The block as the chat or the agent has it that the address names."""
    agent, chat = (asked(request, name) for name in ("agent", "chat"))
    return card_in(found, agent=agent if is_uuid(agent) else "", chat=chat if is_uuid(chat) else "")


@require_http_methods(["GET", "POST"])
@workspace_page
def block(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Edit a block, as a page or inside the side panel; who may not write proposes."""
    found = block_in(workspace, block)
    if request.method == "GET":
        return _show_form(request, found, _form_of(found, initial=typed(found)))
    form = _form_of(found, request.POST)
    if not form.is_valid():
        return _show_form(request, found, form, status=422)
    try:
        done = edit_block(
            found.id,
            form.fields_of_block(),
            expected_version=form.cleaned_data["version"],
            reason=form.reason_given,
        )
    except BlockError as error:
        form.add_error(field_of(error, form), sentence(error))
        return _show_form(request, found, form, status=422)
    except VersionConflict as conflict:
        return _conflict(request, form, conflict)
    return _proposed(request, found, done) if isinstance(done, Proposal) else _saved(request, found, done)


def _form_of(found: Block, data: Any = None, *, initial: dict[str, Any] | None = None) -> BlockForm:
    """The form, with ids of its own: two blocks can be edited side by side."""
    return BlockForm(
        data, block=found, may=may_of(found), initial=initial or typed(found), auto_id=f"id_%s_{found.id}"
    )


def _conflict(request: PageRequest, form: BlockForm, conflict: VersionConflict) -> HttpResponse:
    """409: base, theirs and mine, and a form that holds both; nothing that was typed is lost."""
    theirs = conflict.theirs
    settings = {name: form.cleaned_data[name] for name in SETTINGS if form.cleaned_data.get(name) is not None}
    kept = settings | {"reason": form.reason_given}
    merged = {"value": _text_of(conflict), "version": theirs.version}
    sides: dict[str, Any] = dict(both_sides(conflict.base, theirs.value, conflict.mine))
    sides |= {"is_clean": bool(conflict.merged and conflict.merged.is_clean), "typed": conflict.mine}
    both = _form_of(theirs, initial=typed(theirs) | kept | merged)
    return _show_form(request, theirs, both, conflict=sides, status=409)


def _text_of(conflict: VersionConflict) -> str:
    """Both changes as one text; mine, where what both began with is not there any more."""
    return conflict.merged.text if conflict.merged else conflict.mine


def _show_form(
    request: PageRequest, found: Block, form: BlockForm, *, conflict: Any = None, status: int = 200
) -> HttpResponse:
    shown = {
        "form": form,
        "may": form.may,
        "waiting": proposals.open_proposals(found.workspace_id).filter(block=found).count(),
        "conflict": conflict,
        "in_panel": is_fragment(request),
        "place": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    if is_fragment(request):
        form.parts[0].field.widget.attrs["autofocus"] = True
    context = frame(found) | shown
    return show(request, "agents/block.html", context, fragment="agents/_block_edit.html", status=status)


def _saved(request: PageRequest, before: Block, edited: Block) -> HttpResponse:
    undo = undo_of(before, edited)
    if is_fragment(request):
        return _as_card(request, edited, said=_("Saved."), undo_url=undo, in_place=True)
    note(request, _("Saved."), undo=undo)
    return redirect("block", request.workspace, edited.id)


def _proposed(request: PageRequest, found: Block, made: Proposal) -> HttpResponse:
    said = _("Proposed. An editor decides.")
    withdrawal = way_back("proposal-withdraw", request.workspace.id, made.id)
    if is_fragment(request):
        return _as_card(request, found, said=said, undo_url=withdrawal)
    note(request, said, undo=withdrawal)
    return redirect("proposal", request.workspace, made.id)


def _as_card(request: PageRequest, found: Block, **told: Any) -> HttpResponse:
    """The block as the side panel shows it, in the place of its form, with a note."""
    context = {"card": _card(request, found), "is_focused": True} | told
    response = show(request, "memory/card.html", frame(found) | context, fragment="memory/_card.html")
    response["HX-Trigger"] = json.dumps({"memory": {"block": str(found.id), "version": found.version}})
    return response
