"""What of memory stands in answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.actors import ActorKind
from memory.models import Message, Source


class ActorSerializer(serializers.Serializer[Any]):
    """Whose hand wrote."""

    kind = serializers.ChoiceField(choices=ActorKind.choices, source="actor_kind")
    id = serializers.UUIDField(source="actor_id", allow_null=True)


class SourceSerializer(serializers.Serializer[Any]):
    """Where something comes from: a message, a person, a document."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Source.Kind.choices)
    reference = serializers.CharField(help_text="The id of the message, person or document, or an address.")
    title = serializers.CharField()


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
    parent = serializers.UUIDField(  # type: ignore[assignment]
        source="parent_id", allow_null=True, help_text="The message that it follows; null at the beginning."
    )
    is_abandoned = serializers.BooleanField(help_text="It is on a branch of its chat that was left.")
    role = serializers.ChoiceField(choices=Message.Role.choices)
    content = serializers.CharField()
    tool_calls = ToolCallSerializer(many=True)
    tool_call_id = serializers.CharField(help_text="Of a tool's answer: the call that it answers.")
    name = serializers.CharField(help_text="Of a tool's answer: the tool. Else who spoke, where it is known.")
    external_id = serializers.CharField(help_text="What an import calls it.")
    actor = ActorSerializer(source="*")
    state = serializers.ChoiceField(choices=Message.State.choices)
    claims_unsaved = serializers.BooleanField(
        help_text="The agent says that it saved something, and its turn saved nothing."
    )
    created_at = serializers.DateTimeField()
