"""Routes of chats that were had elsewhere: taken in, and how far they can be found by their meaning."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents import importing, services
from agents.api.serializers import ConversationSerializer
from memory.api.rows import Rows
from memory.importing import (
    CHAT_ID_MAX,
    CONTENT_MAX,
    EXTERNAL_ID_MAX,
    MESSAGES_MAX,
    NAME_MAX,
    ImportedMessage,
)
from memory.models import IndexEntry, Message
from tenants.api.bodies import Body, StrictJSON
from tenants.api.fields import Id, Moment, Name, Text, Words
from tenants.api.views import ScopedView, reachable


class ImportJSON(StrictJSON):
    """JSON of up to 32 MB."""

    most = settings.IMPORT_UPLOAD_MAX_MEMORY_SIZE


class ImportedMessageBody(Body):
    """One message as it was said elsewhere."""

    role = serializers.ChoiceField(choices=Message.Role.values)
    name = Text(required=False, allow_blank=True, max_length=NAME_MAX, help_text="Who spoke.")
    content = Words(max_length=CONTENT_MAX)
    created_at = Moment(required=False, help_text="Left out: right after the message before it.")
    external_id = Text(
        required=False, allow_blank=True, max_length=EXTERNAL_ID_MAX, help_text="What it is called there."
    )


class ConversationImport(Body):
    """A chat that was had elsewhere. It is ordered by its messages' times."""

    agent = Id(help_text="With whom it is gone on.")
    title = Name(required=False, max_length=200)
    workspace = Id(required=False, help_text="Yours alone, unless the agent's team's workspace is named.")
    external_id = Text(
        required=False,
        max_length=CHAT_ID_MAX,
        help_text="What the chat is called there. Sent again, the chat is found by it, whatever its title; "
        "messages without an id of their own are known by their number.",
    )
    messages = Rows(word="Message", child=ImportedMessageBody(), min_length=1, max_length=MESSAGES_MAX)


class ImportedSerializer(serializers.Serializer[Any]):
    """What became of an import."""

    conversation = serializers.UUIDField(source="context.conversation_id")
    messages = serializers.IntegerField(source="count", help_text="So many are new.")
    known = serializers.IntegerField(source="skipped", help_text="So many were there already.")
    chat = ConversationSerializer(source="context")


class IndexingSerializer(serializers.Serializer[Any]):
    """How far a chat is indexed. All of it is found by words at once."""

    messages = serializers.IntegerField(help_text="Messages that search finds.")
    embedded = serializers.IntegerField(help_text="So many are found by meaning, too.")
    pending = serializers.IntegerField()
    is_ready = serializers.BooleanField()


class ConversationsImport(ScopedView):
    """Take in a chat that was had elsewhere."""

    parser_classes = [ImportJSON]

    @extend_schema(
        operation_id="conversation_import",
        tags=["conversations"],
        request=ConversationImport,
        responses={
            201: ImportedSerializer,
            200: OpenApiResponse(ImportedSerializer, "The chat was there already; what was new is added."),
        },
        description="Take in a chat of up to 10,000 messages, all or none. The same import again, by the "
        "messages' `external_id` and words, adds nothing. So does one with the chat's `external_id`, which "
        "is refused with 409 where the chat is there with other words; one without any external id makes a "
        "new chat each time. A time without a zone is meant in yours.",
    )
    def post(self, request: Request) -> Response:
        said = self.said(ConversationImport)
        reachable(said.get("workspace"))
        made = importing.import_conversation(
            said["agent"],
            said.get("title", ""),
            [ImportedMessage(**each) for each in said["messages"]],
            external_id=said.get("external_id", ""),
            workspace_id=said.get("workspace"),
        )
        return Response(ImportedSerializer(made).data, status=201 if made.is_new else 200)


class ConversationIndexing(ScopedView):
    """How far a chat can be found by its meaning."""

    @extend_schema(operation_id="conversation_indexing", tags=["conversations"], responses=IndexingSerializer)
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        chat = services.open_chat(conversation_id)
        rows = IndexEntry.objects.filter(kind=IndexEntry.Kind.MESSAGE, container_id=chat.conversation_id)
        total, pending = rows.count(), rows.filter(embedded_by="").count()
        told = {"messages": total, "embedded": total - pending, "pending": pending, "is_ready": not pending}
        return Response(IndexingSerializer(told).data)
