"""Routes of blocks. They are made through an agent (`agents/{id}/blocks/`), so there is no POST here."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import blocks, core_memory
from agents.api.bodies import BlockDeletion, BlocksQuery, Sharing
from agents.api.serializers import UseSerializer
from agents.models import Agent
from memory.api.answers import WRITTEN, block_answer, written
from memory.api.block_serializers import BlockSerializer
from memory.api.bodies import BlockChange, block_fields
from memory.api.etags import ETAG, IF_MATCH, expected_version
from memory.models import Block
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.views import ScopedView, reachable


class Blocks(ScopedView):
    """Every block in your workspaces."""

    @extend_schema(
        operation_id="blocks", tags=["blocks"], parameters=[BlocksQuery], responses=page_of(BlockSerializer)
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(BlocksQuery)
        rows = Block.objects.filter(retired_at__isnull=asked["deleted"] == "false")
        if "agent" in asked:
            shown = core_memory.agent_blocks(Agent.objects.get(id=asked["agent"]))
            rows = rows.filter(id__in=[block.block_id for block in shown])
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        if "label" in asked:
            rows = rows.filter(label=asked["label"])
        return answer(request, BlockSerializer, *cut(rows, asked, Order(), Length("value")))


class BlockDetail(ScopedView):
    """One block. A change names the version that it was made for, so that nobody's edit is lost."""

    @extend_schema(operation_id="block", tags=["blocks"], responses=BlockSerializer, parameters=[ETAG])
    def get(self, request: Request, block_id: uuid.UUID) -> Response:
        return block_answer(Block.objects.get(id=block_id))

    @extend_schema(
        operation_id="block_change",
        tags=["blocks"],
        request=BlockChange,
        responses=WRITTEN,
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, block_id: uuid.UUID) -> Response:
        version = expected_version(request)
        said = self.said(BlockChange)
        made = blocks.edit_block(
            block_id, block_fields(said), expected_version=version, reason=said.get("reason", "")
        )
        return written(made)

    @extend_schema(
        operation_id="block_delete",
        tags=["blocks"],
        parameters=[BlockDeletion],
        responses={
            204: OpenApiResponse(description="It is out of use; `return/` brings it back."),
            409: OpenApiResponse(description="Agents have it: `users` names them."),
        },
    )
    def delete(self, request: Request, block_id: uuid.UUID) -> Response:
        blocks.delete_block(block_id, also_used=self.asked(BlockDeletion)["used"] == "delete")
        return Response(status=204)


class BlockAgents(ScopedView):
    """The agents that have a block."""

    @extend_schema(operation_id="block_agents", tags=["blocks"], responses=page_of(UseSerializer))
    def get(self, request: Request, block_id: uuid.UUID) -> Response:
        return _users(Block.objects.get(id=block_id))

    @extend_schema(
        operation_id="block_share",
        tags=["blocks"],
        request=Sharing,
        responses=page_of(UseSerializer),
        description="Attach the block to several agents, or to none of them where one is refused.",
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        blocks.share(block_id, self.said(Sharing)["agents"])
        return _users(Block.objects.get(id=block_id))


def _users(block: Block) -> Response:
    """`{"results": [...]}`: all of them, since they fit into one page."""
    return Response({"results": UseSerializer(blocks.users_of(block), many=True).data, "next": None})
