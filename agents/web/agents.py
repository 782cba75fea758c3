"""Agents: their list, a new one, an agent's memory and settings."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from agents import archives, roster, services
from agents.blocks import add_agent_block
from agents.inspector.in_prompt import too_long
from agents.llm import catalog
from agents.models import Agent, LanguageModel
from agents.roster import AgentFields, BadAgent
from agents.web.cards import cards_of_agent
from agents.web.forms import AgentForm, NewAgentForm
from agents.web.labels import model_label
from memory.operations import BlockError
from memory.web.forms import NewBlockForm
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note, sent, way_back

SECTION = {"section": "agents"}


@require_GET
@workspace_page
def agents(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The agents of a workspace; `?q=` filters by name, `?state=deleted` shows those that are gone."""
    query, is_deleted = asked(request, "q"), asked(request, "state") == "deleted"
    found = Agent.objects.filter(
        workspace=workspace, retired_at__isnull=not is_deleted, name__icontains=query
    )
    context = {
        "workspace": workspace,
        "agents": [{"agent": each, "model": model_label(each.model)} for each in _with_models(found)],
        "query": query,
        "is_deleted": is_deleted,
        "can_write": _can_write(workspace),
    }
    return show(request, "agents/agents.html", SECTION | context, fragment="agents/_agents.html")


def _with_models(found: Any) -> Any:
    return found.select_related("model__provider").order_by("name", "id")


@require_http_methods(["GET", "POST"])
@workspace_page
def new_agent(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new agent with a name, a persona, a model and a window."""
    require_role(workspace.id, "editor")
    usual = catalog.ensure_models()
    form = NewAgentForm(request.POST or None, initial={"model": str(usual.id)})
    if request.method == "POST" and form.is_valid():
        fields, persona = form.fields_of_agent(), form.cleaned_data["persona"]
        try:
            made = roster.create_agent(workspace_id=workspace.id, fields=fields, persona=persona)
        except BadAgent as error:
            form.add_error(error.field, _refused(error, fields))
        else:
            return redirect(f"{reverse('chat-new', args=[workspace.id])}?agent={made.id}")
    context = SECTION | {"workspace": workspace, "form": form}
    return show(request, "agents/new_agent.html", context, status=422 if form.errors else 200)


def _refused(error: BadAgent, fields: AgentFields) -> str:
    if error.field == "window" and fields.model_id:
        most = LanguageModel.objects.get(id=fields.model_id).window
        return _("The model takes at most %(most)s tokens.") % {"most": f"{most:,}"}
    return _("An agent needs a name.")


@require_GET
@workspace_page
def agent(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """An agent's overview: what it has in view, what it has archived, its latest chats."""
    found = agent_in(workspace, agent)
    context = {
        "agent": found,
        "workspace": workspace,
        "model": model_label(found.model),
        "cards": cards_of_agent(found),
        "too_long": too_long(found),
        "passages": archives.passage_count(found),
        "chats": services.chats(agent=found)[:10],
        "can_write": _can_write(workspace),
    }
    return show(request, "agents/agent.html", SECTION | context)


@require_http_methods(["GET", "POST"])
@workspace_page
def settings(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Name, model, window and instructions. A new model counts from its next call on."""
    found = agent_in(workspace, agent)
    before = _typed(found)
    form = AgentForm(sent(request, "name"), initial=before)
    if request.method == "POST" and form.is_valid():
        fields = form.fields_of_agent()
        try:
            roster.update_agent(found.id, fields)
        except BadAgent as error:
            form.add_error(error.field, _refused(error, fields))
        else:
            undo = way_back("agent-settings", workspace.id, agent, **before) if form.has_changed() else ""
            note(request, _("Saved."), undo=undo)
            return redirect("agent-settings", workspace, agent)
    context = SECTION | {
        "agent": found,
        "workspace": workspace,
        "form": form,
        "can_write": _can_write(workspace),
    }
    return show(request, "agents/agent_settings.html", context, status=422 if form.errors else 200)


def _typed(found: Agent) -> dict[str, Any]:
    return {
        "name": found.name,
        "description": found.description,
        "instructions": found.instructions,
        "model": str(found.model_id),
        "window": found.window,
    }


@require_http_methods(["GET", "POST"])
@workspace_page
def new_agent_block(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """A new block in an agent's core memory."""
    found = agent_in(workspace, agent)
    require_role(workspace.id, "editor")
    form = NewBlockForm(request.POST or None, initial={"limit": 2000})
    if request.method == "POST" and form.is_valid():
        try:
            add_agent_block(found.id, form.fields_of_block())
        except BlockError as error:
            form.add_error(field_of(error, form), sentence(error))
        else:
            return redirect("agent", workspace, agent)
    context = SECTION | {"agent": found, "workspace": workspace, "form": form}
    return show(request, "agents/new_block.html", context, status=422 if form.errors else 200)


def agent_in(workspace: Workspace, agent: uuid.UUID) -> Agent:
    """An agent of a workspace that is at work. Raises Agent.DoesNotExist."""
    return Agent.objects.select_related("model__provider").get(id=agent, workspace=workspace, retired_at=None)


def _can_write(workspace: Workspace) -> bool:
    return has_role(workspace.id, "editor")
