"""Pages of blocks that know whose core memory they are in: the list, and a new one."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from agents.blocks import add_agent_block
from agents.models import Agent
from agents.web.block_list import Filters, page_of_blocks
from agents.web.forms import NewMemoryForm
from memory import core
from memory.models import Block
from memory.operations import BlockError
from memory.web.refusals import field_of, sentence
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "memory"}


@require_GET
@workspace_page
def blocks(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The blocks of a workspace; `?q=`, `?agent=`, `?governance=`, `?deleted=1` filter, `?after=` pages."""
    filters = Filters(
        query=asked(request, "q"),
        agent=asked(request, "agent"),
        governance=asked(request, "governance"),
        is_deleted=bool(asked(request, "deleted")),
    )
    rows, has_more = page_of_blocks(workspace, filters, asked(request, "after"))
    context = {
        "rows": rows,
        "filters": filters,
        "more": _address_of_more(request, rows[-1].block) if has_more else "",
        "agents": agents_of(workspace),
        "rules": Block.Governance.choices,
        "workspace": workspace,
        "can_write": has_role(workspace.id, "editor"),
    }
    return show(request, "agents/blocks.html", SECTION | context, fragment="agents/_blocks.html")


def _address_of_more(request: PageRequest, last: Block) -> str:
    asked_for = request.GET.copy()
    asked_for["after"] = str(last.id)
    return f"?{asked_for.urlencode()}"


def agents_of(workspace: Workspace) -> list[Agent]:
    """The agents of a workspace that are at work."""
    return list(Agent.objects.filter(workspace=workspace, retired_at=None).order_by("name", "id"))


@require_http_methods(["GET", "POST"])
@workspace_page
def new_block(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new block, in the core memory of one of the workspace's agents or of none yet."""
    require_role(workspace.id, "editor")
    form = NewMemoryForm(request.POST or None, agents=agents_of(workspace), initial={"limit": 2000})
    if request.method == "POST" and form.is_valid():
        try:
            made = _make(workspace, form)
        except BlockError as error:
            form.add_error(field_of(error, form), sentence(error))
        else:
            return redirect("block", workspace, made.id)
    context = SECTION | {"form": form, "workspace": workspace}
    return show(request, "agents/block_new.html", context, status=422 if form.errors else 200)


def _make(workspace: Workspace, form: NewMemoryForm) -> Block:
    fields = form.fields_of_block()
    agent = form.cleaned_data.get("agent")
    if agent:
        return add_agent_block(uuid.UUID(agent), fields)
    return core.create_block(workspace_id=workspace.id, fields=fields, actor=core.by_me())
