"""Agents: their list, a new one, an agent's memory and settings."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents import archives, services
from agents.llm import catalog
from agents.models import Agent, LanguageModel
from agents.services import AgentFields, BadAgent
from agents.web.forms import AgentForm, NewAgentForm
from agents.web.labels import model_label
from memory.operations import BlockError
from memory.web.forms import NewBlockForm
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "agents"}


@require_GET
@workspace_page
def agents(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The agents of a workspace; `?q=` filters by name."""
    query = asked(request, "q")
    found = Agent.objects.filter(workspace=workspace, retired_at=None, name__icontains=query)
    rows = [{"agent": each, "model": model_label(each.model)} for each in _with_models(found)]
    context = {"workspace": workspace, "agents": rows, "query": query, "can_write": _can_write(workspace)}
    return show(request, "agents/agents.html", SECTION | context, fragment="agents/_agents.html")


def _with_models(found: Any) -> Any:
    return found.select_related("model__provider").order_by("name", "id")


@require_http_methods(["GET", "POST"])
@workspace_page
def new_agent(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new agent with a name, a persona, a model and a window."""
    usual = catalog.ensure_models()
    form = NewAgentForm(request.POST or None, initial={"model": str(usual.id)})
    if request.method == "POST" and form.is_valid():
        fields, persona = form.fields_of_agent(), form.cleaned_data["persona"]
        try:
            made = services.create_agent(workspace_id=workspace.id, fields=fields, persona=persona)
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
    found = _agent(workspace, agent)
    blocks = services.agent_blocks(found)
    context = {
        "agent": found,
        "workspace": workspace,
        "model": model_label(found.model),
        "blocks": [{"block": each, "can_write": has_role(each.workspace_id, "editor")} for each in blocks],
        "passages": archives.passage_count(found),
        "chats": services.chats(agent=found)[:10],
        "can_write": _can_write(workspace),
    }
    return show(request, "agents/agent.html", SECTION | context)


@require_http_methods(["GET", "POST"])
@workspace_page
def settings(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Name, model, window and instructions. A new model counts from its next call on."""
    found = _agent(workspace, agent)
    form = AgentForm(request.POST or None, initial=_typed(found))
    if request.method == "POST" and form.is_valid():
        fields = form.fields_of_agent()
        try:
            services.update_agent(found.id, fields)
        except BadAgent as error:
            form.add_error(error.field, _refused(error, fields))
        else:
            messages.success(request, _("Saved."))
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
    found = _agent(workspace, agent)
    form = NewBlockForm(request.POST or None, initial={"limit": 2000})
    if request.method == "POST" and form.is_valid():
        try:
            services.add_agent_block(found.id, form.fields_of_block())
        except BlockError as error:
            form.add_error(field_of(error), sentence(error))
        else:
            return redirect("agent", workspace, agent)
    context = SECTION | {"agent": found, "workspace": workspace, "form": form}
    return show(request, "agents/new_block.html", context, status=422 if form.errors else 200)


@require_POST
@workspace_page
def retire(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Take an agent out of the lists; the note at the bottom brings it back."""
    found = services.retire_agent(_agent(workspace, agent).id)
    back = reverse("agent-return", args=[workspace.id, agent])
    messages.info(
        request, _("%(name)s is retired; chats and memory stay.") % {"name": found.name}, extra_tags=back
    )
    return redirect("agents", workspace)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Bring a retired agent back."""
    Agent.objects.get(id=agent, workspace=workspace)
    services.retire_agent(agent, retired=False)
    return redirect("agent", workspace, agent)


def _agent(workspace: Workspace, agent: uuid.UUID) -> Agent:
    return Agent.objects.select_related("model__provider").get(id=agent, workspace=workspace, retired_at=None)


def _can_write(workspace: Workspace) -> bool:
    return has_role(workspace.id, "editor")
