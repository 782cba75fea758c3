"""How long a block's text is, in the unit of its limit, and the wall at that limit."""

from __future__ import annotations

from memory.models import Block
from memory.operations import LimitPassed
from memory.tokens import count

LIMIT_MAX = 200_000
"""The most that a limit can be, in either unit, and the most characters that a block has in any."""
NEAR_LIMIT = 90
"""From how many per cent of its limit on a block is told to be nearly full: to models, and to people."""


def length(text: str, unit: str) -> int:
    """Characters, or tokens of `o200k_base`: a megabyte takes some 4 ms."""
    return count(text) if unit == Block.Unit.TOKENS else len(text)


def used(block: Block) -> int:
    """How much of its limit a block's text fills, in the block's unit."""
    return length(block.value, block.unit)


def is_near(used: int, limit: int) -> bool:
    """Whether little room is left below a limit, or none."""
    return used * 100 >= limit * NEAR_LIMIT


def require_room(block: Block, value: str) -> None:
    """Raises LimitPassed where a text that the block is to hold is longer than its limit."""
    for unit, limit in ((block.unit, block.limit), (Block.Unit.CHARACTERS.value, LIMIT_MAX)):
        long = length(value, unit)
        if long > limit:
            raise _passed(block, long, limit, unit)


def _passed(block: Block, long: int, limit: int, unit: str) -> LimitPassed:
    room, over = max(limit - length(block.value, unit), 0), long - limit
    return LimitPassed(
        f"The block {block.label} would hold {long} {unit}, {over} more than its limit of {limit}; there was "
        f"room for {room} more. Shorten it, or put what need not be in view into the archive.",
        label=block.label,
        limit=limit,
        room=room,
        over=over,
        unit=unit,
    )
