"""How an agent keeps its window and which tools it may call when: set by people, checked, audited."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.context import settings as context_settings
from agents.models import Agent, LanguageModel
from agents.tools import catalog, rules
from tenants import audit
from tenants.permissions import require_role


@dataclass(frozen=True)
class Keeping:
    """What a person sets; None leaves a field as it is.

    `context` is as `agents.context.settings.checked` takes it, and stands for all of the settings. Of
    `summary_model` an empty text takes the agent's own model.
    """

    context: Mapping[str, Any] | None = None
    tool_rules: Sequence[Any] | None = None
    summary_model: uuid.UUID | str | None = None


def keep(agent_id: uuid.UUID, wanted: Keeping) -> Agent:
    """Set how an agent works.

    Raises Agent.DoesNotExist, LanguageModel.DoesNotExist, NotAllowed, BadSettings, BadRule.
    """
    agent = Agent.objects.select_related("model", "summary_model").get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    before = _state(agent)
    if wanted.context is not None:
        agent.context = context_settings.checked(wanted.context)
    if wanted.tool_rules is not None:
        agent.tool_rules = rules.checked(list(wanted.tool_rules), catalog.TOOLS, catalog.OF_SKILLS)
    if wanted.summary_model is not None:
        agent.summary_model = _model(wanted.summary_model)
    changed = [name for name, value in _state(agent).items() if before[name] != value]
    if changed:
        agent.save(update_fields=changed)
        audit.record("agent.edited", agent, fields=changed)
    return agent


def _model(wanted: uuid.UUID | str) -> LanguageModel | None:
    return LanguageModel.objects.select_related("provider").get(id=wanted) if wanted else None


def _state(agent: Agent) -> dict[str, Any]:
    held = {"context": agent.context, "tool_rules": agent.tool_rules}
    return held | {"summary_model": agent.summary_model}
