"""Tools that read recall storage: every message of this agent's conversations that the turn may see."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from agents.context.speakers import names_of
from agents.models import MainContext
from agents.tools.base import ToolContext, ToolError, shortly, tool
from memory import recall, retrieval
from memory.models import IndexEntry, Message
from tenants.scope import current_scope

LIMIT = 10
EXCERPT = 500


@tool
def conversation_search(
    context: ToolContext,
    query: str,
    roles: list[str] | None = None,
    limit: int | None = None,
    start_date: str | None = None,
    end_date: str | None = None,
    page: int | None = None,
) -> dict[str, Any]:
    """Search all earlier messages of your conversations with this person, those out of the window too.

    Args:
        query: Words to look for; empty lists the newest.
        roles: Only messages of these: user, assistant.
        limit: How many at most, 1 to 50.
        start_date: Only from this day or moment on, ISO 8601.
        end_date: Only up to this day or moment, ISO 8601.
        page: 1 is the best hits, 2 the next ones.
    """
    size = bounded(limit, LIMIT, 50)
    number = bounded(page, 1, 1000)
    filters = retrieval.Filters(
        kinds=[IndexEntry.Kind.MESSAGE],
        containers=_conversations(context),
        roles=_roles(roles),
        since=moment(start_date, end=False),
        until=moment(end_date, end=True),
        without=context.turn.message_id,
    )
    found = search(query, filters, size, (number - 1) * size)
    others = _others(hit.id for hit in found.hits if hit.role == Message.Role.USER)
    results = [
        {"id": str(hit.id), "role": hit.role, **others.get(hit.id, {})}
        | {"date": shown(hit.occurred_at), "content": excerpt(hit.text)}
        for hit in found.hits
    ]
    return {"status": "ok", "results": results, "page": number, "total": found.total}


@tool
def message_read(context: ToolContext, id: str, offset: int = 0) -> dict[str, Any]:
    """Read a message whole, in pieces; the way to what was clipped or has left the window.

    Args:
        id: The message's id, from a search or a clipped message.
        offset: Where to begin, in characters.
    """
    try:
        piece = recall.read_message(uuid.UUID(id), offset)
    except (ValueError, Message.DoesNotExist):
        piece = None
    if piece is None or piece.message.conversation_id not in _conversations(context):
        raise ToolError("There is no message with this id.")
    return {
        "status": "ok",
        "id": id,
        "role": piece.message.role,
        **_others([piece.message.id]).get(piece.message.id, {}),
        "date": shown(piece.message.created_at),
        "content": piece.text,
        "offset": piece.offset,
        "length": piece.length,
        "next_offset": piece.next_offset,
    }


def _others(message_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dict[str, str]]:
    """Who said what in chats that several people write in, as far as it was not the present person."""
    rows = Message.objects.filter(id__in=list(message_ids), role=Message.Role.USER)
    rows = rows.exclude(actor_id=current_scope().user_id)
    said_by = dict(rows.values_list("id", "actor_id"))
    names = names_of(said_by.values()) if said_by else {}
    return {key: {"by": names.get(person, "")} for key, person in said_by.items()}


def _conversations(context: ToolContext) -> list[uuid.UUID]:
    """The agent's chats in reach; not what else is said in a workspace from which it has a block."""
    own = MainContext.objects.filter(agent=context.agent)
    return list(own.values_list("conversation_id", flat=True))


def search(query: str, filters: retrieval.Filters, limit: int, offset: int) -> retrieval.Page:
    """`retrieval.search` whose refusals are the model's faults."""
    try:
        return retrieval.search(query, filters, limit=limit, offset=offset)
    except retrieval.BadQuery as error:
        raise ToolError(str(error)) from None


def bounded(given: int | None, default: int, most: int) -> int:
    """A count that the model may leave out or exaggerate."""
    return default if given is None else max(1, min(given, most))


def moment(text: str | None, *, end: bool) -> datetime | None:
    """A day or moment in ISO 8601, in the person's zone where it names none; a day ends at its end."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ToolError(f"{shortly(text)!r} is not a date. Write 2026-11-30 or 2026-11-30T14:00.") from None
    if end and len(text) <= 10:
        found = found.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return found if found.tzinfo else timezone.make_aware(found)


def shown(when: datetime) -> str:
    """A moment as models read it, in the person's zone."""
    return timezone.localtime(when.astimezone(UTC)).strftime("%Y-%m-%d %H:%M")


def excerpt(text: str) -> str:
    """The beginning of a text, with a mark where more follows."""
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}… [{len(text)} characters in all]"


def _roles(given: list[str] | None) -> list[str] | None:
    known = {Message.Role.USER.value, Message.Role.ASSISTANT.value}
    if given and not set(given) <= known:
        raise ToolError("roles can hold: user, assistant.")
    return given or None
