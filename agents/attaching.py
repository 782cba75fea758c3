"""What an agent is given beside its blocks, archives and skills: by whom, and who may take it away again.

As with blocks: whoever attaches is editor where the agent lies and where the thing lies, and either side
alone may end it. The attachment lies where the thing lies, so who sees one sees the other.
"""

from __future__ import annotations

import uuid
from typing import TypeVar

from django.db import transaction

from agents.models import Agent, AgentArchive, AgentSkill
from memory.models import Archive, Skill
from tenants import audit
from tenants.permissions import NotAllowed, has_role, require_role

Attached = TypeVar("Attached", AgentArchive, AgentSkill)
Thing = Archive | Skill


class BadAttachment(Exception):
    """The agent has this already."""


def require_both(agent_id: uuid.UUID, thing: Thing) -> Agent:
    """The agent, for whom nobody else attaches anything meanwhile. Raises Agent.DoesNotExist, NotAllowed."""
    agent = Agent.objects.select_for_update(no_key=True).get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    require_role(thing.workspace_id, "editor")
    return agent


def take_away(row: Attached, thing: Thing, action: str) -> None:
    """End an attachment. Raises NotAllowed."""
    agent = Agent.objects.filter(id=row.agent_id).first()
    if not has_role(row.workspace_id, "editor") and not (agent and has_role(agent.workspace_id, "editor")):
        raise NotAllowed("editor")
    with transaction.atomic():
        row.delete()
        note(action, thing, agent, row.agent_id)


def note(action: str, thing: Thing, agent: Agent | None, agent_id: uuid.UUID) -> None:
    """An audit event on the thing; which agent it is about stands in the details."""
    audit.record(action, thing, name=thing.name, agent=agent_id, agent_name=agent.name if agent else "")
