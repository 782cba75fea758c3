"""Every tool that agents have, by name, in the order in which models see them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from agents.tools import archival, core, messaging, recall, skills
from agents.tools.base import Tool, ToolContext, ToolError
from memory.embedding import EmbedderDown, query_vectors, serving_models
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
        skills.skill_load,
    )
}


# Offered to agents that have skills: to the others it would only cost tokens.
_OF_SKILLS = frozenset({skills.skill_load.name})
_SEARCHES = frozenset({recall.conversation_search.name, archival.archival_memory_search.name})


@cache
def schemas(*, with_skills: bool = False) -> list[dict[str, Any]]:
    """The descriptions of the tools that an agent is offered, always the same bytes."""
    return [each.schema() for each in TOOLS.values() if with_skills or each.name not in _OF_SKILLS]


def prepare(name: str, arguments: str) -> None:
    """Hear what a tool needs of a model before its transaction is opened: the vectors of what it looks for.

    They are kept, so that the search itself waits for no model. Where there are none, it says so.
    """
    if name not in _SEARCHES:
        return
    try:
        query_vectors(TOOLS[name].parsed(arguments)["query"], models=serving_models())
    except (ToolError, EmbedderDown):
        return


def run(context: ToolContext, name: str, arguments: str) -> str:
    """A tool's result as the model reads it, JSON. The model's faults are results too."""
    try:
        if name not in TOOLS:
            raise ToolError(f"There is no tool {name!r}.", tools=sorted(TOOLS.keys() - _OF_SKILLS))
        answer = TOOLS[name].call(context, arguments)
    except ToolError as error:
        answer = {"status": "error", "error": str(error), **error.facts}
    return storable(json.dumps(answer, ensure_ascii=False))
