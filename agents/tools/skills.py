"""The tool by which an agent loads a skill that its prompt names."""

from __future__ import annotations

from typing import Any

from agents.skills import skills_in_view, trust_of
from agents.tools.base import ToolContext, ToolError, shortly, tool


@tool
def skill_load(context: ToolContext, name: str) -> dict[str, Any]:
    """Load the text of a skill.

    Args:
        name: The skill's name.
    """
    known = {each.name: each for each in skills_in_view(context.agent)}
    skill = known.get(name)
    if skill is None:
        raise ToolError(f"You have no skill {shortly(name)!r}.", skills=sorted(known))
    context.show([trust_of(skill)])
    return {"status": "ok", "name": skill.name, "version": skill.version, "content": skill.content}
