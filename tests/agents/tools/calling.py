"""Calling a tool as the loop does, without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from agents.core_memory import CoreBlock, agent_blocks
from agents.models import Agent, MainContext, Turn
from agents.tools import catalog
from agents.tools.base import ToolContext
from agents.turns.lease import reach_of
from memory.models import Block, BlockVersion, Passage
from tenants.scope import scope
from tests.cast import Person, new_agent, new_chat, send


@dataclass
class Tools:
    """The tools of an agent in one chat with a person."""

    person: Person
    agent: Agent
    chat: MainContext
    turn: Turn

    def call(self, name: str, arguments: str = "", **named: Any) -> dict[str, Any]:
        """A tool's answer; `arguments` is JSON as the model wrote it, or is made of the names."""
        written = arguments or json.dumps(named)
        reach = reach_of(self.turn)
        assert reach is not None
        with scope(reach), timezone.override(self.person.user.time_zone or "UTC"):
            turn = Turn.objects.select_related("context__conversation", "message").get(id=self.turn.id)
            context = ToolContext(turn, self.agent, turn.context.conversation, turn.message)
            found: dict[str, Any] = json.loads(catalog.run(context, name, written))
        return found

    def error(self, name: str, arguments: str = "", **named: Any) -> str:
        """What a tool says is wrong; a call that goes well is an AssertionError."""
        answer = self.call(name, arguments, **named)
        assert answer["status"] == "error", answer
        return str(answer["error"])

    def block(self, label: str = "human") -> Block:
        """A block of the agent's core memory, as it is now."""
        with self.person.scope():
            return Block.objects.get(id=self.seen(label).block_id)

    def seen(self, label: str = "human") -> CoreBlock:
        """The same block as the person sees it with the agent."""
        with self.person.scope():
            return next(block for block in agent_blocks(self.agent) if block.label == label)

    def everything(self) -> list[tuple[Any, ...]]:
        """All that tools can write, to see that nothing was."""
        with self.person.scope():
            return [
                *Block.objects.order_by("id").values_list("id", "value", "version"),
                *BlockVersion.objects.order_by("id").values_list("id", "value"),
                *Passage.objects.order_by("id").values_list("id", "content"),
            ]


def make_tools(person: Person, agent: Agent | None = None, words: str = "Hello.") -> Tools:
    """A chat with a turn that waits, in which tools can be called."""
    agent = agent or new_agent(person)
    chat = new_chat(person, agent)
    return Tools(person, agent, chat, send(person, chat, words))
