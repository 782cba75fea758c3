"""The API's routes of a block's versions: the list, one, and what changed between two."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.block_serializers import DiffSerializer, VersionSerializer
from memory.models import Block, BlockVersion
from memory.web import diff
from tenants.api.pages import Order, PageQuery, answer, cut, page_of, whole
from tenants.api.views import ScopedView


class BlockVersions(ScopedView):
    """What a block read like, the newest first."""

    @extend_schema(
        operation_id="block_versions",
        tags=["blocks"],
        parameters=[PageQuery],
        responses=page_of(VersionSerializer),
    )
    def get(self, request: Request, block_id: uuid.UUID) -> Response:
        block = Block.objects.get(id=block_id)
        rows = BlockVersion.objects.filter(block=block).select_related("source")
        order = Order("number", descending=True, read=whole)
        return answer(request, VersionSerializer, *cut(rows, self.asked(PageQuery), order, Length("value")))


class BlockVersionDetail(ScopedView):
    """One version of a block."""

    @extend_schema(operation_id="block_version", tags=["blocks"], responses=VersionSerializer)
    def get(self, request: Request, block_id: uuid.UUID, number: int) -> Response:
        rows = BlockVersion.objects.select_related("source")
        return Response(VersionSerializer(rows.get(block_id=block_id, number=number)).data)


class BlockDiff(ScopedView):
    """What changed from version a to version b, word by word. Version 0 is the empty block."""

    @extend_schema(operation_id="block_diff", tags=["blocks"], responses=DiffSerializer)
    def get(self, request: Request, block_id: uuid.UUID, a: int, b: int) -> Response:
        runs = diff.runs(*(_text(block_id, number) for number in (a, b)))
        return Response(DiffSerializer({"a": a, "b": b, "runs": runs}).data)


def _text(block_id: uuid.UUID, number: int) -> str:
    if number == 0:
        return ""
    text: str = BlockVersion.objects.values_list("value", flat=True).get(block_id=block_id, number=number)
    return text
