"""The events of a turn as the API's schema documents them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from agents.models import Approval, Turn


class StateEvent(serializers.Serializer[Any]):
    """`state`: the turn waits for a worker, runs, or is `awaiting` a decision about a tool call."""

    status = serializers.ChoiceField(choices=["queued", "running", "awaiting"])


class TextEvent(serializers.Serializer[Any]):
    """`text`: more of what the agent says."""

    text = serializers.CharField()


class RestartEvent(serializers.Serializer[Any]):
    """`restart`: what was streamed of the present message is void; clear it."""


class ToolEvent(serializers.Serializer[Any]):
    """`tool`: the agent calls a tool; `arguments` is JSON, cut at 2,000 characters."""

    call = serializers.CharField()
    name = serializers.CharField()
    arguments = serializers.CharField()


class ResultEvent(serializers.Serializer[Any]):
    """`result`: what a tool answered, cut at 2,000 characters."""

    call = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField()
    content = serializers.CharField()
    message = serializers.UUIDField()


class MemoryEvent(serializers.Serializer[Any]):
    """`memory`: the agent changed a block."""

    block = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]
    version = serializers.IntegerField()
    operation = serializers.CharField()
    call = serializers.CharField()


class ProposalEvent(serializers.Serializer[Any]):
    """`proposal`: the agent proposed a change of a block; an editor of its workspace decides."""

    proposal = serializers.UUIDField()
    block = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]
    workspace = serializers.UUIDField()
    operation = serializers.CharField()
    call = serializers.CharField()


class ApprovalEvent(serializers.Serializer[Any]):
    """`approval`: a tool call waits for a person's yes, at `approvals/{id}/`; again, when it is decided."""

    approval = serializers.UUIDField()
    call = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=Approval.Status.choices)
    arguments = serializers.CharField()
    expires_at = serializers.DateTimeField()


class MessageEvent(serializers.Serializer[Any]):
    """`message`: a message is stored; read it at `messages/{id}/`."""

    id = serializers.UUIDField()
    role = serializers.CharField()
    state = serializers.CharField()


class ErrorEvent(serializers.Serializer[Any]):
    """`error`: the turn fails; `done` follows."""

    kind = serializers.CharField()
    text = serializers.CharField()
    retryable = serializers.BooleanField()


class DoneEvent(serializers.Serializer[Any]):
    """`done`: always the last."""

    status = serializers.ChoiceField(choices=[each.value for each in Turn.ENDED])
    messages = serializers.ListField(child=serializers.UUIDField(), required=False)


class TurnEvent(serializers.Serializer[Any]):
    """`turn`: only at the beginning of the answer to a new message, without an id."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField()
    message = serializers.UUIDField()


SHAPES: tuple[type[serializers.Serializer[Any]], ...] = (
    TurnEvent,
    StateEvent,
    TextEvent,
    RestartEvent,
    ToolEvent,
    ResultEvent,
    MemoryEvent,
    ProposalEvent,
    ApprovalEvent,
    MessageEvent,
    ErrorEvent,
    DoneEvent,
)
EVENTS = PolymorphicProxySerializer(
    component_name="EventData", serializers=list(SHAPES), resource_type_field_name=None
)
EVENTS_SAY = (
    "Events: `id` counts up from 1, `event` names the kind, `data` is a JSON object of that kind's shape. A "
    "comment comes every 15 seconds while nothing happens. `done` is always last.\n\n"
    + "\n".join(f"- {(shape.__doc__ or '').strip()}" for shape in SHAPES)
)
