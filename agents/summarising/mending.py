"""Summaries that are made anew of the messages themselves: where a model failed, or somebody asks for it.

The new one takes the old one's place where that still stands in a window. The old one stays, as replaced.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.utils import timezone

from agents.context.speakers import note_speakers
from agents.context.summaries import SummaryFailed
from agents.models import Agent, MainContext
from agents.summarising.announcing import announce_due
from agents.summarising.drafting import LONGEST_WAIT, Draft, draft_of, next_try
from agents.summarising.filling import MovedOn
from agents.summarising.made_as import identity_of
from memory import recall, summaries
from memory.models import Message, Summary
from memory.summaries import Written
from tenants.scope import Identity, RowKey, scope

ANEW = "anew"
"""The fault of a summary that somebody wants to have made anew: from the first message on."""
CLAIMED_FOR = timedelta(minutes=15)


class NothingToRebuild(Exception):
    """This chat has no summary yet."""


@dataclass(frozen=True)
class Plan:
    """A summary that is to be replaced, and the draft of the new one, made of `base` and `messages`."""

    summary: Summary
    base: Summary | None
    messages: list[Message]
    draft: Draft


def mend(key: RowKey) -> bool:
    """Make a summary anew whose time has come. False where that failed, or is not needed any more."""
    with scope(key.background()):
        identity = _claim(key)
    if identity is None:
        return False
    with scope(identity):
        plan = _planned(key.row_id)
    if plan is None:
        return False
    try:
        written = _written(plan, partial(_renew, identity, key.row_id))
    except SummaryFailed as error:
        with scope(identity):
            _put_off(plan.summary, error.fault)
        return False
    try:
        with scope(identity):
            _replace(plan, written)
    except MovedOn:
        return False
    return True


def ask_anew(conversation_id: uuid.UUID) -> Summary:
    """Have the summary that stands in a chat's window made anew from recall, in the background.

    Raises Conversation.DoesNotExist, NotAllowed, NothingToRebuild.
    """
    conversation = recall.own_conversation(conversation_id)
    rows = MainContext.objects.filter(conversation=conversation).exclude(summary=None)
    context = rows.select_related("summary").first()
    if context is None:
        raise NothingToRebuild(NothingToRebuild.__doc__)
    summary: Summary = context.summary
    summary.fault, summary.tries, summary.mend_at = ANEW, 0, timezone.now()
    summary.save(update_fields=["fault", "tries", "mend_at"])
    announce_due(summary)
    return summary


def _claim(key: RowKey) -> Identity | None:
    """Take a summary that is due, for a while. One that stands in no window needs nothing now."""
    due = Summary.objects.filter(id=key.row_id, mend_at__lte=timezone.now())
    if not due.update(mend_at=timezone.now() + CLAIMED_FOR):
        return None
    context = MainContext.objects.select_related("conversation").filter(summary=key.row_id).first()
    if context is None or context.conversation.deleted_at:
        Summary.objects.filter(id=key.row_id).update(mend_at=_looked_at_again(key.row_id))
        return None
    identity = identity_of(context)
    if identity is None:  # nobody is left who reaches the chat and its agent; that may change
        Summary.objects.filter(id=key.row_id).update(mend_at=timezone.now() + LONGEST_WAIT)
    return identity


def _looked_at_again(summary_id: uuid.UUID) -> datetime | None:
    """When a summary that stands in no window is due again: its branch or its chat may come back. Never where
    another one took it in, or its place."""
    followed = Summary.objects.filter(Q(previous=summary_id) | Q(replaces=summary_id)).exists()
    return None if followed else timezone.now() + LONGEST_WAIT


def _planned(summary_id: uuid.UUID) -> Plan | None:
    summary = Summary.objects.select_related("conversation").get(id=summary_id)
    context = MainContext.objects.filter(summary=summary).first()
    agents = Agent.objects.select_related("model__provider", "summary_model__provider")
    agent = agents.filter(id=context.agent_id).first() if context else None
    if agent is None:
        return None
    base = None if summary.fault == ANEW else summaries.sound_base(summary)
    messages = list(summaries.covered(summary, since=base))
    note_speakers(messages)
    return Plan(summary, base, messages, draft_of(agent, base, messages))


def _written(plan: Plan, begin: Callable[[], object]) -> Written:
    """The new text. What is made anew on demand is extractive where there is no model; what is to be mended
    is mended by a model. Raises SummaryFailed."""
    if plan.draft.writer is None:
        return plan.draft.extractive()
    return plan.draft.by_model(begin)


def _renew(identity: Identity, summary_id: uuid.UUID) -> None:
    """A long chat is read piece by piece, for longer than a claim holds: nobody else begins meanwhile."""
    with scope(identity):
        Summary.objects.filter(id=summary_id).exclude(mend_at=None).update(
            mend_at=timezone.now() + CLAIMED_FOR
        )


def _put_off(summary: Summary, fault: str) -> None:
    """The model failed again: later, and later each time; in the end its fault is what is told."""
    tries = summary.tries + 1
    mend_at = next_try(tries)
    kept = ANEW if summary.fault == ANEW and mend_at else fault
    Summary.objects.filter(id=summary.id).update(tries=tries, fault=kept, mend_at=mend_at)


def _replace(plan: Plan, written: Written) -> None:
    """The new summary stands where the old one did, if that still stands there. Raises MovedOn."""
    old = plan.summary
    recall.hold(old.conversation_id)
    contexts = MainContext.objects.filter(conversation=old.conversation_id, summary=old)
    made = summaries.store(old.conversation, written, plan.messages, previous=plan.base, replaces=old)
    if not contexts.update(summary=made):
        raise MovedOn
    Summary.objects.filter(id=old.id).update(mend_at=None)
