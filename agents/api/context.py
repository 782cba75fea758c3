"""Routes of the inspector: what a model saw at a step, and what would be sent now."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents import services
from agents.inspector.searches import searches_before
from agents.inspector.seen import Seen, seen, seen_next
from agents.models import Step
from tenants.api.views import ScopedView


class SeenMessageSerializer(serializers.Serializer[Any]):
    """A message as the model saw it."""

    id = serializers.UUIDField(source="message.id")
    role = serializers.CharField(source="message.role")
    text = serializers.CharField(help_text="As it was shown; the whole of it is the message's own.")
    tokens = serializers.IntegerField()
    clipped = serializers.BooleanField(source="is_clipped")
    cleared = serializers.BooleanField(source="is_cleared")
    cached = serializers.BooleanField(source="is_cached", help_text="It stood there in the call before.")


class SeenPartSerializer(serializers.Serializer[Any]):
    """A part of a prompt, in its order. `text` is null where it was erased or you may not see it."""

    kind = serializers.CharField()
    tokens = serializers.IntegerField()
    text = serializers.CharField(allow_null=True)
    label = serializers.CharField(help_text="Of a block.")  # type: ignore[assignment]
    block = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField(allow_null=True)
    summary = serializers.UUIDField(allow_null=True)
    cached = serializers.BooleanField(source="is_cached")
    messages = SeenMessageSerializer(many=True)
    missing = serializers.IntegerField(help_text="Messages that stood here and are not seen any more.")
    kept = serializers.IntegerField(
        allow_null=True, help_text="Characters of a block's value, where the window had no room for all."
    )


class LookedUpHitSerializer(serializers.Serializer[Any]):
    """A hit of a search that a tool made."""

    kind = serializers.CharField()
    id = serializers.UUIDField()
    score = serializers.FloatField()
    parts = serializers.DictField()
    shown = serializers.BooleanField(source="is_shown", help_text="False where it was only named.")


class LookedUpSerializer(serializers.Serializer[Any]):
    """A search that a tool made before this step, in its turn."""

    tool = serializers.CharField()
    query = serializers.CharField()
    message = serializers.UUIDField(source="message_id")
    hits = LookedUpHitSerializer(source="found", many=True)


class SeenSerializer(serializers.Serializer[Any]):
    """A window. Tokens are as the provider counts them, as far as that is known; those of the parts but the
    one that is kept free ("reserve") sum to `used`."""

    step = serializers.UUIDField(source="step.id", allow_null=True, default=None)
    used = serializers.IntegerField()
    size = serializers.IntegerField()
    capacity = serializers.IntegerField(help_text="What a prompt may take.")
    room = serializers.IntegerField(help_text="What messages may take of that.")
    exact = serializers.BooleanField(
        source="is_exact", allow_null=True, help_text="Whether the texts are what was sent, byte for byte."
    )
    pressed = serializers.BooleanField(source="is_pressed")
    evicted = serializers.DictField(allow_null=True)
    left_in_background = serializers.BooleanField(
        help_text="Since the call before, while nobody waited; `evicted` is what left at this call."
    )
    cleared = serializers.DictField(allow_null=True)
    clipped = serializers.ListField(child=serializers.CharField())
    shared = serializers.IntegerField(help_text="Tokens at its front that are those of the call before.")
    breaks = serializers.ListField(child=serializers.CharField())
    cached = serializers.IntegerField(
        source="step.cached_tokens", allow_null=True, default=None, help_text="As the provider says it."
    )
    parts = SeenPartSerializer(many=True)
    searches = LookedUpSerializer(many=True, default=())


def _answer(window: Seen, step: Step | None = None) -> Response:
    searches = searches_before(step) if step else []
    body = SeenSerializer(window).data
    return Response(body | {"searches": LookedUpSerializer(searches, many=True).data})


class ContextNow(ScopedView):
    """What would be sent if you spoke now. Nothing changes by asking."""

    @extend_schema(operation_id="context", tags=["context"], responses=SeenSerializer)
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        return _answer(seen_next(services.open_chat(conversation_id)))


class StepContext(ScopedView):
    """What a model saw at a step."""

    @extend_schema(operation_id="step_context", tags=["context"], responses=SeenSerializer)
    def get(self, request: Request, conversation_id: uuid.UUID, step_id: uuid.UUID) -> Response:
        services.open_chat(conversation_id)
        step = Step.objects.select_related("turn").get(id=step_id, turn__conversation_id=conversation_id)
        return _answer(seen(step), step)
