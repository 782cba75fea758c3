"""Every tool that agents have, by name, in the order in which models see them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from agents.models import Agent
from agents.tools import archival, core, messaging, recall, skills
from agents.tools.base import Tool, ToolContext, ToolError
from memory.embedding import EmbedderDown, query_vectors, serving_models
from memory.models import IndexEntry
from memory.retrieval import Filters
from memory.retrieval.meaning import wording
from memory.texts import storable
from tenants.scope import Identity, scope

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
OF_SKILLS = frozenset({skills.skill_load.name})
_SEARCHES = {
    recall.conversation_search.name: Filters(kinds=[IndexEntry.Kind.MESSAGE]),
    archival.archival_memory_search.name: Filters(kinds=[IndexEntry.Kind.PASSAGE]),
}


@cache
def schemas(*, with_skills: bool = False) -> list[dict[str, Any]]:
    """The descriptions of the tools that an agent is offered, always the same bytes."""
    return [each.schema() for each in TOOLS.values() if with_skills or each.name not in OF_SKILLS]


def prepare(identity: Identity, name: str, arguments: str) -> None:
    """Hear what a tool needs of a model before its transaction is opened: the vectors of what it looks for.

    They are kept, so that the search itself waits for no model. Where there are none, it says so.
    """
    if name not in _SEARCHES:
        return
    try:
        query = TOOLS[name].parsed(arguments)["query"]
        with scope(identity):
            text = wording(query, _SEARCHES[name])
        query_vectors(text, models=serving_models())
    except (ToolError, EmbedderDown):
        return


def offered(agent: Agent) -> frozenset[str]:
    """The names of the tools that an agent is offered; `agent` is as `agents.turns.present` answered it."""
    return frozenset(TOOLS) if getattr(agent, "has_skills", True) else frozenset(TOOLS) - OF_SKILLS


def is_sound(name: str, arguments: str) -> bool:
    """Whether a call is one of a tool that there is, with arguments that it takes."""
    try:
        return name in TOOLS and TOOLS[name].parsed(arguments) is not None
    except ToolError:
        return False


def run(context: ToolContext, name: str, arguments: str, **heard: Any) -> str:
    """A tool's result as the model reads it, JSON, and what else it is to hear with it.

    The model's faults are results too.
    """
    try:
        if name not in TOOLS:
            raise ToolError(f"There is no tool {name!r}.", tools=sorted(TOOLS.keys() - OF_SKILLS))
        answer = TOOLS[name].call(context, arguments)
    except ToolError as error:
        answer = {"status": "error", "error": str(error), **error.facts}
    return storable(json.dumps(answer | heard, ensure_ascii=False))
