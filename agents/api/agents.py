"""Routes of agents, and of the models that they use."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import keeping, roster
from agents.api.bodies import AgentChange, AgentDeletion, AgentNew, AgentsQuery
from agents.api.serializers import AgentSerializer, DeletionSerializer, ModelSerializer
from agents.keeping import Keeping
from agents.llm import catalog
from agents.models import Agent, LanguageModel
from agents.roster import AgentFields
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, PageQuery, answer, cut, page_of
from tenants.api.views import ScopedView, reachable
from tenants.scope import current_scope

KEPT = ("context", "tool_rules", "summary_model")


def keeping_of(said: dict[str, Any]) -> Keeping:
    """Take what says how an agent works out of a body."""
    kept = {name: said.pop(name) for name in KEPT if name in said}
    if "summary_model" in kept:
        kept["summary_model"] = kept["summary_model"] or ""
    return Keeping(**kept)


def agent_fields(said: dict[str, Any]) -> AgentFields:
    """Checked fields of a body, as the domain takes them."""
    renamed = {"model_id" if name == "model" else name: value for name, value in said.items()}
    if "window" in renamed:
        renamed["window"] = renamed["window"] or 0  # the domain's word for the model's own
    return AgentFields(**renamed)


class Agents(ScopedView):
    """The agents in your workspaces, and new ones."""

    @extend_schema(
        operation_id="agents", tags=["agents"], parameters=[AgentsQuery], responses=page_of(AgentSerializer)
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(AgentsQuery)
        rows = Agent.objects.filter(retired_at=None).select_related("model")
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        return answer(request, AgentSerializer, *cut(rows, asked, Order()))

    @extend_schema(
        operation_id="agent_create", tags=["agents"], request=AgentNew, responses={201: AgentSerializer}
    )
    def post(self, request: Request) -> Response:
        said = self.said(AgentNew)
        persona = said.pop("persona", "")
        workspace_id = said.pop("workspace", None)
        reachable(workspace_id)
        home, wanted = workspace_id or current_scope().home, keeping_of(said)
        with transaction.atomic():
            made = roster.create_agent(workspace_id=home, fields=agent_fields(said), persona=persona)
            agent = keeping.keep(made.id, wanted)
        return Response(AgentSerializer(agent).data, status=201)


class AgentDetail(ScopedView):
    """One agent."""

    @extend_schema(operation_id="agent", tags=["agents"], responses=AgentSerializer)
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        return Response(AgentSerializer(Agent.objects.select_related("model").get(id=agent_id)).data)

    @extend_schema(
        operation_id="agent_change", tags=["agents"], request=AgentChange, responses=AgentSerializer
    )
    def patch(self, request: Request, agent_id: uuid.UUID) -> Response:
        said = self.said(AgentChange)
        wanted = keeping_of(said)
        with transaction.atomic():
            roster.update_agent(agent_id, agent_fields(said))
            agent = keeping.keep(agent_id, wanted)
        return Response(AgentSerializer(agent).data)

    @extend_schema(
        operation_id="agent_delete",
        tags=["agents"],
        parameters=[AgentDeletion],
        responses={204: OpenApiResponse(description="It is out of the lists; its chats stay.")},
    )
    def delete(self, request: Request, agent_id: uuid.UUID) -> Response:
        asked = self.asked(AgentDeletion)
        roster.delete_agent(agent_id, with_blocks=asked["blocks"] == "delete")
        return Response(status=204)


class AgentDeletionPreview(ScopedView):
    """What would go with an agent, and what would stay."""

    @extend_schema(operation_id="agent_deletion", tags=["agents"], responses=DeletionSerializer)
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        return Response(DeletionSerializer(roster.preview_deletion(agent_id)).data)


class AgentReturn(ScopedView):
    """Bring a deleted agent back, with the blocks that went along."""

    @extend_schema(operation_id="agent_return", tags=["agents"], request=None, responses=AgentSerializer)
    def post(self, request: Request, agent_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(AgentSerializer(roster.bring_back_agent(agent_id)).data)


class Models(ScopedView):
    """The language models that agents can use."""

    @extend_schema(
        operation_id="models", tags=["models"], parameters=[PageQuery], responses=page_of(ModelSerializer)
    )
    def get(self, request: Request) -> Response:
        catalog.ensure_models()
        rows = LanguageModel.objects.select_related("provider")
        return answer(request, ModelSerializer, *cut(rows, self.asked(PageQuery), Order()))
