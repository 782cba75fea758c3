"""The API's routes of one block that need nothing but memory: operations, going back, blame, moving."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import blame, core, moving
from memory.api.answers import WRITTEN, block_answer, written
from memory.api.block_serializers import BlameSerializer, BlockSerializer, MovePreviewSerializer
from memory.api.bodies import OPERATION_SCHEMA, PlaceBody, operation_of
from memory.api.etags import ETAG
from memory.models import Block
from tenants.api.bodies import Nothing
from tenants.api.views import ScopedView


class BlockOperations(ScopedView):
    """Change a block as an agent does: the operation is applied to what stands there now."""

    @extend_schema(
        operation_id="block_operate",
        tags=["blocks"],
        request=OPERATION_SCHEMA,
        responses=WRITTEN,
        parameters=[ETAG],
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        operation, reason = operation_of(request.data)
        return written(core.operate(block_id, operation, actor=core.by_me(), reason=reason))


class BlockRestore(ScopedView):
    """Make an old version the newest one again, as a new version."""

    @extend_schema(
        operation_id="block_restore", tags=["blocks"], request=None, responses=WRITTEN, parameters=[ETAG]
    )
    def post(self, request: Request, block_id: uuid.UUID, number: int) -> Response:
        self.said(Nothing)
        return written(core.restore(block_id, number, actor=core.by_me()))


class BlockUndo(ScopedView):
    """Take back what the newest version did, as a new version; 409 where others came after it."""

    @extend_schema(
        operation_id="block_undo", tags=["blocks"], request=None, responses=WRITTEN, parameters=[ETAG]
    )
    def post(self, request: Request, block_id: uuid.UUID, number: int) -> Response:
        self.said(Nothing)
        return written(core.undo(block_id, number, actor=core.by_me()))


class BlockBlame(ScopedView):
    """Which line came with which version, by whose hand, and from which message."""

    @extend_schema(operation_id="block_blame", tags=["blocks"], responses=BlameSerializer)
    def get(self, request: Request, block_id: uuid.UUID) -> Response:
        block = Block.objects.get(id=block_id)
        return Response(BlameSerializer({"version": block.version, "lines": blame.blame(block)}).data)


class BlockReturn(ScopedView):
    """Bring a deleted block back."""

    @extend_schema(
        operation_id="block_return",
        tags=["blocks"],
        request=None,
        responses=BlockSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return block_answer(core.bring_back(block_id))


class BlockMove(ScopedView):
    """Move a block to another workspace. Its history goes along: whoever reads there reads all of it."""

    @extend_schema(
        operation_id="block_move_preview",
        tags=["blocks"],
        parameters=[PlaceBody],
        responses=MovePreviewSerializer,
    )
    def get(self, request: Request, block_id: uuid.UUID) -> Response:
        place = self.asked(PlaceBody)["workspace"]
        return Response(MovePreviewSerializer(moving.preview_move(block_id, place)).data)

    @extend_schema(
        operation_id="block_move",
        tags=["blocks"],
        request=PlaceBody,
        responses=BlockSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        return block_answer(moving.move_block(block_id, self.said(PlaceBody)["workspace"]))


class BlockCopy(ScopedView):
    """Copy a block to another workspace, without its history."""

    @extend_schema(
        operation_id="block_copy",
        tags=["blocks"],
        request=PlaceBody,
        responses={201: BlockSerializer},
        parameters=[ETAG],
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        return block_answer(moving.copy_block(block_id, self.said(PlaceBody)["workspace"]), status=201)
