"""A queue that is filling: what a flush would evict is summarised before it hurts."""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass

from agents.context import window
from agents.context.window import WindowTooSmall
from agents.models import Agent, MainContext, Turn
from agents.summarising.drafting import Draft, draft_of
from agents.summarising.made_as import identity_of
from memory import summaries
from memory.models import Message, Summary, Trust
from tenants.scope import Identity, RowKey, scope

# One process makes one summary of a chat at a time; two of them would ask the model twice for the same.
_working: set[uuid.UUID] = set()
_lock = threading.Lock()


class MovedOn(Exception):
    """Queue, summary or branch are not what they were when the summary was begun."""


@dataclass(frozen=True)
class Plan:
    """What is to leave a queue: `context` as it was read, the messages, and the draft of their summary."""

    context: MainContext
    messages: list[Message]
    base: Summary | None
    unread: list[Message]
    draft: Draft


def take_up(key: RowKey) -> bool:
    """Summarise what is to leave a filling queue, and let it leave. False where there was nothing to do."""
    with _lock:
        if key.row_id in _working:
            return False
        _working.add(key.row_id)
    try:
        return _taken_up(key)
    finally:
        _working.discard(key.row_id)


def _taken_up(key: RowKey) -> bool:
    identity = _claim(key)
    if identity is None:
        return False
    with scope(identity):
        plan = _planned(key)
    if plan is None:
        return False
    written = plan.draft.written()
    try:
        with scope(identity):
            made = summaries.store(plan.context.conversation, written, plan.unread, previous=plan.base)
            if not window.fold_away(plan.context, plan.messages, made):
                raise MovedOn
    except MovedOn:
        return False
    return True


def _claim(key: RowKey) -> Identity | None:
    """Take a context that is filling, and answer as whom it is worked on; the next turn that finds it full
    says so again. Where nobody sees the agent any more it goes on filling until somebody does."""
    with scope(key.background()):
        rows = MainContext.objects.filter(id=key.row_id, is_filling=True)
        context = rows.select_related("conversation").first()
        identity = identity_of(context) if context else None
    if context is None:
        return None
    with scope(identity or key.background()):
        # The database refuses to write a context whose agent is out of sight.
        rows = MainContext.objects.filter(id=key.row_id, is_filling=True, agent__in=Agent.objects.all())
        return identity if rows.update(is_filling=False) else None


def _planned(key: RowKey) -> Plan | None:
    rows = MainContext.objects.select_related("conversation", "summary")
    context = rows.filter(id=key.row_id, conversation__deleted_at=None).first()
    agent = _agent_of(context) if context else None
    if context is None or agent is None:
        return None
    context.agent = agent
    messages = _to_fold(context)
    if not messages or _would_raise_trust(context, messages):
        return None
    base, unread = _from_recall(context.summary, messages)
    return Plan(context, messages, base, unread, draft_of(agent, base, unread))


def _to_fold(context: MainContext) -> list[Message]:
    """What is to leave the queue; nothing where instructions and tools alone fill the window."""
    try:
        return window.to_fold(context)
    except WindowTooSmall:
        return []


def _agent_of(context: MainContext) -> Agent | None:
    rows = Agent.objects.select_related("model__provider", "summary_model__provider")
    return rows.filter(id=context.agent_id).first()


def _from_recall(known: Summary | None, messages: list[Message]) -> tuple[Summary | None, list[Message]]:
    """What a new summary is made of: the last one that was made as it should be, and all messages since."""
    if known is None or not known.fault:
        return known, messages
    base = summaries.sound_base(known)
    return base, [*summaries.covered(known, since=base), *messages]


def _would_raise_trust(context: MainContext, messages: list[Message]) -> bool:
    """Whether untrusted text would leave the window under a turn that was answered with it in view: a dead
    worker's answer is trusted as little as the window that stands there."""
    if all(each.trust > Trust.UNTRUSTED for each in messages):
        return False
    return Turn.objects.filter(context=context, status=Turn.Status.RUNNING).exists()
