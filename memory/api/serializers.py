"""What of memory stands in answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.actors import ActorKind
from memory.models import IndexEntry, Message


class ActorSerializer(serializers.Serializer[Any]):
    """Whose hand wrote."""

    kind = serializers.ChoiceField(choices=ActorKind.choices, source="actor_kind")
    id = serializers.UUIDField(source="actor_id", allow_null=True)


class ToolCallSerializer(serializers.Serializer[Any]):
    """A tool that the model called."""

    id = serializers.CharField()
    name = serializers.CharField()
    arguments = serializers.CharField(help_text="JSON, as the model wrote it.")


class MessageSerializer(serializers.Serializer[Any]):
    """A message of recall storage, whole."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField(source="conversation_id")
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    position = serializers.IntegerField(
        allow_null=True, help_text="Its place in the conversation; null while it waits for its turn."
    )
    role = serializers.ChoiceField(choices=Message.Role.choices)
    content = serializers.CharField()
    tool_calls = ToolCallSerializer(many=True)
    tool_call_id = serializers.CharField(help_text="Of a tool's answer: the call that it answers.")
    name = serializers.CharField(help_text="Of a tool's answer: the tool.")
    actor = ActorSerializer(source="*")
    state = serializers.ChoiceField(choices=Message.State.choices)
    claims_unsaved = serializers.BooleanField(
        help_text="The agent says that it saved something, and its turn saved nothing."
    )
    created_at = serializers.DateTimeField()


class HitSerializer(serializers.Serializer[Any]):
    """Something that was found, with the beginning of its text."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=IndexEntry.Kind.choices)
    container = serializers.UUIDField(
        source="container_id", help_text="The conversation of a message, the archive of a passage."
    )
    role = serializers.CharField()
    text = serializers.SerializerMethodField()
    length = serializers.SerializerMethodField(help_text="Characters of the whole text.")
    tags = serializers.ListField(child=serializers.CharField())
    occurred_at = serializers.DateTimeField()
    score = serializers.FloatField(help_text="The higher, the better; 0 to 1.")

    EXCERPT = 2_000

    def get_text(self, hit: Any) -> str:
        return str(hit.text[: self.EXCERPT])

    def get_length(self, hit: Any) -> int:
        return len(hit.text)
