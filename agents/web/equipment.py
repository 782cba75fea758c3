"""What an agent is given beside its blocks: the archives that it searches, and the skills that it knows."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from agents import archives, skills
from agents.attaching import BadAttachment
from agents.models import Agent, AgentArchive, AgentSkill
from agents.web.agents import SECTION, agent_in
from memory.models import Archive, Passage, Skill
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, is_uuid, show, workspace_page
from tenants.web.notes import note, way_back

OFFERED_AT_MOST = 200
Thing = Archive | Skill


@require_GET
@workspace_page
def equipment(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """The archives and skills that an agent has in sight, and those that it could be given."""
    found = agent_in(workspace, agent)
    attached = _archives(found)
    known = list(
        AgentSkill.objects.filter(agent=found, skill__retired_at=None)
        .select_related("skill")
        .order_by("skill__name", "id")
    )
    can_write = has_role(workspace.id, "editor")
    context = SECTION | {
        "agent": found,
        "workspace": workspace,
        "archives": attached,
        "skills": known,
        "more_archives": _offered(Archive, [row.archive_id for row in attached]) if can_write else [],
        "more_skills": _offered(Skill, [row.skill_id for row in known]) if can_write else [],
        "can_write": can_write,
    }
    return show(request, "agents/equipment.html", context)


def _archives(agent: Agent) -> list[AgentArchive]:
    standing = Q(archive__passages__in=Passage.objects.filter(Passage.standing()))
    rows = AgentArchive.objects.filter(agent=agent, archive__retired_at=None)
    counted = rows.annotate(passage_count=Count("archive__passages", filter=standing))
    return list(
        counted.select_related("archive__workspace").order_by("-is_own", "archive__name", "archive_id")
    )


def _offered(model: type[Thing], taken: list[uuid.UUID]) -> list[Any]:
    """Those of a kind that the present person may attach and the agent does not have."""
    mine = [key for key in current_scope().workspaces if has_role(key, "editor")]
    rows = model.objects.filter(workspace_id__in=mine, retired_at=None).exclude(id__in=taken)
    return list(rows.select_related("workspace").order_by("name", "id")[:OFFERED_AT_MOST])


@require_POST
@workspace_page
def attach_archive(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Let an agent search the archive that was chosen."""
    agent_in(workspace, agent)
    key = _chosen(request, "archive", Archive)
    undo = way_back("agent-archive-detach", workspace.id, agent, key)
    return _done(request, agent, lambda: archives.attach(agent, key), _("Attached."), undo)


@require_POST
@workspace_page
def detach_archive(
    request: PageRequest, workspace: Workspace, agent: uuid.UUID, archive: uuid.UUID
) -> HttpResponse:
    """Let an agent search an archive no longer; it stays, with what is in it."""
    agent_in(workspace, agent)
    undo = way_back("agent-archive-attach", workspace.id, agent, archive=archive)
    return _done(
        request, agent, lambda: archives.detach(agent, archive), _("Detached. The archive stays."), undo
    )


@require_POST
@workspace_page
def attach_skill(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """Let an agent know the skill that was chosen."""
    agent_in(workspace, agent)
    key = _chosen(request, "skill", Skill)
    undo = way_back("agent-skill-detach", workspace.id, agent, key)
    return _done(request, agent, lambda: skills.attach(agent, key), _("Attached."), undo)


@require_POST
@workspace_page
def detach_skill(
    request: PageRequest, workspace: Workspace, agent: uuid.UUID, skill: uuid.UUID
) -> HttpResponse:
    """Let an agent know a skill no longer; the skill stays."""
    agent_in(workspace, agent)
    undo = way_back("agent-skill-attach", workspace.id, agent, skill=skill)
    return _done(request, agent, lambda: skills.detach(agent, skill), _("Detached. The skill stays."), undo)


def _chosen(request: PageRequest, name: str, model: type[Thing]) -> uuid.UUID:
    """What was chosen in the form, or what an Undo's address says. Raises DoesNotExist where it is no id."""
    text = (request.POST if name in request.POST else request.GET).get(name, "")
    if not is_uuid(text):
        raise model.DoesNotExist
    return uuid.UUID(text)


def _done(
    request: PageRequest, agent: uuid.UUID, do: Callable[[], Any], said: str, undo: str
) -> HttpResponse:
    try:
        do()
    except BadAttachment:
        messages.error(request, _("The agent has it already, or it is its own."))
    else:
        note(request, said, undo=undo)
    return redirect("agent-equipment", request.workspace, agent)
