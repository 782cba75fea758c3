"""Files for a chat, uploaded while the message that they come with is still being written."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents import chat_files
from agents.models import Agent
from agents.web.chats import chat_address, chat_in
from memory.documents.faults import UnreadableDocument
from memory.documents.limits import FILE_BYTES
from memory.web.documents import as_json, told_of, wants_json
from memory.web.unreadable import sentence
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, is_uuid, workspace_page
from tenants.web.notes import note


@require_POST
@workspace_page
def chat_file(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """A file for a chat that is there."""
    context = chat_in(workspace, conversation)
    require_role(workspace.id, "member")
    outcomes = take_files(request, context.agent, workspace.id)
    return _answered(request, outcomes, chat_address(context))


@require_POST
@workspace_page
def new_chat_file(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A file for a chat that begins with its first message; `agent` and `shared` as in that form."""
    given = request.POST.get("agent", "")
    if not is_uuid(given):
        raise Agent.DoesNotExist
    agent = Agent.objects.get(id=given, retired_at=None)
    place = place_of_new_chat(request, workspace, agent)
    require_role(place, "member")
    return _answered(request, take_files(request, agent, place), "")


def place_of_new_chat(request: PageRequest, workspace: Workspace, agent: Agent) -> uuid.UUID:
    """Where a chat will lie: in the team's workspace where it is shared, else in the person's own."""
    is_shared = request.POST.get("shared") and agent.workspace_id == workspace.id
    return workspace.id if is_shared else current_scope().home


def take_files(request: PageRequest, agent: Agent, workspace_id: uuid.UUID) -> list[dict[str, Any]]:
    """Take in each file of the form, and tell what became of it; see `memory.web.documents.upload_one`."""
    given = request.FILES.getlist("files")[: chat_files.AT_ONCE]
    return [_taken(agent, workspace_id, each) for each in given]


def _taken(agent: Agent, workspace_id: uuid.UUID, file: UploadedFile[Any]) -> dict[str, Any]:
    name = str(file.name or "")
    try:
        if (file.size or 0) > FILE_BYTES:
            raise UnreadableDocument("too_large")
        made = chat_files.take(agent, workspace_id, name, file.read())
    except UnreadableDocument as error:
        return {"name": name, "fault": f"{name}: {sentence(error.code)}"}
    return told_of(made) | {"fault": ""}


def ids_of(request: PageRequest, outcomes: list[dict[str, Any]]) -> list[uuid.UUID]:
    """The documents among what became of files; why the others were refused is said on the next page."""
    for outcome in outcomes:
        if outcome["fault"]:
            messages.error(request, outcome["fault"])
    return [uuid.UUID(outcome["id"]) for outcome in outcomes if not outcome["fault"]]


def _answered(request: PageRequest, outcomes: list[dict[str, Any]], back: str) -> HttpResponse:
    if wants_json(request):
        return as_json(outcomes)
    for outcome in outcomes:
        note(request, outcome["fault"] or _("%(name)s is being read.") % {"name": outcome["name"]})
    return redirect(back) if back else redirect("chat-new", request.workspace)
