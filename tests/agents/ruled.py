"""A chat on the stub whose agent has tool rules."""

from __future__ import annotations

from typing import Any

from agents.models import Agent
from agents.tools import catalog
from agents.tools.rules import checked
from memory.models import Message
from tests.agents.stubbed import Stubbed

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
LOOK = ("conversation_search", {"query": "tea"})
FILE = ("archival_memory_insert", {"content": "Tea is at four."})
SAY = ("send_message", {"message": "Done."})


def rule(stubbed: Stubbed, *rules: dict[str, Any], **context: Any) -> None:
    """Give the chat's agent these rules, and these settings of its window."""
    with stubbed.person.scope():
        Agent.objects.filter(id=stubbed.agent.id).update(
            tool_rules=checked(list(rules), catalog.TOOLS, catalog.OF_SKILLS), context=context
        )


def of(kind: str, tool: str, **fields: Any) -> dict[str, Any]:
    """One rule."""
    return {"type": kind, "tool_name": tool, **fields}


def status_of(stubbed: Stubbed, number: int = -1) -> str:
    """The last system message of a request: what the model was told of its state."""
    return str(stubbed.request(number)["messages"][-1]["content"])


def refused(messages: list[Message]) -> list[str]:
    """Why calls were not run, in their order."""
    return [str(each.detail["refused"]) for each in messages if each.detail.get("refused")]
