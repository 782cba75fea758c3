"""Routes of chats."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents import chats, services
from agents.api.bodies import ConversationChange, ConversationNew, ConversationsQuery
from agents.api.serializers import ConversationSerializer
from agents.models import Agent
from memory import recall
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.views import ScopedView, reachable


class Conversations(ScopedView):
    """The chats in your workspaces, the newest first."""

    @extend_schema(
        operation_id="conversations",
        tags=["conversations"],
        parameters=[ConversationsQuery],
        responses=page_of(ConversationSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(ConversationsQuery)
        rows = services.chats()
        if "agent" in asked:
            rows = rows.filter(agent=Agent.objects.get(id=asked["agent"]))
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        if "pinned" in asked:
            rows = rows.filter(conversation__pinned_at__isnull=asked["pinned"] == "false")
        order = Order("conversation_id", descending=True)
        return answer(request, ConversationSerializer, *cut(rows, asked, order))

    @extend_schema(
        operation_id="conversation_create",
        tags=["conversations"],
        request=ConversationNew,
        responses={201: ConversationSerializer},
    )
    def post(self, request: Request) -> Response:
        said = self.said(ConversationNew)
        reachable(said.get("workspace"))
        context = services.start_chat(
            agent_id=said["agent"], workspace_id=said.get("workspace"), title=said.get("title", "")
        )
        return Response(ConversationSerializer(context).data, status=201)


class ConversationDetail(ScopedView):
    """One chat."""

    @extend_schema(operation_id="conversation", tags=["conversations"], responses=ConversationSerializer)
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        return Response(ConversationSerializer(services.open_chat(conversation_id)).data)

    @extend_schema(
        operation_id="conversation_change",
        tags=["conversations"],
        request=ConversationChange,
        responses=ConversationSerializer,
    )
    def patch(self, request: Request, conversation_id: uuid.UUID) -> Response:
        said = self.said(ConversationChange)
        if "title" in said:
            recall.rename(conversation_id, said["title"])
        if "pinned" in said:
            recall.pin(conversation_id, pinned=said["pinned"])
        return Response(ConversationSerializer(services.open_chat(conversation_id)).data)

    @extend_schema(
        operation_id="conversation_delete",
        tags=["conversations"],
        responses={204: OpenApiResponse(description="It is out of lists, search and recall.")},
    )
    def delete(self, request: Request, conversation_id: uuid.UUID) -> Response:
        chats.delete_chat(conversation_id)
        return Response(status=204)
