"""Pressure: the model is told that its window fills, what it can do, and it is let go once it has done it.

See MemGPT (Packer et al. 2023), 2.2: the queue manager's warning before messages leave the window.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.core_memory import FREE, CoreBlock
from memory.models import Message

# Tools that write core memory, and those that keep what matters. Names, since tools stand above this.
WRITES_CORE = frozenset(
    {
        "core_memory_append",
        "core_memory_replace",
        "memory_insert",
        "memory_replace",
        "memory_rethink",
        "memory_apply_patch",
    }
)
SAVES = WRITES_CORE | {"archival_memory_insert"}


@dataclass(frozen=True)
class Pressure:
    """How full the room for messages is: `used` of `room` tokens, and from where on the queue is flushed."""

    used: int
    room: int
    flush_at: int

    def line(self) -> str:
        """What the status says of it."""
        return (
            f"pressure: messages fill {self.used * 100 // max(self.room, 1)} % of the room that this window "
            f"has for them ({self.used} of {self.room} tokens); at {self.flush_at} % the oldest leave it. "
            "Save what matters now to core memory, condense a block, or put it into the archive."
        )


def has_saved(messages: Sequence[Message]) -> bool:
    """Whether the model's last answer among these messages wrote to memory, and it went well."""
    last = next((each for each in reversed(messages) if each.tool_calls), None)
    if last is None or last is not _last_reply(messages):
        return False
    calls = {call["id"] for call in last.tool_calls if call["name"] in SAVES}
    return any(each.tool_call_id in calls and _is_ok(each.content) for each in messages)


def _last_reply(messages: Sequence[Message]) -> Message | None:
    return next((each for each in reversed(messages) if each.role == Message.Role.ASSISTANT), None)


def _is_ok(content: str) -> bool:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("status") == "ok"


def full_blocks(blocks: Iterable[CoreBlock]) -> Iterator[str]:
    """A line for each block that the agent writes and that has little room left."""
    for block in blocks:
        if block.is_near_limit and block.governance == FREE:
            yield (
                f"block {block.label}: {block.used} of {block.limit} {block.unit}; condense it with "
                "memory_rethink, or move lines of it into the archive"
            )
