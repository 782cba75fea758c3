"""The agent of a turn as it is now: its model, its memory and its skills may change in the middle."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from agents.models import Agent, AgentSkill, Turn
from memory.models import Document


class AgentOutOfReach(Exception):
    """The agent lies in a workspace that the person does not reach any more."""

    kind, retryable = "no_access", False


def agent_of(turn: Turn) -> Agent:
    """A turn's agent with its model. Raises AgentOutOfReach.

    It knows whether it has skills, and whether its chat has documents: each prompt asks, and most have none.
    """
    rows = Agent.objects.select_related("model__provider").annotate(
        has_skills=Exists(AgentSkill.objects.filter(agent=OuterRef("id"))),
        has_documents=Exists(Document.objects.filter(conversation_id=turn.conversation_id)),
    )
    found = rows.filter(id=turn.context.agent_id).first()
    if found is None:
        raise AgentOutOfReach(AgentOutOfReach.__doc__)
    return found
