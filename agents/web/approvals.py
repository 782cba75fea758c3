"""Deciding about a tool call that waits: the card in the chat, its form, yes and no."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from agents.turns import approvals
from agents.turns.approvals import BadArguments, DecidedAlready
from agents.web.approval_forms import ArgumentsForm
from agents.web.approving import ShownApproval, shown_approvals
from agents.web.chats import chat_in
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page


@require_GET
@workspace_page
def approval(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, approval: uuid.UUID
) -> HttpResponse:
    """One call; `?edit=1` with its arguments in a form, `?back=1` where that was left."""
    shown = _shown(workspace, conversation, approval)
    context: dict[str, Any] = {"is_focused": bool(asked(request, "back"))}
    if asked(request, "edit") and shown.is_open and shown.may_edit:
        context = {"form": ArgumentsForm(shown.approval)}
    return _answer(request, shown, context)


@require_POST
@workspace_page
def approve(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, approval: uuid.UUID
) -> HttpResponse:
    """Let it run, as it is or with the arguments of the form."""
    shown = _shown(workspace, conversation, approval)
    form = ArgumentsForm(shown.approval, request.POST) if "edited" in request.POST else None
    if form is not None and not form.is_valid():
        return _answer(request, shown, {"form": form}, status=422)
    try:
        approvals.approve(shown.approval.id, arguments=form.cleaned_data["arguments"] if form else None)
    except BadArguments as error:
        form = form or ArgumentsForm(shown.approval, request.POST)
        form.add_error(None, _("The tool does not take this: %s") % error)
        return _answer(request, shown, {"form": form}, status=422)
    except DecidedAlready:
        return _too_late(request, workspace, conversation, approval)
    return _answer(request, _shown(workspace, conversation, approval), {})


@require_POST
@workspace_page
def reject(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, approval: uuid.UUID
) -> HttpResponse:
    """Do not let it run; the model hears the note."""
    note = request.POST.get("note", "").replace("\x00", "").strip()[: approvals.NOTE_MAX]
    try:
        approvals.reject(_shown(workspace, conversation, approval).approval.id, note=note)
    except DecidedAlready:
        return _too_late(request, workspace, conversation, approval)
    return _answer(request, _shown(workspace, conversation, approval), {})


def _too_late(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, key: uuid.UUID
) -> HttpResponse:
    """Somebody else has decided, or nobody did in time."""
    said = _("That was decided already, or waits no more.")
    if not is_fragment(request):
        messages.info(request, said)
    return _answer(request, _shown(workspace, conversation, key), {"said": said}, status=409)


def _shown(workspace: Workspace, conversation: uuid.UUID, key: uuid.UUID) -> ShownApproval:
    """A call of a chat as it stands now. Raises Approval.DoesNotExist, Conversation.DoesNotExist."""
    context = chat_in(workspace, conversation)
    row = approvals.in_sight(turn__conversation_id=context.conversation_id).get(id=key)
    return shown_approvals([row])[0]


def _answer(
    request: PageRequest, shown: ShownApproval, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    turn = shown.approval.turn
    if request.method == "POST" and status != 422 and not is_fragment(request):
        return redirect(f"{_address(turn)}#turn-{turn.id}")
    known = {"shown": shown, "open_chat": turn.conversation_id} | context
    return show(request, "agents/approval.html", known, fragment="agents/_approval.html", status=status)


def _address(turn: Any) -> str:
    return str(redirect("chat", turn.workspace_id, turn.conversation_id).url)
