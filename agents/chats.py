"""A chat as a whole: begun with its first message, and taken away with what still runs in it."""

from __future__ import annotations

import uuid

from django.db import connection

from agents import services
from agents.models import MainContext, Turn
from memory import recall
from memory.models import Conversation
from tenants.scope import current_scope


def begin_chat(
    *, agent_id: uuid.UUID, workspace_id: uuid.UUID | None, content: str, client_id: str
) -> MainContext:
    """A new chat with its first message; the same client_id again, or at once, answers the same chat.

    Raises what `agents.services` raises for both.
    """
    me = current_scope().person
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{me} {client_id}"])
    known = Turn.objects.filter(user_id=me, client_id=client_id).select_related("context").first()
    if known is not None:
        found: MainContext = known.context
        return found
    context = services.start_chat(agent_id=agent_id, workspace_id=workspace_id)
    services.receive_message(conversation_id=context.conversation_id, content=content, client_id=client_id)
    return context


def delete_chat(conversation_id: uuid.UUID) -> Conversation:
    """Take a chat away, undoably; what still runs or waits in it is stopped."""
    conversation = recall.delete(conversation_id)
    unfinished = Turn.objects.filter(conversation=conversation).exclude(status__in=Turn.ENDED)
    for turn_id in unfinished.order_by("-id").values_list("id", flat=True):
        services.stop_turn(turn_id)
    return conversation
