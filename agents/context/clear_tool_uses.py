"""When old tool results become placeholders: names, shape and meanings of Anthropic's `clear_tool_uses`.

See "Context editing" in Anthropic's documentation, strategy `clear_tool_uses_20250919`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INPUT_TOKENS, TOOL_USES = "input_tokens", "tool_uses"
KEEP = 3
NUMBER_MOST = 10_000_000
EXCLUDED_MOST, NAME_MOST = 100, 120
_FIELDS = ("trigger", "keep", "clear_at_least", "exclude_tools", "clear_tool_inputs")


class BadClearing(Exception):
    """Tool results cannot be cleared like this."""


@dataclass(frozen=True)
class ClearToolUses:
    """When old tool results are cleared, and what of them.

    They are once a prompt passes `trigger`: tokens, or tool uses where `counts_uses`. None is half of what a
    prompt may take. The last `keep` stay, and those of the `exclude_tools`. Nothing is cleared where that
    would free less than `clear_at_least` tokens, since it costs what the provider has cached; None is a
    twentieth of what a prompt may take. With `clear_tool_inputs` the arguments of the calls go as well.
    """

    trigger: int | None = None
    counts_uses: bool = False
    keep: int = KEEP
    clear_at_least: int | None = None
    exclude_tools: tuple[str, ...] = ()
    clear_tool_inputs: bool = False

    def is_due(self, tokens: int, uses: int, capacity: int) -> bool:
        """Whether a prompt of so many tokens and tool uses passes the trigger."""
        if self.counts_uses:
            return uses > (self.trigger or 0)
        return tokens > (capacity // 2 if self.trigger is None else self.trigger)

    def least(self, capacity: int) -> int:
        """How many tokens it must free."""
        return capacity // 20 if self.clear_at_least is None else self.clear_at_least


def clear_tool_uses(data: Mapping[str, Any] | None) -> ClearToolUses | None:
    """What data of Anthropic's shape says; None where nothing is cleared. Raises BadClearing."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise BadClearing("It is an object, or null where nothing is cleared.")
    if unknown := sorted(set(data) - set(_FIELDS)):
        raise BadClearing(f"There is no {unknown[0]!r}. There are {', '.join(_FIELDS)}.")
    kind, trigger = _measure(data, "trigger", (INPUT_TOKENS, TOOL_USES))
    if kind == TOOL_USES and trigger is None:
        raise BadClearing("trigger: a number of tool uses is missing.")
    return ClearToolUses(
        trigger=trigger,
        counts_uses=kind == TOOL_USES,
        keep=_or(KEEP, _measure(data, "keep", (TOOL_USES,))[1]),
        clear_at_least=_measure(data, "clear_at_least", (INPUT_TOKENS,))[1],
        exclude_tools=_names(data.get("exclude_tools")),
        clear_tool_inputs=_flag(data.get("clear_tool_inputs")),
    )


def as_data(made: ClearToolUses | None) -> dict[str, Any] | None:
    """The same as data; a value of None is the one that goes with the window."""
    if made is None:
        return None
    return {
        "trigger": {"type": TOOL_USES if made.counts_uses else INPUT_TOKENS, "value": made.trigger},
        "keep": {"type": TOOL_USES, "value": made.keep},
        "clear_at_least": {"type": INPUT_TOKENS, "value": made.clear_at_least},
        "exclude_tools": list(made.exclude_tools),
        "clear_tool_inputs": made.clear_tool_inputs,
    }


def _measure(data: Mapping[str, Any], name: str, kinds: tuple[str, ...]) -> tuple[str, int | None]:
    """A kind and a number, which may be left out."""
    given = data.get(name)
    if given is None:
        return kinds[0], None
    if not isinstance(given, Mapping) or given.get("type") not in kinds or set(given) - {"type", "value"}:
        raise BadClearing(f'{name}: it is {{"type": "{kinds[0]}", "value": a number}}.')
    value = given.get("value")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadClearing(f"{name}: its value is a whole number.")
    if value is not None and not 0 <= value <= NUMBER_MOST:
        raise BadClearing(f"{name}: its value is from 0 to {NUMBER_MOST:,}.")
    return given["type"], value


def _names(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    is_list = isinstance(given, list | tuple) and all(isinstance(each, str) for each in given)
    if not is_list or len(given) > EXCLUDED_MOST or any(len(each) > NAME_MOST for each in given):
        raise BadClearing(f"exclude_tools: it is a list of at most {EXCLUDED_MOST} names of tools.")
    return tuple(sorted(set(given)))


def _flag(given: Any) -> bool:
    if given is not None and not isinstance(given, bool):
        raise BadClearing("clear_tool_inputs: it is true or false.")
    return bool(given)


def _or(otherwise: int, given: int | None) -> int:
    return otherwise if given is None else given
