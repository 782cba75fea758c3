"""The API's routes that need nothing but memory: versions, operations, a message, search."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models.functions import Length
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import core, recall, retrieval
from memory.api.bodies import OPERATION_SCHEMA, SearchQuery, operation_of
from memory.api.etags import ETAG, block_answer
from memory.api.serializers import BlockSerializer, HitSerializer, MessageSerializer, VersionSerializer
from memory.models import Block, BlockVersion, Conversation, IndexEntry
from memory.retrieval import Filters
from tenants.api.pages import Order, PageQuery, answer, bad_cursor, cut, page_of, whole
from tenants.api.views import ScopedView

HITS_DEEP = 10_000


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


class BlockOperations(ScopedView):
    """Change a block as an agent does: the operation is applied to what stands there now."""

    @extend_schema(
        operation_id="block_operate",
        tags=["blocks"],
        request=OPERATION_SCHEMA,
        responses=BlockSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, block_id: uuid.UUID) -> Response:
        version = core.operate(block_id, operation_of(request.data), actor=core.by_me())
        return block_answer(version.block)


class MessageDetail(ScopedView):
    """One message, whole."""

    @extend_schema(operation_id="message", tags=["conversations"], responses=MessageSerializer)
    def get(self, request: Request, message_id: uuid.UUID) -> Response:
        return Response(MessageSerializer(recall.read_message(message_id).message).data)


class Search(ScopedView):
    """Find messages and passages by their words."""

    @extend_schema(
        operation_id="search", tags=["search"], parameters=[SearchQuery], responses=page_of(HitSerializer)
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(SearchQuery)
        offset = _offset(asked)
        found = retrieval.search(asked["q"], _filters(asked), limit=asked["limit"], offset=offset)
        end = offset + len(found.hits)
        more = end < min(found.total, HITS_DEEP) and found.hits
        return answer(request, HitSerializer, found.hits, str(end) if more else None)


def _offset(asked: dict[str, Any]) -> int:
    try:
        offset = whole(asked.get("cursor") or "0")
    except ValueError:
        raise bad_cursor() from None
    if offset >= HITS_DEEP:
        raise bad_cursor()
    return offset


def _filters(asked: dict[str, Any]) -> Filters:
    kind, conversation = asked.get("kind"), asked.get("conversation")
    if conversation is None:
        return Filters(kinds=[kind] if kind else None)
    Conversation.objects.get(id=conversation, deleted_at=None)
    kinds = {IndexEntry.Kind.MESSAGE.value} & {kind or IndexEntry.Kind.MESSAGE.value}
    return Filters(kinds=kinds, containers=[conversation])
