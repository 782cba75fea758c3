"""Deleting an agent, which says what goes and what stays; and bringing it back."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from agents import roster
from agents.models import Agent
from tenants.models import Workspace
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, way_back

SECTION = {"section": "agents"}


@require_http_methods(["GET", "POST"])
@workspace_page
def retire(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Take an agent out of the lists, with the blocks that only it has where that is asked for."""
    found = roster.preview_deletion(Agent.objects.get(id=agent, workspace=workspace).id)
    if request.method == "GET":
        context = SECTION | {"agent": found.agent, "own": found.own, "kept": found.kept}
        return show(request, "agents/agent_retire.html", context)
    roster.delete_agent(agent, with_blocks=bool(request.POST.get("with_blocks")))
    said = _("%(name)s is deleted; its chats stay.") % {"name": found.agent.name}
    note(request, said, undo=way_back("agent-return", workspace.id, agent))
    return redirect("agents", workspace)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the agent is there again, with the blocks that went along."""
    Agent.objects.get(id=agent, workspace=workspace)
    roster.bring_back_agent(agent)
    return redirect("agent", workspace, agent)
