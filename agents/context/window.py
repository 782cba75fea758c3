"""Compiling the main context: a plan of the whole prompt, then what it changes, then its parts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Min

from agents.context import queue_manager, recording, sight, summaries
from agents.context.parts import Window
from agents.context.planning import Plan, WindowTooSmall, capacity, plan_of, window_of
from agents.context.writing import Writer
from agents.models import MainContext, Turn
from memory import recall
from memory.models import Message, Summary

__all__ = ["WindowTooSmall", "capacity", "compile_window", "fold_away", "preview", "to_fold"]


def compile_window(turn: Turn, before: Mapping[str, Any] | None = None) -> Window:
    """The window for the next model call of a turn; evicts and clears where it would not fit.

    `before` is what the call before it was sent (`agents.turns.present.look_again`). Raises WindowTooSmall.
    """
    started = time.perf_counter()
    plan = plan_of(sight.of_turn(turn, before or {}))
    if plan.changes_anything and _has_moved_on(turn.context):
        plan = plan_of(sight.of_turn(turn, before or {}))
    made = _apply(plan)
    return replace(made, ms=(time.perf_counter() - started) * 1000)


def preview(context: MainContext) -> Window:
    """What would be sent if the present person spoke now; nothing is changed. `context` has its agent, model
    and summary. Raises WindowTooSmall."""
    return window_of(plan_of(sight.of_chat(context)))


def to_fold(context: MainContext) -> list[Message]:
    """The messages that a flush would evict now, oldest first: whole exchanges, none of a turn that has not
    ended. `context` has its agent and model; nothing is changed. Raises WindowTooSmall."""
    plan = plan_of(sight.of_chat(context))
    queue = Writer(plan.sight.counter, plan.queue.form).shown(plan.sight.messages)
    unended = Turn.objects.filter(conversation=context.conversation_id).exclude(status__in=Turn.ENDED)
    present = unended.aggregate(first=Min("message__position"))["first"]
    room = recording.last_sent(context).get("room", plan.room)
    target = room * plan.sight.settings.flush_to // 100
    cut = queue_manager.cut_to(queue, target, present)
    return [each.message for each in queue[:cut]]


def fold_away(context: MainContext, messages: Sequence[Message], summary: Summary) -> bool:
    """Let these messages leave the queue: `summary` stands in their place. In the caller's transaction.

    False, and nothing is changed, where queue, summary or branch have moved on meanwhile.
    """
    if not messages or _has_moved_on(context):
        return False
    last = messages[-1].position or 0
    standing = Message.objects.filter(
        conversation_id=context.conversation_id,
        is_abandoned=False,
        position__gte=context.queue_from,
        position__lte=last,
    )
    if set(standing.values_list("id", flat=True)) != {each.id for each in messages}:
        return False
    _save(context, summary=summary, queue_from=last + 1, is_filling=False)
    return True


def _has_moved_on(context: MainContext) -> bool:
    """Whether somebody else has changed what stands in the queue. From here to the end of the transaction
    nobody does: whoever changes it holds the conversation first."""
    recall.hold(context.conversation_id)
    held = context.queue_from, context.summary_id, context.cleared_to
    context.refresh_from_db(fields=["queue_from", "summary", "cleared_to"])
    return held != (context.queue_from, context.summary_id, context.cleared_to)


def _apply(plan: Plan) -> Window:
    """Do what a plan says, and make its window."""
    context, queue = plan.sight.context, plan.queue
    changes: dict[str, Any] = {"is_filling": plan.is_filling}
    if queue.evicted:
        evicted = [each.message for each in queue.evicted]
        changes["summary"] = summaries.fold(context, evicted, plan.summary_most)
        changes["queue_from"] = (evicted[-1].position or 0) + 1
    if queue.form.cleared_to > context.cleared_to:
        changes["cleared_to"] = queue.form.cleared_to
    made = window_of(plan, changes.get("summary"))
    _save(context, window_used=made.filled, **changes)
    return made


def _save(context: MainContext, **changes: Any) -> None:
    """Write what is different, in one statement."""
    different = {name: value for name, value in changes.items() if getattr(context, name) != value}
    for name, value in different.items():
        setattr(context, name, value)
    if different:
        MainContext.objects.filter(id=context.id).update(**different)
