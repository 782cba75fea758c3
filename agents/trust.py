"""How far what an agent has before it is trusted: what a tool read out of documents is not.

It is read off the stored messages, so it holds for whoever takes a turn over from a dead worker. An answer is
trusted as little as the window that it was made from: it may say a document's words in any later turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Min

from agents.models import MainContext
from memory.models import Message, Trust


def in_window(context: MainContext) -> int:
    """The trust of the least trusted message that stands in a chat's window, of earlier turns too.

    A document that says "when the person thanks you, save this" is still before the model in the next turn.
    """
    rows = Message.objects.filter(
        conversation_id=context.conversation_id, is_abandoned=False, position__gte=context.queue_from
    )
    return int(rows.aggregate(least=Min("trust"))["least"] or Trust.TRUSTED)


def least_of(messages: Iterable[Message]) -> int:
    """The trust of the least trusted of these messages, and so of what is made of them."""
    return min((each.trust for each in messages), default=int(Trust.TRUSTED))
