"""How an agent keeps its window: an agent's own settings, and what they are where it has none.

They are data on the agent (`Agent.context`), which holds only what differs from the defaults here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings as site

from agents.context import clear_tool_uses as clearing
from agents.context.clear_tool_uses import BadClearing, ClearToolUses
from agents.models import Agent

SUMMARY_SHARE, SUMMARY_MOST = 10, 2_000
CLEARING = "clear_tool_uses"
# The least and the most that each number may be.
BOUNDS: dict[str, tuple[int, int]] = {
    "warn_at": (10, 97),
    "summarise_at": (11, 98),
    "flush_at": (12, 99),
    "flush_to": (5, 96),
    "clip_at": (1, 50),
    "summary_tokens": (50, 100_000),
    "steps_max": (1, 100),
    "tokens_max": (1_000, 1_000_000_000),
    "approval_hours": (1, 8_760),
}


class BadSettings(Exception):
    """An agent cannot keep its window like this."""

    def __init__(self, name: str, message: str) -> None:
        """`field` is the setting that is wrong."""
        super().__init__(message)
        self.field = name


@dataclass(frozen=True)
class ContextSettings:
    """How a window is kept.

    `warn_at`, `summarise_at`, `flush_at` and `flush_to` are per cent of the room that a window leaves for
    messages: where the model is warned, where a summary is made in the background, where a turn evicts by
    itself, and how far. `clip_at` is per cent of the window: no single text takes more. `summary_tokens` is
    the most that a summary takes; None is a tenth of the window, at most 2,000. A turn has at most
    `steps_max` model calls and `tokens_max` tokens in all of them together (None: as many as it takes), and
    a tool call waits `approval_hours` for a decision. `clear_tool_uses` is None where old tool results stay.
    """

    warn_at: int = 70
    summarise_at: int = 80
    flush_at: int = 95
    flush_to: int = 50
    clip_at: int = 20
    summary_tokens: int | None = None
    steps_max: int = field(default_factory=lambda: int(site.TURN_STEPS))
    tokens_max: int | None = None
    approval_hours: int = 72
    clear_tool_uses: ClearToolUses | None = field(default_factory=ClearToolUses)

    def summary_most(self, size: int) -> int:
        """Tokens that the summary takes at most in a window of `size` tokens: never more than a quarter."""
        wanted = self.summary_tokens or min(size // SUMMARY_SHARE, SUMMARY_MOST)
        return min(wanted, size // 4)

    def clip(self, size: int) -> int:
        """Tokens that one text takes at most in a window of `size` tokens."""
        return size * self.clip_at // 100


def settings_of(agent: Agent) -> ContextSettings:
    """How an agent keeps its window."""
    return _made(agent.context)


def checked(data: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as an agent keeps them: what differs from the defaults.

    A number that is None is the default's; `clear_tool_uses` that is None turns clearing off. Raises
    BadSettings.
    """
    given = {name: _checked(name, value) for name, value in data.items()}
    made = _made({name: value for name, value in given.items() if value is not None or name == CLEARING})
    _require_order(made)
    standard, whole = as_data(ContextSettings()), as_data(made)
    return {name: value for name, value in whole.items() if value != standard[name]}


def as_data(made: ContextSettings) -> dict[str, Any]:
    """All settings, as `checked` takes them."""
    return {name: getattr(made, name) for name in BOUNDS} | {CLEARING: clearing.as_data(made.clear_tool_uses)}


def _made(data: Mapping[str, Any]) -> ContextSettings:
    fields = dict(data)
    if CLEARING in fields:
        fields[CLEARING] = clearing.clear_tool_uses(fields[CLEARING])
    return ContextSettings(**fields)


def _checked(name: str, value: Any) -> Any:
    if name == CLEARING:
        return _checked_clearing(value)
    if name not in BOUNDS:
        names = ", ".join([*BOUNDS, CLEARING])
        raise BadSettings(name, f"There is no setting {name!r}. There are {names}.")
    least, most = BOUNDS[name]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (is_number and least <= value <= most):
        raise BadSettings(name, f"It is a whole number from {least:,} to {most:,}.")
    return value


def _checked_clearing(value: Any) -> dict[str, Any] | None:
    try:
        return clearing.as_data(clearing.clear_tool_uses(value))
    except BadClearing as error:
        raise BadSettings(CLEARING, str(error)) from None


def _require_order(made: ContextSettings) -> None:
    rules = (
        ("summarise_at", made.warn_at < made.summarise_at, "more than warn_at: the warning comes first"),
        ("flush_at", made.summarise_at < made.flush_at, "more than summarise_at: that comes before it hurts"),
        ("flush_to", made.flush_to < made.warn_at, "less than warn_at: the warning goes with it"),
    )
    for name, holds, words in rules:
        if not holds:
            raise BadSettings(name, f"It is {words}.")
