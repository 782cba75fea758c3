"""Routes of an agent's core memory: which blocks it has, on what terms, attached and detached by id."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import blocks
from agents.api.bodies import AttachmentChange
from agents.api.serializers import AgentBlockSerializer
from agents.core_memory import attachments_in_view
from agents.models import AgentBlock
from memory.api.answers import block_answer
from memory.api.block_serializers import BlockSerializer
from memory.api.bodies import BlockNew, block_fields
from memory.api.etags import ETAG
from tenants.api.bodies import Nothing
from tenants.api.pages import PageQuery, answer, bad_cursor, page_of
from tenants.api.views import ScopedView


class AgentBlocks(ScopedView):
    """An agent's core memory as you see it: shared blocks, and your own."""

    @extend_schema(
        operation_id="agent_blocks",
        tags=["agents"],
        parameters=[PageQuery],
        responses=page_of(AgentBlockSerializer),
    )
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        asked = self.asked(PageQuery)
        rows = attachments_in_view(agent_id)
        start = _place_after(rows, asked.get("cursor"))
        page = rows[start : start + asked["limit"]]
        more = len(rows) > start + len(page)
        return answer(request, AgentBlockSerializer, page, str(page[-1].block_id) if more else None)

    @extend_schema(
        operation_id="agent_block_create",
        tags=["agents"],
        request=BlockNew,
        responses={201: BlockSerializer},
        parameters=[ETAG],
    )
    def post(self, request: Request, agent_id: uuid.UUID) -> Response:
        block = blocks.add_agent_block(agent_id, block_fields(self.said(BlockNew)))
        return block_answer(block, status=201)


def _place_after(rows: list[AgentBlock], cursor: str | None) -> int:
    """Core memory has an order of its own, so a page goes on after a block, not after its id."""
    if not cursor:
        return 0
    places = [place for place, row in enumerate(rows, start=1) if str(row.block_id) == cursor]
    if not places:
        raise bad_cursor()
    return places[0]


class AgentBlockDetail(ScopedView):
    """One block of an agent: the block and the terms on which the agent has it."""

    @extend_schema(operation_id="agent_block", tags=["agents"], responses=AgentBlockSerializer)
    def get(self, request: Request, agent_id: uuid.UUID, block_id: uuid.UUID) -> Response:
        return _shown(agent_id, block_id)

    @extend_schema(
        operation_id="agent_block_attach",
        tags=["agents"],
        request=None,
        responses={201: AgentBlockSerializer},
        description="Put a block into the agent's core memory. It takes an editor where the agent lies and "
        "where the block lies; a block of your own is attached for your chats only.",
    )
    def post(self, request: Request, agent_id: uuid.UUID, block_id: uuid.UUID) -> Response:
        self.said(Nothing)
        blocks.attach(agent_id, block_id)
        return _shown(agent_id, block_id, status=201)

    @extend_schema(
        operation_id="agent_block_change",
        tags=["agents"],
        request=AttachmentChange,
        responses=AgentBlockSerializer,
    )
    def patch(self, request: Request, agent_id: uuid.UUID, block_id: uuid.UUID) -> Response:
        said = self.said(AttachmentChange)
        if "override" in said:
            blocks.set_override(agent_id, block_id, said["override"])
        if "in_shared_chats" in said:
            blocks.lend(agent_id, block_id, allowed=said["in_shared_chats"])
        return _shown(agent_id, block_id)

    @extend_schema(
        operation_id="agent_block_detach",
        tags=["agents"],
        responses={204: OpenApiResponse(description="The agent has it no longer; the block stays.")},
    )
    def delete(self, request: Request, agent_id: uuid.UUID, block_id: uuid.UUID) -> Response:
        blocks.detach(agent_id, block_id)
        return Response(status=204)


def _shown(agent_id: uuid.UUID, block_id: uuid.UUID, status: int = 200) -> Response:
    row = AgentBlock.objects.select_related("block").get(agent_id=agent_id, block_id=block_id)
    return Response(AgentBlockSerializer(row).data, status=status)
