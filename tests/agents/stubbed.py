"""A chat whose agent thinks with the stub model: queue its behaviours, send, look at what came of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from agents import branching, services
from agents.core_memory import agent_blocks
from agents.events import Event
from agents.llm import catalog
from agents.models import Agent, LanguageModel, MainContext, Provider, Step, Turn
from memory import branches
from memory.models import Block, Message
from tests.agents.llm.stub_behaviours import Behaviour
from tests.agents.llm.stub_server import StubServer
from tests.cast import Person, new_agent, new_chat, send, work


@dataclass
class Stubbed:
    """A person's chat with an agent on the stub."""

    person: Person
    server: StubServer
    agent: Agent
    chat: MainContext

    def queue(self, *behaviours: Behaviour) -> None:
        """Answer the next calls so."""
        self.server.queue(*behaviours)

    def say(self, words: str) -> Turn:
        """Send a message, do the work, and answer the turn as it is then."""
        turn = send(self.person, self.chat, words)
        work(turn)
        return self.fresh(turn)

    def events(self, words: str) -> list[Event]:
        """Send a message and answer the events of its turn."""
        return work(send(self.person, self.chat, words))

    def retry(self, turn: Turn) -> list[Event]:
        """Queue a turn again, and do its work."""
        with self.person.scope():
            services.retry_turn(turn.id)
        return work(turn)

    def edit(self, turn: Turn, words: str) -> Turn:
        """Say something else in the place of a turn's message, and do the work of the turn that is made."""
        with self.person.scope():
            made = branching.edit_message(turn.message_id, content=words, client_id=uuid.uuid4().hex).turn
        work(made)
        return self.fresh(made)

    def answer_again(self, turn: Turn) -> Turn:
        """Have a turn's message answered again, and do the work of the turn that is made."""
        with self.person.scope():
            made = branching.answer_again(turn.id).turn
        work(made)
        return self.fresh(made)

    def switch(self, turn: Turn) -> None:
        """Go on where an answer of a turn stands."""
        answer = self.messages(turn)[-1]
        with self.person.scope():
            branching.switch(answer.id)

    def fresh(self, turn: Turn) -> Turn:
        """The turn as it is now."""
        with self.person.scope():
            return Turn.objects.select_related("message").get(id=turn.id)

    def messages(self, turn: Turn | None = None) -> list[Message]:
        """Stored messages of a turn, or of the whole chat, in order."""
        with self.person.scope():
            rows = Message.objects.filter(conversation_id=self.chat.conversation_id).order_by("position")
            return list(rows.filter(turn_id=turn.id) if turn else rows)

    def path(self) -> list[str]:
        """What is said in the chat, on its live branch."""
        with self.person.scope():
            rows = branches.path(self.chat.conversation_id).order_by("position")
            return list(rows.exclude(content="").values_list("content", flat=True))

    def live_turns(self) -> list[uuid.UUID]:
        """The turns of the live branch."""
        with self.person.scope():
            rows = Turn.objects.filter(conversation=self.chat.conversation_id, is_abandoned=False)
            return list(rows.order_by("id").values_list("id", flat=True))

    def answers(self, turn: Turn) -> list[tuple[str, str]]:
        """(state, content) of what the agent said in a turn."""
        return [(each.state, each.content) for each in self.messages(turn) if each.role == "assistant"]

    def results(self, turn: Turn) -> list[str]:
        """What the tools answered in a turn, JSON."""
        return [each.content for each in self.messages(turn) if each.role == "tool"]

    def steps(self, turn: Turn) -> list[Step]:
        """The model calls of a turn."""
        with self.person.scope():
            return list(Step.objects.filter(turn=turn).order_by("number"))

    def block(self, label: str) -> Block:
        """A block of the agent's core memory, as it is now."""
        with self.person.scope():
            found = next(block for block in agent_blocks(self.agent) if block.label == label)
            return Block.objects.get(id=found.block_id)

    def request(self, number: int = -1) -> Any:
        """A request that the stub got, parsed; the last one unless told."""
        return self.server.requests[number].json

    def context(self) -> MainContext:
        """What the agent sees of the chat, as it is now."""
        with self.person.scope():
            return MainContext.objects.select_related("summary", "conversation").get(id=self.chat.id)


def shown(events: list[Event]) -> str:
    """The words that a page shows of what is not stored yet, after these events."""
    said: list[str] = []
    for event in events:
        if event.kind == "restart":
            said.clear()
        elif event.kind == "text":
            said.append(event.data["text"])
    return "".join(said)


def stub_model(person: Person, url: str, **fields: Any) -> LanguageModel:
    """A model at a base URL, in the person's tenant."""
    with person.scope():
        provider = Provider(name=f"stub {uuid.uuid4().hex[:6]}", base_url=url)
        catalog.conceal(provider, "sk-a-key-of-the-stub")
        provider.save()
        return LanguageModel.objects.create(provider=provider, **({"name": "stub"} | fields))


def make_stubbed(person: Person, server: StubServer, **fields: Any) -> Stubbed:
    """A new agent on a stub that runs; `fields` are the model's."""
    agent = new_agent(person, model_id=stub_model(person, server.url, **fields).id)
    return Stubbed(person, server, agent, new_chat(person, agent))
