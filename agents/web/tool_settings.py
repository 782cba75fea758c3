"""Which tools an agent may call when: its rules, each in words and with what it asks for."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from agents import keeping
from agents.keeping import Keeping
from agents.models import Agent
from agents.tools import catalog
from agents.tools.rules import KINDS, BadRule
from agents.web.agents import SECTION, agent_in
from agents.web.rule_forms import RuleForm, forms_of, sent_forms, with_another
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, way_back


@require_http_methods(["GET", "POST"])
@workspace_page
def tool_settings(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """An agent's tool rules. A POST with `add` saves nothing and shows one more; `?rules=` is what an Undo
    brings back, JSON."""
    found = agent_in(workspace, agent)
    if request.method == "POST" and "rules" in request.GET:
        return _bring_back(request, workspace, found.id)
    if request.method != "POST":
        return _shown(request, workspace, found, forms_of(found.tool_rules))
    forms = sent_forms(request.POST)
    if add := request.POST.get("add"):
        return _shown(request, workspace, found, with_another(forms, add))
    kept = [form for form in forms if not request.POST.get(f"{form.prefix}-remove")]
    before, fault = json.dumps(found.tool_rules), ""
    if not any(form.errors for form in kept):
        fault = _saved(found.id, kept)
    if fault or any(form.errors for form in kept):
        return _shown(request, workspace, found, forms, fault=fault, status=422)
    note(request, _("Saved."), undo=way_back("agent-tools", workspace.id, agent, rules=before))
    return redirect("agent-tools", workspace, agent)


def _shown(
    request: PageRequest,
    workspace: Workspace,
    agent: Agent,
    forms: list[RuleForm],
    *,
    fault: str = "",
    status: int = 200,
) -> HttpResponse:
    context = SECTION | {
        "agent": agent,
        "workspace": workspace,
        "forms": forms,
        "kinds": KINDS,
        "fault": fault,
        "tools": [{"name": each.name, "words": each.description} for each in catalog.TOOLS.values()],
        "can_write": has_role(workspace.id, "editor"),
    }
    return show(request, "agents/tool_settings.html", context, status=status)


def _saved(agent_id: uuid.UUID, kept: list[RuleForm]) -> str:
    """Save the rules; what is wrong with all of them together, or nothing."""
    try:
        keeping.keep(agent_id, Keeping(tool_rules=[form.rule() for form in kept]))
    except BadRule as error:
        if error.index is None:
            return str(error)
        kept[error.index].add_error(None, str(error))
    return ""


def _bring_back(request: PageRequest, workspace: Workspace, agent_id: uuid.UUID) -> HttpResponse:
    try:
        rules: Any = json.loads(request.GET["rules"])
        keeping.keep(agent_id, Keeping(tool_rules=rules if isinstance(rules, list) else []))
    except (ValueError, RecursionError, BadRule):
        note(request, _("That cannot be saved like this."))
    else:
        note(request, _("Undone."))
    return redirect("agent-tools", workspace, agent_id)
