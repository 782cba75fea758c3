"""Named points of a turn at which a worker may die. Tests kill it there; here nothing happens."""

from __future__ import annotations

from collections.abc import Callable

CLAIMED, STREAMING, TOOL_COMMITTED, BEFORE_END = "claimed", "streaming", "tool-committed", "before-end"
ALL = (CLAIMED, STREAMING, TOOL_COMMITTED, BEFORE_END)
# Only where a call acts outside of the database.
ACTION_NOTED, ACTION_DONE = "action-noted", "action-done"

_watch: list[Callable[[str], None]] = []


def reach(point: str) -> None:
    """The turn has got to a named point."""
    for watcher in _watch:
        watcher(point)


def watch(watcher: Callable[[str], None]) -> None:
    """Be told of every point that this process reaches."""
    _watch.append(watcher)
