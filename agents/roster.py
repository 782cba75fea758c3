"""Which agents there are: made, changed, deleted and brought back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents import blocks
from agents.llm import catalog
from agents.models import WINDOW_MIN, Agent, AgentBlock, LanguageModel
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants import audit
from tenants.permissions import has_role, require_role


class BadAgent(Exception):
    """An agent cannot be set up like this."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class AgentFields:
    """What a person sets on an agent. None leaves a field as it is; window 0 takes the model's."""

    name: str | None = None
    description: str | None = None
    instructions: str | None = None
    model_id: uuid.UUID | None = None
    window: int | None = None


@dataclass(frozen=True)
class Deletion:
    """What deleting an agent comes to. `own` are the blocks that nobody else has and that may go with it;
    `kept` are the others in sight. Blocks that people have with the agent for themselves stay theirs."""

    agent: Agent
    own: list[Block]
    kept: list[Block]


def create_agent(*, workspace_id: uuid.UUID, fields: AgentFields, persona: str = "") -> Agent:
    """A new agent with `persona`, and `human` for the present person. Raises NotAllowed, BadAgent."""
    require_role(workspace_id, "editor")
    agent = Agent(workspace_id=workspace_id, model=catalog.ensure_models())
    _assign(agent, fields)
    agent.save()
    described = BlockFields(
        label=blocks.PERSONA,
        description=str(blocks.DESCRIPTIONS[blocks.PERSONA]),
        value=persona or _("I am %(name)s. I am helpful, brief and honest.") % {"name": agent.name},
        limit=5000,
    )
    audit.record("agent.created", agent)
    blocks.add_block(agent, described)
    blocks.ensure_human(agent)
    return agent


def update_agent(agent_id: uuid.UUID, fields: AgentFields) -> Agent:
    """Change an agent's settings. Raises Agent.DoesNotExist, NotAllowed, BadAgent.

    A new model counts with its own tokenizer and window from the next model call on.
    """
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    before = {name: getattr(agent, name) for name in vars(fields)}
    _assign(agent, fields)
    agent.save()
    changed = [name.removesuffix("_id") for name, value in before.items() if getattr(agent, name) != value]
    if changed:
        audit.record("agent.edited", agent, fields=changed, model=agent.model.name)
    return agent


def preview_deletion(agent_id: uuid.UUID) -> Deletion:
    """What would go with an agent and what would stay. Raises Agent.DoesNotExist, NotAllowed."""
    agent = Agent.objects.get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    rows = AgentBlock.objects.filter(agent=agent, block__retired_at=None).select_related("block")
    held = [row.block for row in rows.order_by("position", "id")]
    uses = blocks.users_by_block(block.id for block in held)
    own = [block for block in held if len(uses[block.id]) == 1 and has_role(block.workspace_id, "editor")]
    return Deletion(agent, own, [block for block in held if block not in own])


def delete_agent(agent_id: uuid.UUID, *, with_blocks: bool = False) -> Agent:
    """Take an agent out of the lists. Its chats stay, and so do its blocks, unless those that only it has are
    to go along; each can be brought back. Raises Agent.DoesNotExist, NotAllowed.
    """
    with transaction.atomic():
        found = preview_deletion(agent_id)
        agent, own = found.agent, found.own if with_blocks else []
        agent.retired_at = timezone.now()
        agent.save(update_fields=["retired_at"])
        audit.record("agent.retired", agent, blocks=len(own))
        for block in own:
            core.delete_block(block.id)
    return agent


def bring_back_agent(agent_id: uuid.UUID) -> Agent:
    """Bring a deleted agent back, with the blocks that went along. Raises Agent.DoesNotExist, NotAllowed."""
    with transaction.atomic():
        agent = Agent.objects.get(id=agent_id)
        require_role(agent.workspace_id, "editor")
        if agent.retired_at is None:
            return agent
        gone = AgentBlock.objects.filter(agent=agent, block__retired_at__gte=agent.retired_at)
        for block_id in gone.order_by("id").values_list("block_id", flat=True):
            core.bring_back(block_id)
        agent.retired_at = None
        agent.save(update_fields=["retired_at"])
        audit.record("agent.returned", agent)
    return agent


def _assign(agent: Agent, fields: AgentFields) -> None:
    given = {name: value for name, value in vars(fields).items() if value is not None}
    if "model_id" in given:
        agent.model = LanguageModel.objects.select_related("provider").get(id=given.pop("model_id"))
    for name, value in given.items():
        setattr(agent, name, value)
    agent.window = agent.window or None
    if not agent.name.strip():
        raise BadAgent("name", "An agent needs a name.")
    if agent.window is not None and not WINDOW_MIN <= agent.window <= agent.model.window:
        raise BadAgent(
            "window", f"The window lies between {WINDOW_MIN} and the model's {agent.model.window} tokens."
        )
