"""Past summaries, as models find and read them: each leads to the messages that it covers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from agents import retrieval
from agents.models import Agent
from agents.tools import found, origins
from agents.tools.base import ToolContext
from memory import summaries
from memory.models import IndexEntry, Summary
from memory.retrieval import Hit
from memory.summaries import Span

KIND = "summary"


def in_view(context: ToolContext) -> list[uuid.UUID]:
    """What a search need not find, since it stands in the window: the question, and the chat's summary."""
    standing = context.turn.context.summary_id
    return [context.turn.message_id, *([standing] if standing else [])]


def with_spans(hits: Sequence[Hit]) -> dict[uuid.UUID, origins.Origin]:
    """Where hits in chats are from; of summaries also what they cover."""
    known = origins.of_messages(hits)
    folded = Summary.objects.in_bulk([hit.id for hit in hits if hit.kind == IndexEntry.Kind.SUMMARY])
    for key, summary in folded.items():
        known[key] = {"kind": KIND, "from": known[key]["from"], "covers": _shown(summaries.span_of(summary))}
    return known


def summary_of(agent: Agent, summary_id: uuid.UUID) -> Summary | None:
    """A summary of one of the agent's chats."""
    chats = retrieval.chats_of(agent)
    rows = Summary.objects.filter(conversation_id__in=chats, conversation__deleted_at=None)
    return rows.filter(id=summary_id).first()


def told(summary: Summary) -> dict[str, Any]:
    """A summary without its text: when it was made, what took its place, and the messages that it covers."""
    span = summaries.span_of(summary)
    known: dict[str, Any] = {"kind": KIND, "date": found.shown(summary.created_at)}
    newer = Summary.objects.filter(replaces=summary).values_list("id", flat=True).first()
    if newer:
        known["replaced_by"] = str(newer)
    if summary.previous_id:
        known["previous"] = str(summary.previous_id)
    return known | {"covers": _shown(span) | {"ids": [str(each) for each in span.ids]}}


def _shown(span: Span) -> dict[str, Any]:
    """A span in a few words: how many messages, from when to when, and the first and the last of them."""
    if span.since is None or span.until is None:
        return {"messages": 0}
    return {
        "messages": span.count,
        "since": found.shown(span.since),
        "until": found.shown(span.until),
        "first": str(span.first),
        "last": str(span.last),
    }
