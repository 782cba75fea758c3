"""What a model is told of its rules, at the end of its prompt."""

from __future__ import annotations

from collections.abc import Iterable

from agents.tools.messaging import SEND_MESSAGE
from agents.tools.rules.kinds import RequiresApproval
from agents.tools.rules.solver import Progress, Rules
from memory.models import Message


def told(rules: Rules, messages: Iterable[Message]) -> list[str]:
    """What a model is told of its rules: which tools it may call now, what waits, what ends its turn.

    `messages` are those of the turn so far. Nothing where there are no rules.
    """
    if not rules.rules:
        return []
    progress = rules.progress(messages)
    return [line for line in (*_now(rules, progress), *_always(rules)) if line]


def _now(rules: Rules, progress: Progress) -> Iterable[str]:
    now = rules.allowed(progress)
    barred = rules.offered - now
    if not now:
        yield "tools: none may be called now; answer in plain words"
    elif len(now) <= len(barred):
        yield f"tools: now only {_list(now)}"
    elif barred:
        yield f"tools: not now {_list(barred)}"
    if owed := rules.owed(progress):
        yield f"tools: before your turn can end, call {_list(owed)}"


def _always(rules: Rules) -> Iterable[str]:
    if more := rules.exits - {SEND_MESSAGE}:
        yield f"tools: your turn ends after {_list(more)}"
    if SEND_MESSAGE not in rules.exits:
        yield "tools: your turn goes on after send_message"
    if asked := rules.named(RequiresApproval) & rules.offered:
        yield f"tools: a person is asked before {_list(asked)} runs"


def _list(tools: Iterable[str]) -> str:
    return ", ".join(sorted(tools))
