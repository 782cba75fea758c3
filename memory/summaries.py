"""Summaries of evicted messages: kept with what they cover, found, and read back to the messages themselves.

A summary's text never changes. One that is made anew of the same messages `replaces` it, and is the only one
of the two that is found as current.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, Min, OuterRef, QuerySet

from memory import index, provenance, recall
from memory.models import Conversation, Derivation, Message, Summary

MESSAGE, SUMMARY = "message", "summary"
IDS_MOST = 50


@dataclass(frozen=True)
class Written:
    """A text that is to be a summary: who made it, why it was not a model, and when one is asked again."""

    content: str
    made_by: str = Summary.EXTRACTIVE
    fault: str = ""
    mend_at: datetime | None = None


def store(
    conversation: Conversation,
    written: Written,
    messages: Sequence[Message],
    *,
    previous: Summary | None,
    replaces: Summary | None = None,
) -> Summary:
    """Keep a summary of `previous` and the `messages` after it, oldest first, and make it findable.

    Whoever is to add to the conversation waits: the summary is hidden where the chat is deleted.
    """
    if replaces is not None:
        span = replaces.from_position, replaces.to_position
    else:
        first = previous.from_position if previous else messages[0].position or 1
        span = first, messages[-1].position or 0
    made = Summary.objects.create(
        workspace_id=conversation.workspace_id,
        conversation=conversation,
        previous=previous,
        replaces=replaces,
        content=written.content,
        made_by=written.made_by,
        fault=written.fault,
        mend_at=written.mend_at,
        from_position=span[0],
        to_position=span[1],
    )
    index.index_summary(made, hidden=recall.is_deleted(conversation.id))
    parents = [(MESSAGE, message.id) for message in messages]
    if previous:
        parents.append((SUMMARY, previous.id))
    provenance.derive(conversation.workspace_id, parents=parents, child=(SUMMARY, made.id))
    return made


def standing(conversation_id: uuid.UUID) -> QuerySet[Summary]:
    """The summaries of a chat that no other one replaces, the newest first."""
    newer = Summary.objects.filter(replaces=OuterRef("id"))
    rows = Summary.objects.filter(~Exists(newer), conversation_id=conversation_id)
    return rows.order_by("-to_position", "-id")


def chain(summary: Summary) -> list[Summary]:
    """A summary and those that it took in, the newest first."""
    known = Summary.objects.filter(conversation_id=summary.conversation_id).in_bulk()
    found = [summary]
    while (before := found[-1].previous_id) and before in known:
        found.append(known[before])
    return found


def sound_base(summary: Summary) -> Summary | None:
    """The nearest one that a summary took in and that was made as it should be: what came after it is read
    from recall again. None where that is everything."""
    return next((each for each in chain(summary)[1:] if not each.fault), None)


def covered(summary: Summary, *, since: Summary | None = None) -> QuerySet[Message]:
    """The messages that a summary covers, those that it took in with others too, oldest first; with `since`,
    those that are not in that one."""
    known = {each.id for each in chain(since)} if since else set()
    made_of = [each.id for each in chain(summary) if each.id not in known]
    parents = Derivation.objects.filter(child_id__in=made_of, parent_kind=MESSAGE)
    rows = Message.objects.filter(id__in=parents.values("parent_id"), conversation_id=summary.conversation_id)
    return rows.order_by("position")


@dataclass(frozen=True)
class Span:
    """What a summary covers: how many messages, from when to when, the first and last of them by id."""

    count: int
    since: datetime | None
    until: datetime | None
    ids: list[uuid.UUID]

    @property
    def first(self) -> uuid.UUID | None:
        """The oldest message."""
        return self.ids[0] if self.ids else None

    @property
    def last(self) -> uuid.UUID | None:
        """The newest message."""
        return self.ids[-1] if self.ids else None


def span_of(summary: Summary) -> Span:
    """The span of a summary; of a long one, the ids of the messages at its two ends."""
    rows = covered(summary)
    found = rows.aggregate(count=Count("id"), since=Min("created_at"), until=Max("created_at"))
    ids = list(rows.values_list("id", flat=True)[:IDS_MOST])
    if found["count"] > IDS_MOST:
        ids = ids[: IDS_MOST // 2] + list(
            reversed(rows.reverse().values_list("id", flat=True)[: IDS_MOST // 2])
        )
    return Span(found["count"], found["since"], found["until"], ids)


def read_summary(summary_id: uuid.UUID) -> Summary:
    """A summary in sight, of a chat that was not deleted. Raises Summary.DoesNotExist."""
    rows = Summary.objects.select_related("conversation", "replaces")
    return rows.get(id=summary_id, conversation__deleted_at=None)
