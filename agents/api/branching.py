"""Routes of a chat's branches: edit a message, list what stands beside it, go on there, take memory back."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from agents import branching, left_memory
from agents.api.bodies import MessageNew, WaitQuery
from agents.api.events import EVENTS_SAY
from agents.api.messages import ANSWERS, answered
from agents.api.stream import EventStream
from agents.left_memory import Written
from memory import branches
from memory.api.serializers import MessageSerializer
from memory.models import Message
from tenants.api.bodies import Nothing
from tenants.api.views import ScopedView, identity_of, own_scopes
from tenants.scope import scope


class SiblingsSerializer(serializers.Serializer[Any]):
    """The messages that follow the same one, in the order in which they were said."""

    results = MessageSerializer(many=True)


class SwitchedSerializer(serializers.Serializer[Any]):
    """Which way a chat goes now."""

    conversation = serializers.UUIDField()
    left = serializers.UUIDField(
        allow_null=True, help_text="The first message of the branch that was left; null where none was."
    )


class ChangeSerializer(serializers.Serializer[Any]):
    """One change of a block."""

    block = serializers.UUIDField(source="block_id")
    label = serializers.CharField(source="block.label")  # type: ignore[assignment]
    version = serializers.IntegerField(source="number")


class WrittenSerializer(serializers.Serializer[Any]):
    """What was written to memory on a branch that was left, as far as it stands."""

    count = serializers.IntegerField(help_text="How many changes can be taken back.")
    versions = ChangeSerializer(many=True)
    overtaken = ChangeSerializer(many=True, help_text="Changes of blocks that others have changed since.")
    proposals = serializers.ListField(child=serializers.UUIDField(), help_text="What waits for an editor.")
    passages = serializers.ListField(child=serializers.UUIDField(), help_text="What was filed.")


class TakenBackSerializer(serializers.Serializer[Any]):
    """What came of taking it back, in numbers of changes."""

    done = serializers.IntegerField()
    proposed = serializers.IntegerField(help_text="An editor decides whether these are taken back.")
    kept = serializers.IntegerField(help_text="Changed again since, or not yours to take back.")


class MessageEdit(ScopedView):
    """Say something else in the place of a message of yours. The old one stays, on a branch of its own."""

    def get_renderers(self) -> list[BaseRenderer]:
        """As of a message that is sent."""
        return [JSONRenderer(), EventStream()]

    @extend_schema(
        operation_id="message_edit",
        tags=["branches"],
        parameters=[WaitQuery],
        request=MessageNew,
        responses=ANSWERS,
        description="Say something else in the place of a message, and wait for the answer. The message that "
        "is there stays, with all that follows it, on a branch of its own. The same `client_id` again "
        f"answers the same turn.\n\n{EVENTS_SAY}",
    )
    @own_scopes
    def post(self, request: Request, message_id: uuid.UUID) -> HttpResponseBase:
        seconds, said = self.asked(WaitQuery)["wait"], self.said(MessageNew)
        with scope(identity_of(request)):
            forked = branching.edit_message(
                message_id, content=said["content"], client_id=said.get("client_id") or uuid.uuid4().hex
            )
        return answered(request, forked.turn, seconds)


class MessageSiblings(ScopedView):
    """What stands beside a message: it was edited, or answered again."""

    @extend_schema(operation_id="message_siblings", tags=["branches"], responses=SiblingsSerializer)
    def get(self, request: Request, message_id: uuid.UUID) -> Response:
        message = Message.objects.get(id=message_id, conversation__deleted_at=None)
        return Response(SiblingsSerializer({"results": branches.siblings(message)}).data)


class MessageSwitch(ScopedView):
    """Go on where a message stands that is on a branch that was left."""

    @extend_schema(
        operation_id="message_switch",
        tags=["branches"],
        request=None,
        responses=SwitchedSerializer,
        description="Make the branch of a message the chat, up to its newest message. Memory blocks stay as "
        "they are now.",
    )
    def post(self, request: Request, message_id: uuid.UUID) -> Response:
        self.said(Nothing)
        left = branching.switch(message_id)
        message = Message.objects.only("conversation_id").get(id=message_id)
        return Response(SwitchedSerializer({"conversation": message.conversation_id, "left": left}).data)


class LeftMemory(ScopedView):
    """What was written to memory on the branch that begins with a message, and was left."""

    @extend_schema(operation_id="left_memory", tags=["branches"], responses=WrittenSerializer)
    def get(self, request: Request, message_id: uuid.UUID) -> Response:
        Message.objects.only("id").get(id=message_id, conversation__deleted_at=None)
        written = left_memory.written_below([message_id]).get(message_id, Written())
        told = {
            "count": written.count,
            "versions": written.versions,
            "overtaken": written.overtaken,
            "proposals": [each.id for each in written.proposals],
            "passages": [each.id for each in written.passages],
        }
        return Response(WrittenSerializer(told).data)

    @extend_schema(
        operation_id="left_memory_undo",
        tags=["branches"],
        request=None,
        responses=TakenBackSerializer,
        description="Take it back: the text before is a new version of each block, proposals are withdrawn, "
        "passages deleted. What cannot be taken back stays.",
    )
    def post(self, request: Request, message_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(TakenBackSerializer(left_memory.take_back(message_id)).data)
