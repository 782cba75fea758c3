"""How much room a block has left, as its counter, its card and the list of blocks say it."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from memory.measure import NEAR_LIMIT, is_near

register = template.Library()


@dataclass(frozen=True)
class Room:
    """`state` is "over", "near", or "" where there is enough; `over` is by how much a text is too long."""

    state: str
    over: int
    near_from: int = NEAR_LIMIT


@register.simple_tag
def room(used: int, limit: int | str | None) -> Room:
    """The room below a limit; a limit that is none, as it may be typed, is never reached."""
    try:
        most = int(limit or 0)
    except ValueError:
        most = 0
    if most < 1:
        return Room("", 0)
    over = max(used - most, 0)
    near = "near" if is_near(used, most) else ""
    return Room("over" if over else near, over)
