"""Routes of tool calls that wait for a person's yes: what waits, and deciding about it."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from agents.api.approval_serializers import ToolApprovalSerializer
from agents.api.bodies import ApprovalsQuery, CallApproval, CallRejection
from agents.turns import approvals
from memory.models import Conversation
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.views import ScopedView, reachable


class Approvals(ScopedView):
    """Tool calls in your chats, the oldest first; those that wait, unless another status is asked for."""

    @extend_schema(
        operation_id="approvals",
        tags=["turns"],
        parameters=[ApprovalsQuery],
        responses=page_of(ToolApprovalSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(ApprovalsQuery)
        rows = approvals.in_sight(status=asked["status"])
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        if "conversation" in asked:
            rows = rows.filter(turn__conversation=Conversation.objects.get(id=asked["conversation"]))
        return answer(request, ToolApprovalSerializer, *cut(rows, asked, Order(), Length("arguments")))


class ApprovalDetail(ScopedView):
    """One tool call that waits, or what became of it."""

    @extend_schema(operation_id="approval", tags=["turns"], responses=ToolApprovalSerializer)
    def get(self, request: Request, approval_id: uuid.UUID) -> Response:
        return Response(ToolApprovalSerializer(approvals.in_sight().get(id=approval_id)).data)


class ApprovalApprove(ScopedView):
    """Let a tool call run, as it is or with other arguments. The turn goes on when nothing of it waits."""

    @extend_schema(
        operation_id="approval_approve",
        tags=["turns"],
        request=CallApproval,
        responses=ToolApprovalSerializer,
    )
    def post(self, request: Request, approval_id: uuid.UUID) -> Response:
        said = self.said(CallApproval)
        decided = approvals.approve(approval_id, arguments=said.get("arguments"), note=said.get("note", ""))
        return Response(ToolApprovalSerializer(decided).data)


class ApprovalReject(ScopedView):
    """Do not let a tool call run. The model hears of it, with the note."""

    @extend_schema(
        operation_id="approval_reject",
        tags=["turns"],
        request=CallRejection,
        responses=ToolApprovalSerializer,
    )
    def post(self, request: Request, approval_id: uuid.UUID) -> Response:
        note = self.said(CallRejection).get("note", "")
        return Response(ToolApprovalSerializer(approvals.reject(approval_id, note=note)).data)
