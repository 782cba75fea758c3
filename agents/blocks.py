"""Which blocks an agent has: made for it or attached to it, on what terms, and who else has them.

A block is named by its id, never by its label. It comes to an agent only where both sides allow it: whoever
attaches is editor where the agent lies and where the block lies. Either side alone may end it.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.models import Agent, AgentBlock
from memory import core
from memory.actors import SYSTEM
from memory.core import BadBlock, BlockFields
from memory.models import Block, Proposal
from memory.operations import BlockError
from tenants import audit
from tenants.models import Workspace
from tenants.permissions import NotAllowed, has_role, require_role
from tenants.scope import current_scope

PERSONA, HUMAN = "persona", "human"
# Written in the language of whoever makes the block: people read and edit it, and models read both.
DESCRIPTIONS = {
    PERSONA: _("Who you are, how you speak and what you keep to."),
    HUMAN: _("What you know about the person you talk with, and about their project."),
}


class BlockInUse(BlockError):
    """Agents have this block; where it is to go all the same, say used=delete."""

    code = "in_use"

    def __init__(self, uses: list[Use]) -> None:
        users = [{"agent": str(use.agent_id), "name": use.agent_name} for use in uses]
        super().__init__(str(BlockInUse.__doc__), users=users)
        self.uses = uses


@dataclass(frozen=True)
class Use:
    """One agent that has a block. An agent out of sight, such as a colleague's own, has no name here."""

    agent_id: uuid.UUID
    agent_name: str
    workspace_id: uuid.UUID | None
    is_retired: bool
    person_id: uuid.UUID | None
    override: str
    in_shared_chats: bool


def attach(agent_id: uuid.UUID, block_id: uuid.UUID) -> AgentBlock:
    """Put a block into an agent's core memory; a personal one only into that of its owner's chats.

    Raises Agent.DoesNotExist, Block.DoesNotExist, NotAllowed, and BadBlock where the agent has it already or
    has another of its label.
    """
    with transaction.atomic():
        agent = _locked(agent_id)
        # Held as well: whoever renames it meanwhile would leave the old label here.
        block = Block.objects.select_for_update(no_key=True).get(id=block_id, retired_at=None)
        require_role(agent.workspace_id, "editor")
        require_role(block.workspace_id, "editor")
        if AgentBlock.objects.filter(agent=agent, block=block).exists():
            raise BadBlock("block", "The agent has this block already.")
        row = _attach(agent, block, _owner_of(block))
        _record("block.attached", row, agent)
    return row


def detach(agent_id: uuid.UUID, block_id: uuid.UUID) -> None:
    """Take a block out of an agent's core memory; the block stays.

    Raises AgentBlock.DoesNotExist, NotAllowed.
    """
    row = _attachment(agent_id, block_id)
    agent = Agent.objects.filter(id=agent_id).first()
    if not has_role(row.workspace_id, "editor") and not (agent and has_role(agent.workspace_id, "editor")):
        raise NotAllowed("editor")
    row.delete()
    _record("block.detached", row, agent)


def share(block_id: uuid.UUID, agent_ids: Iterable[uuid.UUID]) -> list[AgentBlock]:
    """Attach a block to several agents, or to none of them; those that have it keep it as it is.

    Raises what `attach` raises.
    """
    with transaction.atomic():
        wanted = set(agent_ids)
        held = AgentBlock.objects.filter(block_id=block_id, agent_id__in=wanted)
        lacking = wanted - set(held.values_list("agent_id", flat=True))
        return [attach(each, block_id) for each in sorted(lacking)]


def set_override(agent_id: uuid.UUID, block_id: uuid.UUID, governance: str | None) -> AgentBlock:
    """What this agent may do with the block, whatever the block itself says; None leaves it to the block.

    Raises AgentBlock.DoesNotExist, Agent.DoesNotExist, NotAllowed, BadBlock.
    """
    if governance and governance not in Block.Governance.values:
        raise BadBlock("governance", f"It is one of {', '.join(Block.Governance.values)}.")
    row = _attachment(agent_id, block_id)
    agent = Agent.objects.get(id=agent_id)
    require_role(row.workspace_id, "editor")
    if row.person_id is None or row.person_id != current_scope().user_id:
        require_role(agent.workspace_id, "editor")
    row.governance = governance or ""
    row.save(update_fields=["governance"])
    _record("block.governed", row, agent)
    return row


def lend(agent_id: uuid.UUID, block_id: uuid.UUID, *, allowed: bool) -> AgentBlock:
    """Let the agent read a block of one's own in chats that others read, or no longer.

    Raises AgentBlock.DoesNotExist, also for a block that is somebody else's; BadBlock for one that is shared.
    """
    row = _attachment(agent_id, block_id)
    if row.person_id != current_scope().user_id or _owner_of(row.block) is None:
        raise BadBlock("block", "Only a block of your own is lent.")
    row.in_shared_chats = allowed
    row.save(update_fields=["in_shared_chats"])
    agent = Agent.objects.filter(id=agent_id).first()
    _record("block.lent" if allowed else "block.recalled", row, agent)
    return row


def users_of(block: Block) -> list[Use]:
    """The agents that have a block, those out of sight included."""
    return users_by_block([block.id]).get(block.id, [])


def users_by_block(block_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[Use]]:
    """The agents that have each of these blocks, by name. Two queries, however many blocks there are."""
    rows = list(AgentBlock.objects.filter(block_id__in=list(block_ids)))
    agents = {each.id: each for each in Agent.objects.filter(id__in={row.agent_id for row in rows})}
    found: dict[uuid.UUID, list[Use]] = defaultdict(list)
    for row in rows:
        found[row.block_id].append(_use(row, agents.get(row.agent_id)))
    return {key: sorted(uses, key=lambda use: (use.agent_name, use.agent_id)) for key, uses in found.items()}


