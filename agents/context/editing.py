"""Context editing: old tool results become placeholders once a prompt is long. They stay in recall, whole.

How far is kept as a position, so that what was cleared stays cleared and the prompt's bytes change once. See
`agents.context.clear_tool_uses` for the meanings, which are Anthropic's.
"""

from __future__ import annotations

from collections.abc import Sequence

from agents.context.clear_tool_uses import ClearToolUses
from agents.context.writing import Queued, is_tool_use, total


def due(queue: Sequence[Queued], clearing: ClearToolUses, tokens: int, capacity: int) -> int:
    """The position up to which results are to be cleared; 0 where nothing more is to be.

    `tokens` is what the whole prompt takes. The results of one answer stay or go together.
    """
    uses = [each for each in queue if is_tool_use(each.message)]
    standing = sum(not each.is_cleared for each in uses)
    if not clearing.is_due(tokens, standing, capacity):
        return 0
    old = uses[: max(len(uses) - clearing.keep, 0)]
    return _whole_answers(queue, old[-1].message.position or 0) if old else 0


def _whole_answers(queue: Sequence[Queued], position: int) -> int:
    """The last position up to this one at which the results of an answer end."""
    ends = 0
    for each, follows in zip(queue, [*queue[1:], None], strict=True):
        if (each.message.position or 0) > position:
            break
        if is_tool_use(each.message) and not (follows and is_tool_use(follows.message)):
            ends = each.message.position or 0
    return ends


def is_worth_it(before: Sequence[Queued], after: Sequence[Queued], least: int) -> bool:
    """Whether clearing frees anything, and as much as it must."""
    return freed(before, after) >= max(least, 1)


def freed(before: Sequence[Queued], after: Sequence[Queued]) -> int:
    """Tokens that were freed."""
    return total(before) - total(after)


def newly_cleared(before: Sequence[Queued], after: Sequence[Queued]) -> int:
    """How many results became placeholders."""
    return _results(after) - _results(before)


def _results(queue: Sequence[Queued]) -> int:
    return sum(each.is_cleared and is_tool_use(each.message) for each in queue)
