"""Tools that read recall storage: every message of this agent's conversations that the turn may see."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils import timezone

from agents import archives, retrieval
from agents.tools import found, origins, past
from agents.tools.base import ToolContext, ToolError, shortly, tool
from memory import recall
from memory.models import Message, Passage
from memory.retrieval import BadQuery, Page


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
    """Search all earlier messages of your conversations with this person, those out of the window too, and
    the summaries of long conversations.

    Args:
        query: Words to look for; empty lists the newest.
        roles: Only messages of these: user, assistant.
        limit: How many at most, 1 to 50.
        start_date: Only from this day or moment on, ISO 8601.
        end_date: Only up to this day or moment, ISO 8601.
        page: 1 is the best hits, 2 the next ones.
    """
    size = bounded(limit, retrieval.LIMIT, 50)
    number = bounded(page, 1, 1000)
    hits = asked(
        lambda: retrieval.search_messages(
            context.agent,
            query,
            limit=size,
            offset=(number - 1) * size,
            roles=_roles(roles),
            since=moment(start_date, end=False),
            until=moment(end_date, end=True),
            without=past.in_view(context),
            stage=context.second_stage(),
            with_summaries=not roles,
        )
    )
    result, shown = found.answer(hits, past.with_spans(hits.hits), context.agent, page=number)
    context.detail |= found.told(query, hits, shown)
    context.show(hit.trust for hit in shown)
    return result


@tool
def message_read(context: ToolContext, id: str, offset: int = 0) -> dict[str, Any]:
    """Read a message, passage or summary whole, in pieces; the way to what was clipped or left out.

    Args:
        id: Its id, from a search or a clipped message.
        offset: Where to begin, in characters.
    """
    try:
        wanted = uuid.UUID(id)
    except ValueError:
        raise ToolError("There is no message with this id.") from None
    answer = (
        _read_message(context, wanted, offset)
        or _read_passage(context, wanted, offset)
        or _read_summary(context, wanted, offset)
    )
    if answer is None:
        raise ToolError("There is no message with this id.")
    return {"status": "ok", "id": id, **answer}


def _read_message(context: ToolContext, message_id: uuid.UUID, offset: int) -> dict[str, Any] | None:
    try:
        message = recall.read_message(message_id).message
    except Message.DoesNotExist:
        return None
    if message.conversation_id not in retrieval.chats_of(context.agent):
        return None
    context.show([message.trust])
    who = {"role": message.role, **origins.others_in([message.id]).get(message.id, {})}
    if message.is_abandoned:
        who["branch"] = found.LEFT
    return who | {"date": found.shown(message.created_at)} | _piece(_whole(message), offset)


def _whole(message: Message) -> str:
    """All that a message says: its words, or where it only called tools, those calls as JSON."""
    if message.content.strip() or not message.tool_calls:
        return message.content
    return json.dumps(message.tool_calls, ensure_ascii=False)


def _read_passage(context: ToolContext, passage_id: uuid.UUID, offset: int) -> dict[str, Any] | None:
    """What search finds: what stands, and as no longer true what was corrected or replaced."""
    rows = Passage.objects.filter(Passage.kept(), archive__in=archives.archives_in_view(context.agent))
    passage = rows.select_related("document", "source").filter(id=passage_id).first()
    if passage is None:
        return None
    context.show([passage.trust])
    known = {"from": origins.of_passage(passage), "date": found.shown(passage.occurred_at)}
    if passage.valid_to:
        known["no_longer_true_since"] = found.shown(passage.valid_to)
    return known | _beside(passage) | _piece(passage.content, offset)


def _read_summary(context: ToolContext, summary_id: uuid.UUID, offset: int) -> dict[str, Any] | None:
    """A summary of one of the agent's chats, with the messages that it covers."""
    summary = past.summary_of(context.agent, summary_id)
    return past.told(summary) | _piece(summary.content, offset) if summary else None


def _beside(passage: Passage) -> dict[str, str]:
    """The passages of the document before and after this one; of one that was replaced, those that went with
    it."""
    if passage.document_id is None or passage.place is None:
        return {}
    around = Passage.objects.filter(
        Passage.kept(),
        valid_to=passage.valid_to,
        document_id=passage.document_id,
        place__in=[passage.place - 1, passage.place + 1],
    )
    places = {each.place: str(each.id) for each in around.only("id", "place")}
    names = {"previous": passage.place - 1, "next": passage.place + 1}
    return {name: places[place] for name, place in names.items() if place in places}


def _piece(text: str, offset: int) -> dict[str, Any]:
    start = min(max(offset, 0), len(text))
    end = start + recall.PIECE
    read_on = end if end < len(text) else None
    return {"content": text[start:end], "offset": start, "length": len(text), "next_offset": read_on}


def asked(search: Callable[[], Page]) -> Page:
    """What a search found; its refusals are the model's faults."""
    try:
        return search()
    except BadQuery as error:
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


def _roles(given: list[str] | None) -> list[str] | None:
    known = {Message.Role.USER.value, Message.Role.ASSISTANT.value}
    if given and not set(given) <= known:
        raise ToolError("roles can hold: user, assistant.")
    return given or None
