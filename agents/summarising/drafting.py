"""A summary's text, made while no transaction is open: by the agent's model, extractive where that fails."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.utils import timezone

from agents.context import summaries
from agents.context.planning import SUMMARY_FRAME
from agents.context.settings import settings_of
from agents.context.summaries import Source, SummaryFailed
from agents.context.tokens import tokenizer
from agents.models import Agent, LanguageModel
from memory.models import Message, Summary
from memory.summaries import Written
from tenants.profile import my_zone

FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)
TRIES_MOST = 12
log = structlog.get_logger()


@dataclass(frozen=True)
class Draft:
    """What a summary is to be made of, and by whom: all that is read before the model is asked."""

    source: Source
    writer: LanguageModel | None
    zone: zoneinfo.ZoneInfo

    def by_model(self, begin: Callable[[], object] | None = None) -> Written:
        """The summary as the model writes it; `begin` is called before each piece. Raises SummaryFailed."""
        if self.writer is None:
            raise SummaryFailed("no_model")
        with timezone.override(self.zone):
            return Written(summaries.asked(self.writer, self.source, begin), made_by=self.writer.name)

    def extractive(self, fault: str = "") -> Written:
        """The summary without a model; `fault` says why, and has a model asked again later."""
        with timezone.override(self.zone):
            content = summaries.summarised(
                self.source.before, self.source.messages, self.source.most, self.source.count
            )
        return Written(content, fault=fault, mend_at=next_try(0) if fault else None)

    def written(self) -> Written:
        """By the agent's model where it has one; extractive where that fails."""
        if self.writer is None:
            return self.extractive()
        try:
            return self.by_model()
        except SummaryFailed as error:
            log.warning("summariser failed", fault=error.fault, model=self.writer.name)
            return self.extractive(error.fault)


def draft_of(agent: Agent, base: Summary | None, messages: list[Message]) -> Draft:
    """What a summary of `base` and the messages after it is made of. `agent` has its models."""
    size = settings_of(agent).summary_most(agent.window_size)
    most = int(size / max(agent.model.usage_ratio, 0.01)) - SUMMARY_FRAME
    count = tokenizer(agent.model.tokenizer).count
    source = Source(base.content if base else "", messages, most, count)
    return Draft(source, summaries.writer_of(agent), my_zone())


def next_try(tries: int) -> datetime | None:
    """When a model is asked again that has failed so often since; None where it is given up."""
    if tries >= TRIES_MOST:
        return None
    wait: timedelta = min(FIRST_WAIT * 2**tries, LONGEST_WAIT)
    return timezone.now() + wait
