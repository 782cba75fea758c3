"""What agents are called, for the pages of memory that name who wrote."""

from __future__ import annotations

import uuid

from agents.models import Agent
from memory.actors import ActorKind
from memory.web.names import register_names


def agent_names(keys: set[uuid.UUID]) -> dict[uuid.UUID | None, str]:
    """The names of agents in sight, by id; retired ones too."""
    return dict(Agent.objects.filter(id__in=keys).values_list("id", "name"))


for kind in (ActorKind.AGENT, ActorKind.SLEEPTIME):
    register_names(kind, agent_names)
