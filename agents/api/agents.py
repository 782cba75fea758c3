"""Routes of agents, of the blocks in their core memory, and of the models that they use."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import services
from agents.api.bodies import AgentChange, AgentNew, AgentsQuery
from agents.api.serializers import AgentSerializer, ModelSerializer
from agents.llm import catalog
from agents.models import Agent, LanguageModel
from agents.services import AgentFields
from memory.api.bodies import BlockNew, block_fields
from memory.api.etags import ETAG, block_answer
from memory.api.serializers import BlockSerializer
from memory.models import Block
from tenants.api.pages import Order, PageQuery, answer, bad_cursor, cut, page_of
from tenants.api.views import ScopedView, reachable
from tenants.models import Workspace
from tenants.scope import current_scope


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
        home = workspace_id or current_scope().of_kind(Workspace.Kind.PERSONAL)[0]
        agent = services.create_agent(workspace_id=home, fields=agent_fields(said), persona=persona)
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
        agent = services.update_agent(agent_id, agent_fields(self.said(AgentChange)))
        return Response(AgentSerializer(agent).data)

    @extend_schema(
        operation_id="agent_retire",
        tags=["agents"],
        responses={204: OpenApiResponse(description="It is out of the lists; memory and chats stay.")},
    )
    def delete(self, request: Request, agent_id: uuid.UUID) -> Response:
        services.retire_agent(agent_id)
        return Response(status=204)


class AgentBlocks(ScopedView):
    """An agent's core memory as you see it: shared blocks, and your own `human` block."""

    @extend_schema(
        operation_id="agent_blocks",
        tags=["agents"],
        parameters=[PageQuery],
        responses=page_of(BlockSerializer),
    )
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        asked = self.asked(PageQuery)
        blocks = services.agent_blocks(Agent.objects.get(id=agent_id))
        start = _place_after(blocks, asked.get("cursor"))
        page = blocks[start : start + asked["limit"]]
        more = len(blocks) > start + len(page)
        return answer(request, BlockSerializer, page, str(page[-1].id) if more else None)

    @extend_schema(
        operation_id="agent_block_create",
        tags=["agents"],
        request=BlockNew,
        responses={201: BlockSerializer},
        parameters=[ETAG],
    )
    def post(self, request: Request, agent_id: uuid.UUID) -> Response:
        block = services.add_agent_block(agent_id, block_fields(self.said(BlockNew)))
        return block_answer(block, status=201)


def _place_after(blocks: list[Block], cursor: str | None) -> int:
    """Core memory has an order of its own, so a page goes on after a block, not after its id."""
    if not cursor:
        return 0
    places = [place for place, block in enumerate(blocks, start=1) if str(block.id) == cursor]
    if not places:
        raise bad_cursor()
    return places[0]


class Models(ScopedView):
    """The language models that agents can use."""

    @extend_schema(
        operation_id="models", tags=["models"], parameters=[PageQuery], responses=page_of(ModelSerializer)
    )
    def get(self, request: Request) -> Response:
        catalog.ensure_models()
        rows = LanguageModel.objects.select_related("provider")
        return answer(request, ModelSerializer, *cut(rows, self.asked(PageQuery), Order()))
