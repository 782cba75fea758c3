"""Routes of a chat's summaries: those that stand, one with the messages that it covers, making one anew."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents import services, summarising
from memory import summaries
from memory.models import Summary
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, PageQuery, answer, cut, page_of
from tenants.api.views import ScopedView


class SummarySerializer(serializers.Serializer[Any]):
    """What evicted messages of a chat were folded into."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField(source="conversation_id")
    content = serializers.CharField()
    made_by = serializers.CharField(help_text="A model's name, or extractive.")
    fault = serializers.CharField(
        help_text="Why it was not a model that made it, or anew where it is to be made again; else empty."
    )
    mend_at = serializers.DateTimeField(allow_null=True, help_text="When a model is asked again.")
    previous = serializers.UUIDField(source="previous_id", allow_null=True)
    replaces = serializers.UUIDField(source="replaces_id", allow_null=True)
    from_position = serializers.IntegerField()
    to_position = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class SpanSerializer(serializers.Serializer[Any]):
    """The messages that a summary covers."""

    count = serializers.IntegerField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="Of many messages, those at both ends, 25 each."
    )


class SummaryDetailSerializer(SummarySerializer):
    """The same with the messages that it covers."""

    covers = SpanSerializer()
    replaced_by = serializers.UUIDField(allow_null=True)


class Summaries(ScopedView):
    """The summaries of a chat."""

    @extend_schema(
        operation_id="summaries",
        tags=["conversations"],
        parameters=[PageQuery],
        responses=page_of(SummarySerializer),
        description="The summaries of a chat that no other one replaces, the newest first.",
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        asked = self.asked(PageQuery)
        services.open_chat(conversation_id)
        rows = summaries.standing(conversation_id)
        return answer(request, SummarySerializer, *cut(rows, asked, Order(descending=True)))

    @extend_schema(
        operation_id="summary_anew",
        tags=["conversations"],
        request=None,
        responses={202: SummarySerializer},
        description="Have the summary that stands in the chat's window made anew from its messages. It stays "
        "until that is done; the new one `replaces` it.",
    )
    def post(self, request: Request, conversation_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(SummarySerializer(summarising.ask_anew(conversation_id)).data, status=202)


class SummaryDetail(ScopedView):
    """One summary."""

    @extend_schema(operation_id="summary", tags=["conversations"], responses=SummaryDetailSerializer)
    def get(self, request: Request, summary_id: uuid.UUID) -> Response:
        found: Any = summaries.read_summary(summary_id)
        found.covers = summaries.span_of(found)
        found.replaced_by = Summary.objects.filter(replaces=found).values_list("id", flat=True).first()
        return Response(SummaryDetailSerializer(found).data)
