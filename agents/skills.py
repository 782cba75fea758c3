"""Which skills an agent knows: how something is done, listed in its prompt, loaded when it needs one."""

from __future__ import annotations

import uuid

from django.db import transaction

from agents.attaching import BadAttachment, note, require_both, take_away
from agents.models import Agent, AgentSkill
from memory.actors import ActorKind
from memory.models import Skill, SkillVersion, Trust

PEOPLE = frozenset({ActorKind.USER, ActorKind.STAFF})


def skills_in_view(agent: Agent) -> list[Skill]:
    """The skills in sight that an agent has, by name; of two with one name, that of the agent's workspace."""
    if not getattr(agent, "has_skills", True):
        return []
    rows = Skill.objects.filter(attachments__agent=agent, retired_at=None).order_by("name", "id")
    known: dict[str, Skill] = {}
    for each in sorted(rows, key=lambda row: row.workspace_id != agent.workspace_id):
        known.setdefault(each.name, each)
    return sorted(known.values(), key=lambda row: row.name)


def attach(agent_id: uuid.UUID, skill_id: uuid.UUID) -> AgentSkill:
    """Let an agent know a skill. Raises Agent.DoesNotExist, Skill.DoesNotExist, NotAllowed, BadAttachment."""
    with transaction.atomic():
        skill = Skill.objects.get(id=skill_id, retired_at=None)
        agent = require_both(agent_id, skill)
        if AgentSkill.objects.filter(agent=agent, skill=skill).exists():
            raise BadAttachment("The agent has this skill already.")
        row = AgentSkill.objects.create(workspace_id=skill.workspace_id, agent=agent, skill=skill)
        note("skill.attached", skill, agent, agent.id)
    return row


def detach(agent_id: uuid.UUID, skill_id: uuid.UUID) -> None:
    """Let an agent know a skill no longer; the skill stays. Raises AgentSkill.DoesNotExist, NotAllowed."""
    row = AgentSkill.objects.select_related("skill").get(agent_id=agent_id, skill_id=skill_id)
    take_away(row, row.skill, "skill.detached")


def trust_of(skill: Skill) -> int:
    """How far a skill is trusted: by who wrote the text that it has now."""
    written = SkillVersion.objects.filter(skill=skill, number=skill.version)
    kind = written.values_list("actor_kind", flat=True).first()
    return Trust.TRUSTED if kind in PEOPLE else Trust.DERIVED
