"""The route of search, in which the memory of one agent can be asked for."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import archives
from agents.models import Agent, AgentBlock, AgentSkill, MainContext
from agents.retrieval import settings_of
from memory.api.hit_serializers import FoundSerializer
from memory.api.search import SearchQuery, asked_of, filters_of, found
from tenants.api.fields import Id
from tenants.api.views import ScopedView


class MemoryQuery(SearchQuery):
    """What to look for, and where. What is left out is no condition."""

    agent = Id(
        required=False,
        help_text="Only this agent's chats, archives, blocks and skills in sight, by its own weights.",
    )


class Search(ScopedView):
    """Find what is remembered: messages, passages, summaries, skills, and what blocks say and said."""

    @extend_schema(
        operation_id="search", tags=["search"], parameters=[MemoryQuery], responses=FoundSerializer
    )
    def get(self, request: Request) -> Response:
        asked = asked_of(request, MemoryQuery)
        if "agent" not in asked:
            return found(request, asked, filters_of(asked))
        agent = Agent.objects.get(id=asked["agent"])
        weights = settings_of(agent).weights
        return found(request, asked, filters_of(asked, _memory_of(agent)), weights)


def _memory_of(agent: Agent) -> set[uuid.UUID]:
    """The containers in sight of what an agent remembers."""
    chats = MainContext.objects.filter(agent=agent, conversation__deleted_at=None)
    return {
        *chats.values_list("conversation_id", flat=True),
        *archives.archives_in_view(agent),
        *AgentBlock.objects.filter(agent=agent).values_list("block_id", flat=True),
        *AgentSkill.objects.filter(agent=agent).values_list("skill_id", flat=True),
    }
