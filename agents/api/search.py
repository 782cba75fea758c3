"""The route of search, in which the memory of one agent can be asked for."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents import archives, retrieval
from agents.asides import Asides, begin_anew
from agents.models import Agent, AgentBlock, AgentSkill, MainContext
from agents.retrieval import BadSettings, Stage, settings_of
from memory.api.hit_serializers import FoundSerializer
from memory.api.search import SearchQuery, asked_of, filters_of, found
from memory.retrieval import Weights
from tenants.api.fields import Id
from tenants.api.views import ScopedView, identity_of, own_scopes
from tenants.scope import scope


class WeightsField(serializers.CharField):
    """What counts how much, as `lexical:1,vector:0.5`; each once."""

    def to_internal_value(self, data: Any) -> dict[str, float]:  # type: ignore[override]
        """The numbers by name. Raises ValidationError."""
        pairs = [pair.partition(":") for pair in super().to_internal_value(data).split(",")]
        try:
            found = {name.strip(): float(value) for name, _, value in pairs}
            retrieval.weights_from(found)
        except ValueError:
            raise serializers.ValidationError("Write weights as lexical:1,vector:0.5.") from None
        except BadSettings as error:
            raise serializers.ValidationError(str(error)) from None
        if len(found) < len(pairs):
            raise serializers.ValidationError("A weight stands there twice.")
        return found


class MemoryQuery(SearchQuery):
    """What to look for, and where. What is left out is no condition."""

    no_conditions = SearchQuery.no_conditions | {"weights", "rerank"}
    agent = Id(
        required=False,
        help_text="Only this agent's chats, archives, blocks and skills in sight, by its own weights.",
    )
    weights = WeightsField(
        required=False,
        max_length=200,
        help_text="What counts how much in this search, each 0 to 10, as `lexical:1,vector:0.5`; there are "
        "lexical, vector, importance and recency. What is left out counts as it does otherwise.",
    )
    rerank = serializers.ChoiceField(
        choices=[each.value for each in Stage],
        default=Stage.NONE.value,
        help_text="Who ranks the best 50 once more: the site's reranker (`endpoint`), or the chat model of "
        "`agent` (`model`). Where it is slow or fails the first order stands, and `notices` say so.",
    )


class Search(ScopedView):
    """Find what is remembered: messages, passages, summaries, skills, and what blocks say and said."""

    @extend_schema(
        operation_id="search", tags=["search"], parameters=[MemoryQuery], responses=FoundSerializer
    )
    @own_scopes
    def get(self, request: Request) -> Response:
        return begin_anew(lambda asides: _found(request, asides))


def _found(request: Request, asides: Asides) -> Response:
    """What is found, in a scope of its own: a second stage is asked while none is open."""
    with scope(identity_of(request)):
        asked = asked_of(request, MemoryQuery)
        agent = Agent.objects.select_related("model").get(id=asked["agent"]) if "agent" in asked else None
        weights = settings_of(agent).weights if agent else Weights()
        try:
            weights = retrieval.weights_from(asked.get("weights", {}), weights)
            stage = retrieval.stage_for_once(Stage(asked["rerank"]), agent)
        except BadSettings as error:
            raise serializers.ValidationError({error.field: [str(error)]}) from None
        filters = filters_of(asked, _memory_of(agent) if agent else None)
        return found(request, asked, filters, weights, asides.deferred(stage))


def _memory_of(agent: Agent) -> set[uuid.UUID]:
    """The containers in sight of what an agent remembers."""
    chats = MainContext.objects.filter(agent=agent, conversation__deleted_at=None)
    return {
        *chats.values_list("conversation_id", flat=True),
        *archives.archives_in_view(agent),
        *AgentBlock.objects.filter(agent=agent).values_list("block_id", flat=True),
        *AgentSkill.objects.filter(agent=agent).values_list("skill_id", flat=True),
    }
