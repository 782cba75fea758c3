"""Routes of blocks. They are made through an agent (`agents/{id}/blocks/`), so there is no POST here."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import services
from agents.api.bodies import BlocksQuery
from agents.models import Agent
from memory import core
from memory.api.bodies import BlockChange, block_fields
from memory.api.etags import ETAG, IF_MATCH, block_answer, expected_version
from memory.api.serializers import BlockSerializer
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
        rows = Block.objects.all()
        if "agent" in asked:
            shown = services.agent_blocks(Agent.objects.get(id=asked["agent"]))
            rows = rows.filter(id__in=[block.id for block in shown])
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
        responses=BlockSerializer,
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, block_id: uuid.UUID) -> Response:
        version = expected_version(request)
        said = self.said(BlockChange)
        block = core.edit_block(block_id, block_fields(said), expected_version=version, actor=core.by_me())
        if "label" in said:
            services.rename_label(block)
        return block_answer(block)
