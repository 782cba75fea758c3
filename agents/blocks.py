"""Core memory of an agent: which blocks are attached, and which of them a turn sees."""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.models import Agent, AgentBlock
from memory import core
from memory.actors import SYSTEM, Actor
from memory.core import BadBlock, BlockFields
from memory.models import Block

PERSONA, HUMAN = "persona", "human"
# Written in the language of whoever makes the block: people read and edit it, and models read both.
DESCRIPTIONS = {
    PERSONA: _("Who you are, how you speak and what you keep to."),
    HUMAN: _("What you know about the person you talk with, and about their project."),
}


def blocks_in_view(agent: Agent, user_id: uuid.UUID) -> list[Block]:
    """The blocks that are in an agent's prompt in the present scope, in their order.

    A block of one person's lies in that person's workspace: in a chat that others read, it is out of reach.
    """
    attached = AgentBlock.objects.filter(Q(person=None) | Q(person_id=user_id), agent=agent)
    return [row.block for row in attached.select_related("block").order_by("position", "id")]


def attach(agent: Agent, block: Block, *, position: int, person_id: uuid.UUID | None = None) -> AgentBlock:
    """Put a block in an agent's core memory. Raises BadBlock where the label is taken."""
    refuse_label(agent.id, block.label, person_id)
    return AgentBlock.objects.create(
        workspace_id=block.workspace_id,
        agent=agent,
        block=block,
        label=block.label,
        person_id=person_id,
        position=position,
    )


def refuse_label(agent_id: uuid.UUID, label: str, person_id: uuid.UUID | None) -> None:
    """Raises BadBlock where the agent has a block of that label.

    `human` is each person's own: a shared one would stand beside blocks that its maker does not see.
    """
    same = Q(person=None) | Q(person_id=person_id) if person_id else Q()
    taken = AgentBlock.objects.filter(same, agent_id=agent_id, label=label)
    if (label == HUMAN and person_id is None) or taken.exists():
        raise BadBlock("label", f"The agent has a block {label!r} already. Choose another label.")


def add_block(agent: Agent, fields: BlockFields, *, actor: Actor) -> Block:
    """A new block in the agent's workspace, in its core memory."""
    block = core.create_block(workspace_id=agent.workspace_id, fields=fields, actor=actor)
    attach(agent, block, position=AgentBlock.objects.filter(agent=agent).count())
    return block


def ensure_human(agent: Agent, user_id: uuid.UUID, personal_id: uuid.UUID) -> None:
    """A person's own `human` block with an agent, in their personal workspace; made at the first chat."""
    if AgentBlock.objects.filter(agent=agent, label=HUMAN, person_id=user_id).exists():
        return
    fields = BlockFields(label=HUMAN, description=str(DESCRIPTIONS[HUMAN]))
    try:
        with transaction.atomic():
            block = core.create_block(workspace_id=personal_id, fields=fields, actor=SYSTEM)
            attach(agent, block, position=1, person_id=user_id)
    except (BadBlock, IntegrityError):  # another chat of theirs, begun at the same moment, made it
        return
