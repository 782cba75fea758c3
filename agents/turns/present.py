"""The agent of a turn as it is now, and its chat: model, memory and window may change in the middle."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, F, JSONField, OuterRef, Q, QuerySet, Subquery

from agents.models import Agent, AgentSkill, Step, Turn
from memory.models import Document, Message, Summary


class AgentOutOfReach(Exception):
    """The agent lies in a workspace that the person does not reach any more."""

    kind, retryable = "no_access", False


def agent_of(turn: Turn) -> Agent:
    """A turn's agent with its model. Raises AgentOutOfReach.

    It knows whether it has skills, and whether its chat has documents: each prompt asks, and most have none.
    """
    return _first(_agents(turn))


def look_again(turn: Turn) -> dict[str, Any]:
    """Read a turn's context again, and its agent, in one query. Raises AgentOutOfReach.

    Answers what the model call before this one was sent, as its step keeps it: of this turn, or of the one
    before it on this branch. Empty where there is none.
    """
    agent = _first(
        _agents(turn)
        .filter(contexts=turn.context_id)
        .annotate(
            queue_from=F("contexts__queue_from"),
            cleared_to=F("contexts__cleared_to"),
            is_filling=F("contexts__is_filling"),
            summary_id=F("contexts__summary_id"),
            sent=Subquery(_sent_before(turn), output_field=JSONField()),
        )
    )
    context = turn.context
    context.agent = agent
    context.queue_from, context.cleared_to = agent.queue_from, agent.cleared_to  # type: ignore[attr-defined]
    context.is_filling = agent.is_filling  # type: ignore[attr-defined]
    if context.summary_id != agent.summary_id:  # type: ignore[attr-defined]
        context.summary = Summary.objects.get(id=agent.summary_id) if agent.summary_id else None  # type: ignore[attr-defined]
    return agent.sent or {}  # type: ignore[attr-defined]


def _agents(turn: Turn) -> QuerySet[Agent]:
    return (
        Agent.objects.filter(id=turn.context.agent_id)
        .select_related("model__provider")
        .annotate(
            has_skills=Exists(AgentSkill.objects.filter(agent=OuterRef("id"))),
            has_documents=Exists(Document.objects.filter(conversation_id=turn.conversation_id)),
        )
    )


def _first(rows: QuerySet[Agent]) -> Agent:
    found = rows.first()
    if found is None:
        raise AgentOutOfReach(AgentOutOfReach.__doc__)
    return found


def _sent_before(turn: Turn) -> QuerySet[Step, Any]:
    earlier = Message.objects.filter(id=turn.message.parent_id).values("turn_id")
    steps = Step.objects.filter(Q(turn_id=turn.id) | Q(turn_id=Subquery(earlier)))
    return steps.order_by("-id").values("window")[:1]
