"""A team's agent with a block of the team's, and people who talk with it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from agents.blocks import add_agent_block
from agents.core_memory import CoreBlock, agent_blocks
from agents.models import Agent
from memory import core
from memory.core import BlockFields
from memory.models import Block, BlockVersion, Proposal
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, stub_model
from tests.cast import Cast, Person, new_agent, new_chat

PLAN = "plan"


@dataclass
class Team:
    """Alice's team with an agent that has the block `plan`; Bob may come in."""

    cast: Cast
    agent: Agent
    plan: Block
    server: StubServer | None = None

    def talk(self, person: Person, home: uuid.UUID | None = None) -> Stubbed:
        """A chat with the agent: the person's own, or the team's where that is named."""
        assert self.server is not None
        return Stubbed(person, self.server, self.agent, new_chat(person, self.agent, home))

    def value(self) -> str:
        """What the plan reads like now."""
        return now(self.cast.alice, self.plan).value

    def proposals(self) -> list[Proposal]:
        """Everything that was proposed for the plan, oldest first."""
        with self.cast.alice.scope():
            rows = Proposal.objects.filter(block=self.plan).select_related("block", "source")
            return list(rows.order_by("id"))


def make_team(cast: Cast, server: StubServer | None = None, *, value: str = "", **fields: Any) -> Team:
    """The team's agent, on a stub where there is one, and its plan."""
    model = {"model_id": stub_model(cast.alice, server.url).id} if server else {}
    agent = new_agent(cast.alice, cast.team, **model)
    with cast.alice.scope():
        described = {"description": "The plan of the project."} | fields
        plan = add_agent_block(agent.id, BlockFields(label=PLAN, value=value, **described))
    return Team(cast, agent, plan, server)


def new_block(person: Person, home: uuid.UUID, label: str = "notes", **fields: Any) -> Block:
    """A block in a workspace, in nobody's core memory."""
    with person.scope():
        return core.create_block(
            workspace_id=home, fields=BlockFields(label=label, **fields), actor=core.by_me()
        )


def now(person: Person, block: Block) -> Block:
    """A block as it is."""
    with person.scope():
        return Block.objects.get(id=block.id)


def edit(person: Person, block: Block, **fields: Any) -> None:
    """A person's edit of the block as it is."""
    with person.scope():
        version = Block.objects.get(id=block.id).version
        core.edit_block(block.id, BlockFields(**fields), expected_version=version, actor=core.by_me())


def seen(person: Person, agent: Agent) -> dict[str, CoreBlock]:
    """What somebody sees of an agent's core memory, by label."""
    with person.scope():
        blocks = agent_blocks(agent)
    found = {block.label: block for block in blocks}
    assert len(found) == len(blocks), "two blocks of one label"
    return found


def newest(person: Person, block: Block) -> BlockVersion:
    """The last version of a block."""
    with person.scope():
        return BlockVersion.objects.filter(block=block).latest("number")
