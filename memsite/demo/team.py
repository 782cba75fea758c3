"""The team's workspace with its agents and the blocks that they share, with versions and a proposal."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils import translation

from agents import blocks, roster
from agents.llm import catalog
from agents.models import Agent, AgentBlock, LanguageModel
from agents.roster import AgentFields
from memory import core
from memory.core import BlockFields
from memory.models import Block, Proposal
from memsite.demo.content import (
    AGENTS,
    AGREEMENTS,
    BLOCKS,
    MOVED,
    PROPOSED,
    REASON,
    TEAM,
    DemoAgent,
    DemoBlock,
)
from memsite.demo.people import DemoPeople
from tenants import members
from tenants.models import Workspace, WorkspaceMember
from tenants.scope import scope
from tenants.services import open_workspace


@dataclass(frozen=True)
class DemoTeam:
    """The workspace and its agents by name."""

    workspace_id: uuid.UUID
    agents: dict[str, uuid.UUID]


def found(people: DemoPeople) -> DemoTeam:
    """What is missing of the team is made; the colleague is a member of it."""
    workspace_id = _workspace(people)
    with scope(people.owner):
        agents = [_agent(each, workspace_id) for each in AGENTS]
        shared = {each.label: _block(each, agents) for each in BLOCKS}
    _propose(people, shared[AGREEMENTS.label])
    return DemoTeam(workspace_id, {agent.name: agent.id for agent in agents})


def _workspace(people: DemoPeople) -> uuid.UUID:
    with scope(people.owner):
        known = Workspace.objects.filter(kind=Workspace.Kind.TEAM, name=TEAM).order_by("id").first()
        workspace_id: uuid.UUID = (known or open_workspace(name=TEAM)).id
    with scope(people.owner):
        user_id, role = people.colleague_id, WorkspaceMember.Role.MEMBER
        if not WorkspaceMember.objects.filter(workspace_id=workspace_id, user_id=user_id).exists():
            members.add_member(workspace_id=workspace_id, user_id=user_id, role=role)
    return workspace_id


def _agent(wanted: DemoAgent, workspace_id: uuid.UUID) -> Agent:
    """An agent on the model that is built in, so that the demo costs nothing and is the same everywhere."""
    known = Agent.objects.filter(workspace_id=workspace_id, name=wanted.name, retired_at=None).first()
    if known:
        return known
    catalog.ensure_models()
    offline = LanguageModel.objects.get(origin=LanguageModel.Origin.OFFLINE)
    with translation.override(wanted.language):
        return roster.create_agent(
            workspace_id=workspace_id,
            fields=AgentFields(name=wanted.name, model_id=offline.id),
            persona=wanted.persona,
        )


def _block(wanted: DemoBlock, agents: list[Agent]) -> Block:
    """A block in the core memory of all agents, brought to the last of its texts."""
    first, *others = agents
    known = AgentBlock.objects.filter(agent=first, label=wanted.label, block__retired_at=None).first()
    block = known.block if known else blocks.add_agent_block(first.id, _fields(wanted))
    for agent in others:
        if not AgentBlock.objects.filter(agent=agent, label=wanted.label, block__retired_at=None).exists():
            blocks.attach(agent.id, block.id)
    for number, text in enumerate(wanted.texts[1:], start=1):
        _edit(block, text, number)
    if wanted.taken_back:
        _edit(block, wanted.taken_back, len(wanted.texts))
        if _version(block) == len(wanted.texts) + 1:
            core.undo(block.id, len(wanted.texts) + 1, actor=core.by_me())
    return block


def _fields(wanted: DemoBlock) -> BlockFields:
    return BlockFields(
        label=wanted.label,
        description=wanted.description,
        governance=wanted.governance,
        value=wanted.texts[0],
    )


def _edit(block: Block, text: str, number: int) -> None:
    """The present person's next version of a block that still is at this one."""
    if _version(block) == number:
        blocks.edit_block(block.id, BlockFields(value=text), expected_version=number)


def _version(block: Block) -> int:
    return Block.objects.get(id=block.id).version


def _propose(people: DemoPeople, block: Block) -> None:
    """The colleague's edit waits for a yes, and the block goes on meanwhile."""
    version = len(AGREEMENTS.texts)
    with scope(people.colleague):
        asked = Proposal.objects.filter(block=block, asked_by=people.colleague_id).exists()
        if not asked and _version(block) == version:
            fields = BlockFields(value=PROPOSED)
            blocks.edit_block(block.id, fields, expected_version=version, reason=REASON)
    with scope(people.owner):
        _edit(block, MOVED, version)
