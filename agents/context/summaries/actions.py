"""What an agent has done, by its tool calls that changed something and went well."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from agents.context.summaries.lines import Kind, Line
from memory.models import Message, Trust

# Tools that look, speak or end; every other one changes something. Names, since tools stand above this.
CHANGE_NOTHING = frozenset(
    {
        "send_message",
        "conversation_search",
        "message_read",
        "archival_memory_search",
        "skill_load",
        "memory_finish_edits",
    }
)
SHOWN_MOST = 100
DONE = 0.7
# What was written to memory is remembered there.
REMEMBERED = 0.3
WENT_WELL = {"ok": "", "proposed": "proposed, not saved: "}


def done_in(messages: Sequence[Message]) -> dict[uuid.UUID, list[Line]]:
    """For each message that called tools: a line for each call that changed something."""
    results = {each.tool_call_id: each for each in messages if each.role == Message.Role.TOOL}
    found: dict[uuid.UUID, list[Line]] = {}
    for message in messages:
        calls = [call for call in message.tool_calls if call["name"] not in CHANGE_NOTHING]
        lines = [_line(message, call, results.get(call["id"])) for call in calls]
        found[message.id] = [line for line in lines if line]
    return found


def _line(message: Message, call: dict[str, Any], result: Message | None) -> Line | None:
    how = WENT_WELL.get(_object(result.content).get("status", "ok")) if result else None
    if how is None:
        return None
    name = call["name"]
    # What a document told it to write is no word of ours.
    said = "" if message.trust <= Trust.UNTRUSTED else _shown(_object(call["arguments"]))
    text = f"{how}{name} {said}".strip()
    return Line(Kind.DONE, text, worth(text))


def worth(text: str) -> float:
    """How much a line on something that was done matters."""
    return REMEMBERED if is_of_memory(text) else DONE


def is_of_memory(text: str) -> bool:
    """Whether a line on something that was done, or a tool's name, is on writing memory."""
    return "memory_" in text


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _shown(arguments: dict[str, Any]) -> str:
    """The arguments in one line, as much as tells what was done."""
    values = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in arguments.values()
    ]
    line = " ".join(" · ".join(values).split())
    return line if len(line) <= SHOWN_MOST else f"{line[:SHOWN_MOST]}…"
