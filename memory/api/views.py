"""The API's route of what was said: a message, whole."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import recall
from memory.api.serializers import MessageSerializer
from tenants.api.views import ScopedView


class MessageDetail(ScopedView):
    """One message, whole."""

    @extend_schema(operation_id="message", tags=["conversations"], responses=MessageSerializer)
    def get(self, request: Request, message_id: uuid.UUID) -> Response:
        return Response(MessageSerializer(recall.read_message(message_id).message).data)