def _use(row: AgentBlock, agent: Agent | None) -> Use:
    return Use(
        agent_id=row.agent_id,
        agent_name=agent.name if agent else "",
        workspace_id=agent.workspace_id if agent else None,
        is_retired=bool(agent and agent.retired_at),
        person_id=row.person_id,
        override=row.governance,
        in_shared_chats=row.in_shared_chats,
    )


def delete_block(block_id: uuid.UUID, *, also_used: bool = False) -> Block:
    """Take a block out of use, for the agents that have it too; it can be brought back.

    Raises Block.DoesNotExist, NotAllowed, and BlockInUse where agents have it and that was not said.
    """
    block = Block.objects.get(id=block_id)
    require_role(block.workspace_id, "editor")
    uses = [use for use in users_of(block) if not use.is_retired]
    if uses and not also_used:
        raise BlockInUse(uses)
    return core.delete_block(block_id)


def add_agent_block(agent_id: uuid.UUID, fields: BlockFields) -> Block:
    """A new block in an agent's core memory. Raises Agent.DoesNotExist, NotAllowed, BadBlock, LimitPassed."""
    with transaction.atomic():
        agent = _locked(agent_id)
        require_role(agent.workspace_id, "editor")
        return add_block(agent, fields)


def add_block(agent: Agent, fields: BlockFields) -> Block:
    """A new block in the agent's workspace, in its core memory."""
    block = core.create_block(workspace_id=agent.workspace_id, fields=fields, actor=core.by_me())
    _attach(agent, block, None)
    return block


def ensure_human(agent: Agent) -> None:
    """The present person's own `human` block with an agent, in their workspace; made at the first chat."""
    user_id = current_scope().user_id
    personal = current_scope().of_kind(Workspace.Kind.PERSONAL)
    if not (user_id and personal):
        return
    known = AgentBlock.objects.filter(agent=agent, label=HUMAN, person_id=user_id, block__retired_at=None)
    if known.exists():
        return
    fields = BlockFields(label=HUMAN, description=str(DESCRIPTIONS[HUMAN]))
    try:
        with transaction.atomic():
            block = core.create_block(workspace_id=personal[0], fields=fields, actor=SYSTEM)
            _attach(agent, block, user_id, position=1)
    except (BadBlock, IntegrityError):  # another chat of theirs, begun at the same moment, made it
        return


def edit_block(
    block_id: uuid.UUID, fields: BlockFields, *, expected_version: int, reason: str = ""
) -> Block | Proposal:
    """A person's edit of a block, with its label where it is attached. Raises VersionConflict, BlockError."""
    renames = fields.label is not None
    with transaction.atomic() if renames else nullcontext():
        if renames:
            _lock_users(block_id)
        made = core.edit_block(
            block_id, fields, expected_version=expected_version, actor=core.by_me(), reason=reason
        )
        if renames and isinstance(made, Block):
            rename_label(made)
    return made


def rename_label(block: Block) -> None:
    """Carry a block's new label to its attachments. Raises BadBlock where an agent has that label already."""
    for row in AgentBlock.objects.filter(block=block).exclude(label=block.label):
        _free_label(row.agent_id, block.label, row.person_id)
        row.label = block.label
        row.save(update_fields=["label"])


def _locked(agent_id: uuid.UUID) -> Agent:
    """The agent, for whom nobody else attaches anything meanwhile."""
    return Agent.objects.select_for_update(no_key=True).get(id=agent_id, retired_at=None)


def _lock_users(block_id: uuid.UUID) -> None:
    """Let nobody attach anything to a block's agents. They are locked before the block, as in `attach`."""
    held = AgentBlock.objects.filter(block_id=block_id).values("agent_id")
    list(Agent.objects.select_for_update(no_key=True).filter(id__in=held).order_by("id").values_list("id"))


def _attachment(agent_id: uuid.UUID, block_id: uuid.UUID) -> AgentBlock:
    return AgentBlock.objects.select_related("block").get(agent_id=agent_id, block_id=block_id)


def _owner_of(block: Block) -> uuid.UUID | None:
    """Whose own a block is; None for one that is shared."""
    access = current_scope().workspaces[block.workspace_id]
    return current_scope().person if access.kind == Workspace.Kind.PERSONAL else None


def _attach(
    agent: Agent, block: Block, person_id: uuid.UUID | None, position: int | None = None
) -> AgentBlock:
    _free_label(agent.id, block.label, person_id)
    if position is None:
        position = AgentBlock.objects.filter(agent=agent).count()
    return AgentBlock.objects.create(
        workspace_id=block.workspace_id,
        agent=agent,
        block=block,
        label=block.label,
        person_id=person_id,
        position=position,
    )


def _free_label(agent_id: uuid.UUID, label: str, person_id: uuid.UUID | None) -> None:
    """Drop what a deleted block left of a label. Raises BadBlock where the agent has a block of that label.

    `human` is each person's own: a shared one would stand beside blocks that its maker does not see.
    """
    same = Q(person=None) | Q(person_id=person_id) if person_id else Q()
    held = AgentBlock.objects.filter(same, agent_id=agent_id, label=label)
    if (label == HUMAN and person_id is None) or held.filter(block__retired_at=None).exists():
        raise BadBlock("label", f"The agent has a block {label!r} already. Choose another label.")
    held.delete()


def _record(action: str, row: AgentBlock, agent: Agent | None) -> None:
    """An audit event on the block; which agent it is about, and on what terms, stands in the details."""
    name = agent.name if agent else ""
    audit.record(action, row.block, agent=row.agent_id, agent_name=name, governance=row.governance)
