"""Pages of blocks that know whose core memory they are in: the list, a new one, and the edit of one."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from agents import services
from agents.models import Agent, AgentBlock
from agents.web.forms import NewMemoryForm
from memory import core
from memory.core import VersionConflict
from memory.models import Block
from memory.operations import BlockError
from memory.web import diff
from memory.web.forms import BlockForm
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page

SECTION = {"section": "memory"}


@require_GET
@workspace_page
def blocks(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The blocks of a workspace with their agents; `?q=` filters by label and text."""
    query = asked(request, "q")
    found = Block.objects.filter(workspace=workspace).order_by("label", "id")
    if query:
        found = found.filter(label__icontains=query) | found.filter(value__icontains=query)
    context = {
        "blocks": _with_agents(list(found)),
        "query": query,
        "workspace": workspace,
        "can_write": _can_write(workspace),
    }
    return show(request, "agents/blocks.html", SECTION | context, fragment="agents/_blocks.html")


def _with_agents(found: list[Block]) -> list[dict[str, Any]]:
    names: dict[uuid.UUID, list[str]] = defaultdict(list)
    attached = AgentBlock.objects.filter(block__in=found).select_related("agent").order_by("agent__name")
    for row in attached:
        names[row.block_id].append(row.agent.name)
    return [{"block": each, "agents": names[each.id]} for each in found]


@require_http_methods(["GET", "POST"])
@workspace_page
def new_block(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new block in the core memory of one of the workspace's agents."""
    agents = list(Agent.objects.filter(workspace=workspace, retired_at=None).order_by("name", "id"))
    form = NewMemoryForm(request.POST or None, agents=agents, initial={"limit": 2000})
    if request.method == "POST" and form.is_valid():
        try:
            made = _make(workspace, form)
        except BlockError as error:
            form.add_error(field_of(error), sentence(error))
        else:
            return redirect("block", workspace, made.id)
    context = SECTION | {"form": form, "workspace": workspace}
    return show(request, "agents/block_new.html", context, status=422 if form.errors else 200)


def _make(workspace: Workspace, form: NewMemoryForm) -> Block:
    fields = form.fields_of_block()
    agent = form.cleaned_data.get("agent")
    if agent:
        return services.add_agent_block(uuid.UUID(agent), fields)
    return core.create_block(workspace_id=workspace.id, fields=fields, actor=core.by_me())


@require_http_methods(["GET", "POST"])
@workspace_page
def block(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Edit a block, as a page or inside the side panel."""
    found = Block.objects.select_related("workspace").get(workspace=workspace, id=block)
    if request.method == "GET":
        return _edit(request, found, _form_of(found, initial=_typed(found)))
    form = _form_of(found, request.POST)
    if not form.is_valid():
        return _edit(request, found, form, status=422)
    version = form.cleaned_data["version"]
    try:
        edited = services.edit_block(found.id, form.fields_of_block(), expected_version=version)
    except BlockError as error:
        form.add_error(field_of(error), sentence(error))
        return _edit(request, found, form, status=422)
    except VersionConflict as conflict:
        return _conflict(request, form, conflict)
    if is_fragment(request):
        return _saved(request, edited)
    messages.success(request, _("Saved."))
    return redirect("block", workspace, block)


def _form_of(found: Block, data: Any = None, *, initial: dict[str, Any] | None = None) -> BlockForm:
    """The form, with ids of its own: two blocks can be edited side by side."""
    return BlockForm(data, initial=initial, auto_id=f"id_%s_{found.id}")


def _edit(request: PageRequest, found: Block, form: BlockForm, status: int = 200) -> HttpResponse:
    return _show_form(request, {"memory_block": found, "form": form}, status)


def _conflict(request: PageRequest, form: BlockForm, conflict: VersionConflict) -> HttpResponse:
    """409: base, theirs and mine; the form keeps mine and would now save over theirs."""
    theirs = conflict.theirs
    merged = _form_of(theirs, initial=form.cleaned_data | {"version": theirs.version})
    base = conflict.base.value if conflict.base else ""
    both = {"theirs": diff.runs(base, theirs.value), "mine": diff.runs(base, conflict.mine)}
    return _show_form(request, {"memory_block": theirs, "form": merged, "conflict": both}, 409)


def _show_form(request: PageRequest, context: dict[str, Any], status: int) -> HttpResponse:
    shown = SECTION | {"can_write": _can_write(request.workspace), "in_panel": is_fragment(request)} | context
    if is_fragment(request):
        context["form"].fields["value"].widget.attrs["autofocus"] = True
    return show(request, "agents/block.html", shown, fragment="agents/_block_edit.html", status=status)


def _saved(request: PageRequest, edited: Block) -> HttpResponse:
    """The block as the side panel shows it, in the place of its form."""
    context = {"memory_block": edited, "can_write": True, "is_focused": True}
    response = show(request, "memory/card.html", SECTION | context, fragment="memory/_card.html")
    response["HX-Trigger"] = json.dumps({"memory": {"block": str(edited.id), "version": edited.version}})
    return response


def _can_write(workspace: Workspace) -> bool:
    return has_role(workspace.id, "editor")


def _typed(found: Block) -> dict[str, Any]:
    return {
        "label": found.label,
        "value": found.value,
        "description": found.description,
        "limit": found.limit,
        "read_only": found.read_only,
        "version": found.version,
    }
