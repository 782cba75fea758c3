"""Folding what leaves the window into a summary, inside a turn: at once, extractive, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from agents.context.summaries.extractive import summarised
from agents.context.tokens import tokenizer
from agents.models import Agent, LanguageModel, MainContext
from memory import summaries
from memory.models import Message, Summary
from memory.summaries import Written

AT_ONCE = "at_once"
"""Why no model made it: a turn could not wait."""


def fold(context: MainContext, evicted: Sequence[Message], most_tokens: int) -> Summary:
    """A new summary of at most `most_tokens` tokens, of the one before and of these messages, oldest first.

    `context` has its agent with its model, and its summary. A model makes it anew later where the agent has
    one that can. The context itself is left to who calls.
    """
    before = context.summary
    count = tokenizer(context.agent.model.tokenizer).count
    content = summarised(before.content if before else "", evicted, most_tokens, count)
    can_mend = writer_of(context.agent) is not None
    written = Written(
        content, fault=AT_ONCE if can_mend else "", mend_at=timezone.now() if can_mend else None
    )
    return summaries.store(context.conversation, written, evicted, previous=before)


def writer_of(agent: Agent) -> LanguageModel | None:
    """The model that writes an agent's summaries; None where they are extractive."""
    row: LanguageModel = agent.summary_model if agent.summary_model_id else agent.model
    return None if row.is_offline else row
