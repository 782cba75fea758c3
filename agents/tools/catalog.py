"""Every tool that agents have, by name, in the order in which models see them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from agents.tools import archival, core, messaging, recall
from agents.tools.base import Tool, ToolContext, ToolError
from memory.texts import storable

TOOLS: dict[str, Tool] = {
    each.name: each
    for each in (
        messaging.send_message,
        core.core_memory_append,
        core.core_memory_replace,
        core.memory_insert,
        core.memory_replace,
        core.memory_rethink,
        core.memory_apply_patch,
        core.memory_finish_edits,
        recall.conversation_search,
        recall.message_read,
        archival.archival_memory_insert,
        archival.archival_memory_search,
    )
}


@cache
def schemas() -> list[dict[str, Any]]:
    """The descriptions of all tools, always the same bytes."""
    return [each.schema() for each in TOOLS.values()]


def run(context: ToolContext, name: str, arguments: str) -> str:
    """A tool's result as the model reads it, JSON. The model's faults are results too."""
    try:
        if name not in TOOLS:
            raise ToolError(f"There is no tool {name!r}.", tools=sorted(TOOLS))
        answer = TOOLS[name].call(context, arguments)
    except ToolError as error:
        answer = {"status": "error", "error": str(error), **error.facts}
    return storable(json.dumps(answer, ensure_ascii=False))
