"""The API's routes of what was said and filed: a message, search."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import recall, retrieval
from memory.api.bodies import SearchQuery
from memory.api.serializers import HitSerializer, MessageSerializer
from memory.models import Conversation, IndexEntry
from memory.retrieval import Filters
from tenants.api.pages import answer, bad_cursor, page_of, whole
from tenants.api.views import ScopedView

HITS_DEEP = 10_000


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
