"""What of agents, chats and turns stands in answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agents.context.settings import as_data, settings_of
from agents.models import LanguageModel, Turn
from memory.api.block_serializers import BlockSerializer
from memory.api.serializers import MessageSerializer
from memory.models import Block


class ModelSerializer(serializers.Serializer[Any]):
    """A language model that agents can use. What a test call found out is null until there was one."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    origin = serializers.ChoiceField(choices=LanguageModel.Origin.choices)
    provider = serializers.CharField(source="provider.name", default=None, allow_null=True)
    window = serializers.IntegerField(help_text="In tokens.")
    tokenizer = serializers.CharField()
    streams = serializers.BooleanField(allow_null=True)
    calls_tools = serializers.BooleanField(allow_null=True)
    tested_at = serializers.DateTimeField(allow_null=True)


class AgentSerializer(serializers.Serializer[Any]):
    """An agent and its settings."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    name = serializers.CharField()
    description = serializers.CharField()
    instructions = serializers.CharField()
    model = serializers.UUIDField(source="model_id")
    window = serializers.IntegerField(allow_null=True, help_text="In tokens; null is the model's own.")
    window_size = serializers.IntegerField(help_text="Tokens of prompt and answer together, as it stands.")
    context = serializers.SerializerMethodField(  # type: ignore[assignment]
        help_text="How it keeps its window, as it stands."
    )
    tool_rules = serializers.JSONField(help_text="Which tools it may call when.")
    summary_model = serializers.UUIDField(
        source="summary_model_id", allow_null=True, help_text="Null is the agent's own model."
    )
    created_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField())
    def get_context(self, agent: Any) -> Any:
        return as_data(settings_of(agent))


class TermsSerializer(serializers.Serializer[Any]):
    """On what terms an agent has a block."""

    override = serializers.SerializerMethodField(
        help_text="What this agent may do, whatever the block says; null where it says nothing of its own."
    )
    person = serializers.UUIDField(
        source="person_id", allow_null=True, help_text="Whose chats it belongs to; null is everybody's."
    )
    in_shared_chats = serializers.BooleanField(
        help_text="Whether its owner lends it to chats that others read."
    )

    @extend_schema_field(serializers.ChoiceField(choices=Block.Governance.choices, allow_null=True))
    def get_override(self, row: Any) -> Any:
        return row.governance or None


class AgentBlockSerializer(BlockSerializer, TermsSerializer):
    """A block as an agent has it."""

    def to_representation(self, row: Any) -> dict[str, Any]:
        """What the fields say, by hand, as of blocks."""
        return super().to_representation(row.block) | {
            "override": row.governance or None,
            "person": row.person_id and str(row.person_id),
            "in_shared_chats": row.in_shared_chats,
        }


class UseSerializer(serializers.Serializer[Any]):
    """An agent that has a block."""

    agent = serializers.UUIDField(source="agent_id")
    name = serializers.CharField(source="agent_name", help_text="Empty where you do not see the agent.")
    workspace = serializers.UUIDField(source="workspace_id", allow_null=True)
    retired = serializers.BooleanField(source="is_retired")
    person = serializers.UUIDField(source="person_id", allow_null=True)
    override = serializers.SerializerMethodField()
    in_shared_chats = serializers.BooleanField()

    @extend_schema_field(serializers.ChoiceField(choices=Block.Governance.choices, allow_null=True))
    def get_override(self, use: Any) -> Any:
        return use.override or None


class DeletionSerializer(serializers.Serializer[Any]):
    """What deleting an agent comes to."""

    own = BlockSerializer(many=True, help_text="Blocks that nobody else has: they can go along.")
    kept = BlockSerializer(many=True, help_text="Blocks that stay.")


class ConversationSerializer(serializers.Serializer[Any]):
    """A chat with an agent."""

    id = serializers.UUIDField(source="conversation.id")
    agent = serializers.UUIDField(source="agent_id")
    workspace = serializers.UUIDField(source="workspace_id")
    owner = serializers.UUIDField(source="conversation.owner_id")
    title = serializers.CharField(source="conversation.title")
    pinned = serializers.SerializerMethodField()
    window_used = serializers.IntegerField(help_text="Tokens that the last prompt filled.")
    window_size = serializers.IntegerField(source="agent.window_size")
    created_at = serializers.DateTimeField(source="conversation.created_at")
    last_message_at = serializers.DateTimeField(source="conversation.last_message_at")

    def get_pinned(self, context: Any) -> bool:
        return context.conversation.pinned_at is not None


class ErrorSerializer(serializers.Serializer[Any]):
    """Why a turn or a step failed."""

    kind = serializers.CharField(source="error_kind")
    text = serializers.CharField(source="error_text")


def _error(row: Any) -> Any:
    return ErrorSerializer(row).data if row.error_kind else None


class StepSerializer(serializers.Serializer[Any]):
    """One model call of a turn."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    attempt = serializers.IntegerField()
    model = serializers.CharField(source="model_name")
    prompt_tokens = serializers.IntegerField(help_text="As the provider counts.")
    completion_tokens = serializers.IntegerField()
    counted_tokens = serializers.IntegerField(help_text="Of the prompt, as it is counted here.")
    cached_tokens = serializers.IntegerField(
        allow_null=True,
        help_text="What of the prompt the provider had in its cache; null where it is silent.",
    )
    seconds = serializers.FloatField()
    finish_reason = serializers.CharField()
    error = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    @extend_schema_field(ErrorSerializer(allow_null=True))
    def get_error(self, step: Any) -> Any:
        return _error(step)


class TurnSerializer(serializers.Serializer[Any]):
    """From one message of a person to the agent's answer."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField(source="conversation_id")
    message = serializers.UUIDField(source="message_id", help_text="The person's message.")
    client_id = serializers.CharField()
    status = serializers.ChoiceField(choices=Turn.Status.choices)
    is_abandoned = serializers.BooleanField(help_text="It is on a branch of its chat that was left.")
    error = serializers.SerializerMethodField()
    stop_requested_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(ErrorSerializer(allow_null=True))
    def get_error(self, turn: Any) -> Any:
        return _error(turn)


class TurnDetailSerializer(TurnSerializer):
    """A turn with its model calls."""

    steps = StepSerializer(many=True)


class AnswerSerializer(serializers.Serializer[Any]):
    """A turn and all its messages in order: the person's, the agent's, the tools'."""

    turn = TurnSerializer()
    messages = MessageSerializer(many=True)
