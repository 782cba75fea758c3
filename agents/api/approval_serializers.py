"""What of tool calls that wait for a yes stands in answers."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from agents.models import Approval
from agents.turns import approvals


class ToolApprovalSerializer(serializers.Serializer[Any]):
    """A tool call that waits for a person's yes, or what became of it."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    conversation = serializers.UUIDField(source="turn.conversation_id")
    turn = serializers.UUIDField(source="turn_id")
    message = serializers.UUIDField(source="message_id", help_text="The answer in which the call stands.")
    asked_by = serializers.UUIDField(source="turn.user_id", help_text="Whose turn it is.")
    call = serializers.CharField(source="call_id")
    tool = serializers.CharField()
    arguments = serializers.SerializerMethodField(help_text="As the model wants to call it.")
    edited = serializers.SerializerMethodField(help_text="What it runs with, where a person changed that.")
    status = serializers.ChoiceField(choices=Approval.Status.choices)
    note = serializers.CharField()
    may_decide = serializers.SerializerMethodField(help_text="Whether you can say yes or no.")
    may_edit = serializers.SerializerMethodField(help_text="Whether you can change its arguments.")
    decided_by = serializers.UUIDField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()

    def get_arguments(self, approval: Approval) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(approval.arguments)
        return found

    def get_edited(self, approval: Approval) -> dict[str, Any] | None:
        return json.loads(approval.edited) if approval.edited else None

    def get_may_decide(self, approval: Approval) -> bool:
        return approval.status == Approval.Status.OPEN and approvals.may_decide(approval)

    def get_may_edit(self, approval: Approval) -> bool:
        return approval.status == Approval.Status.OPEN and approvals.may_edit(approval)
