"""Core memory as it is seen: which of an agent's blocks a turn or a person has in view, and what may be done.

What may be done is asked of `memory.governance`, so that a prompt never promises what a write then refuses.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.models import F, Q, QuerySet

from agents.models import Agent, AgentBlock, MainContext
from memory import governance, measure
from memory.actors import Actor, ActorKind
from memory.governance import Origin, Verdict
from memory.models import Block
from memory.operations import ReadOnly
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.scope import current_scope

FREE, PROPOSE, READ_ONLY = (str(rule) for rule in Block.Governance)


@dataclass(frozen=True)
class CoreBlock:
    """A block as prompts and pages show it. `governance` is what counts for this agent, in this chat.

    `override` is the agent's own setting, or empty. A block that `is_lent` is one person's own, shown in a
    chat that others read; nobody writes it from there.
    """

    block_id: uuid.UUID
    label: str
    description: str
    value: str
    limit: int
    unit: str
    version: int
    workspace_id: uuid.UUID
    governance: str
    override: str = ""
    is_lent: bool = False

    @property
    def id(self) -> uuid.UUID:
        """The block's id, as pages and the API name it."""
        return self.block_id

    @property
    def used(self) -> int:
        """How much of the limit the value fills, in the block's unit."""
        return measure.length(self.value, self.unit)

    @property
    def is_near_limit(self) -> bool:
        """Whether little room is left."""
        return measure.is_near(self.used, self.limit)


def blocks_in_view(
    agent: Agent,
    user_id: uuid.UUID | None,
    workspace_id: uuid.UUID | None = None,
    reach: Collection[uuid.UUID] | None = None,
) -> list[CoreBlock]:
    """The blocks that a person has in view with an agent, in their order, each label once.

    `workspace_id` is where the conversation lies. In one that others read, a person's own block is out of
    view, unless they lend it; nor does it come there where whoever asks has a narrower `reach` than the
    person: that of a key. None is all that the person has.
    """
    home, rows = agent.workspace_id, list(_attached(agent.id, user_id))
    if workspace_id is None or _is_personal(workspace_id):
        return [_seen(agent, row, workspace_id) for row in _each_label_once(home, rows)]
    shared = _each_label_once(home, [row for row in rows if not _is_personal(row.workspace_id)])
    taken = {row.label for row in shared}
    placed = [(row.position, _seen(agent, row, workspace_id)) for row in shared]
    lent = [each for each in _lent(agent) if reach is None or each[1].workspace_id in reach]
    placed += [(place, block) for place, block in lent if block.label not in taken]
    return [block for _, block in sorted(placed, key=lambda each: each[0])]


def blocks_in_chat(context: MainContext) -> list[CoreBlock]:
    """What the agent of a chat (with its agent loaded) sees of core memory when the present person speaks."""
    identity = current_scope().identity
    return blocks_in_view(context.agent, identity.user_id, context.workspace_id, identity.reach)


def agent_blocks(agent: Agent) -> list[CoreBlock]:
    """The agent's core memory as the present person sees it, outside of any chat."""
    return blocks_in_view(agent, current_scope().user_id)


def attachments_in_view(agent_id: uuid.UUID) -> list[AgentBlock]:
    """The attachments that the present person sees, outside of any chat, each with its block, in their order.

    One query, since programs ask for this all the time. Raises Agent.DoesNotExist.
    """
    rows = list(_attached(agent_id, current_scope().user_id).annotate(home=F("agent__workspace_id")))
    if not rows:
        Agent.objects.get(id=agent_id)
        return []
    return _each_label_once(rows[0].home, rows)


def _attached(agent_id: uuid.UUID, user_id: uuid.UUID | None) -> QuerySet[AgentBlock]:
    rows = AgentBlock.objects.filter(
        Q(person=None) | Q(person_id=user_id), agent_id=agent_id, block__retired_at=None
    )
    return rows.select_related("block").order_by("position", "id")


def _each_label_once(home: uuid.UUID, rows: Iterable[AgentBlock]) -> list[AgentBlock]:
    """Where two bear a label, since who attached one did not see the other, the agent's workspace counts."""
    first: dict[str, AgentBlock] = {}
    for row in sorted(rows, key=lambda row: row.workspace_id != home):
        first.setdefault(row.label, row)
    return [row for row in rows if first[row.label] is row]


def override_of(agent: Agent, row: AgentBlock) -> str:
    """The agent's own setting for an attached block, as far as it counts; empty leaves it to the block.

    A person's own agent writes freely to what others share only while its person may: nobody else
    watches over that agent.
    """
    widens = row.governance == FREE and not has_role(row.workspace_id, "editor")
    return "" if widens and _is_personal(agent.workspace_id) else row.governance


def _seen(agent: Agent, row: AgentBlock, workspace_id: uuid.UUID | None) -> CoreBlock:
    block, override = row.block, override_of(agent, row)
    origin = Origin(override=override or None, workspace_id=workspace_id)
    return CoreBlock(
        block_id=block.id,
        label=block.label,
        description=block.description,
        value=block.value,
        limit=block.limit,
        unit=block.unit,
        version=block.version,
        workspace_id=block.workspace_id,
        governance=_ruled(block, Actor(ActorKind.AGENT, agent.id), origin),
        override=override,
    )


def _ruled(block: Block, actor: Actor, origin: Origin) -> str:
    try:
        found = governance.verdict(block, actor, origin)
    except ReadOnly:
        return READ_ONLY
    return PROPOSE if found is Verdict.PROPOSE else FREE


def _lent(agent: Agent) -> list[tuple[int, CoreBlock]]:
    """What the present person lends to the agent for chats that others read, with their places."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM lent_blocks(%s)", [agent.id])
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [(row.pop("place"), CoreBlock(**row, governance=READ_ONLY, is_lent=True)) for row in rows]


def _is_personal(workspace_id: uuid.UUID) -> bool:
    access = current_scope().workspaces.get(workspace_id)
    return access is not None and access.kind == Workspace.Kind.PERSONAL
