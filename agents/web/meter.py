"""What a chat's window holds, part by part, for the side panel.

The parts that do not depend on the queue are counted as they stand now; what is left of the last prompt's
size is messages and status. The shares sum to the total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _

from agents import archives
from agents.context import prompt
from agents.context.parts import PartKind
from agents.context.speakers import is_shared
from agents.context.tokens import TOKENS_PER_MESSAGE, tokenizer
from agents.core_memory import CoreBlock
from agents.models import MainContext
from agents.skills import skills_in_view
from agents.tools import catalog

WIDTH = 1000  # of the drawing, in its own units


@dataclass(frozen=True)
class Share:
    """One part of a window: `kind` names its colour; `start` and `width` place it in the drawing."""

    kind: str
    title: str
    tokens: int
    start: float
    width: float


@dataclass(frozen=True)
class Meter:
    """How full a window is, and with what."""

    used: int
    size: int
    shares: tuple[Share, ...]
    evicted: int
    passages: int


def meter(context: MainContext, blocks: Sequence[CoreBlock]) -> Meter:
    """The window of a chat (with its agent and model) whose agent has these blocks in view."""
    size = context.agent.window_size
    tokens = _tokens(context, blocks)
    most = max(size, sum(tokens.values()))
    starts = accumulate(tokens.values(), initial=0)
    titles = {
        PartKind.SYSTEM: _("Instructions"),
        PartKind.TOOLS: _("Tool definitions"),
        PartKind.SKILLS: _("Skills"),
        PartKind.CORE: _("Memory blocks"),
        PartKind.SUMMARY: _("Summary"),
        PartKind.QUEUE: _("Messages and status"),
    }
    shares = (
        Share(kind, titles[kind], count, start * WIDTH / most, count * WIDTH / most)
        for (kind, count), start in zip(tokens.items(), starts, strict=False)
        if count
    )
    return Meter(
        used=sum(tokens.values()),
        size=size,
        shares=tuple(shares),
        evicted=max(context.queue_from - 1, 0),
        passages=archives.passage_count(context.agent),
    )


def _tokens(context: MainContext, blocks: Sequence[CoreBlock]) -> dict[PartKind, int]:
    counter = tokenizer(context.agent.model.tokenizer)

    def count(text: str) -> int:
        return counter.count(text) + TOKENS_PER_MESSAGE

    known = skills_in_view(context.agent)
    found = {
        PartKind.SYSTEM: count(prompt.instructions(context.agent, is_shared=is_shared(context.workspace_id))),
        PartKind.TOOLS: counter.count_tools(catalog.schemas(with_skills=bool(known))),
        PartKind.SKILLS: count(prompt.skills(known)) if known else 0,
        PartKind.CORE: count(prompt.core_memory(blocks)),
        PartKind.SUMMARY: count(prompt.summary(context.summary)) if context.summary else 0,
    }
    return found | {PartKind.QUEUE: max(context.window_used - sum(found.values()), 0)}
