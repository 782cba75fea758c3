"""A person's world for the strangers' walk: one of everything that an address can name, with one marker."""

import uuid
from typing import Any

from agents import services
from agents.models import LanguageModel, Provider
from memory import core, recall
from memory.models import Block, Message
from memory.operations import Append
from tenants.models import Membership
from tests.agents.llm.stub_server import StubServer
from tests.cast import Person, send, work
from tests.tenants.lives import no_broker, stub_model, turn_that_remembers

World = dict[str, Any]


def make_world(person: Person, home: uuid.UUID, stub: StubServer) -> World:
    """Ids and texts by name. The chat and its agent lie in `home`."""
    marker = f"zebra{uuid.uuid4().hex[:12]}"
    with no_broker():
        world = _ids(person, home, marker, stub)
    return world | {
        "marker": marker,
        "workspace": home,
        "name": person.name,
        "email": person.user.email,
        "personal": person.personal,
    }


def _ids(person: Person, home: uuid.UUID, marker: str, stub: StubServer) -> World:
    model = stub_model(person, stub)
    agent, retired = (_agent(person, home, marker, model) for _ in range(2))
    with person.scope():
        block = next(block for block in services.agent_blocks(agent) if block.label == "persona")
        core.operate(block.id, Append(marker), actor=core.by_me())
        services.retire_agent(retired.id)
        LanguageModel.objects.filter(id=model.id).update(name=marker)
        Provider.objects.filter(id=model.provider_id).update(name=marker)
        membership = Membership.objects.get(user_id=person.user.id)
    chat = _chat(person, home, agent)
    stub.queue(*turn_that_remembers("persona", f"the harvest of {marker}"))
    turn = send(person, chat, f"Tell of the harvest: {marker}")
    work(turn)
    stopped, waiting = (send(person, _chat(person, home, agent), "Wait.") for _ in range(2))
    deleted = _chat(person, home, agent)
    unused = stub_model(person, stub)
    with person.scope():
        services.stop_turn(stopped.id)
        recall.rename(chat.conversation_id, marker)
        recall.pin(chat.conversation_id, pinned=True)
        recall.delete(deleted.conversation_id)
        message = Message.objects.get(id=turn.message_id)
        version = Block.objects.get(id=block.id).version
    return {
        "agent": agent.id,
        "agent_id": agent.id,
        "retired": retired.id,
        "block": block.id,
        "block_id": block.id,
        "version": version,
        "number": version,
        "a": 1,
        "b": 2,
        "conversation": chat.conversation_id,
        "conversation_id": chat.conversation_id,
        "deleted": deleted.conversation_id,
        "turn": turn.id,
        "turn_id": turn.id,
        "message": message.id,
        "message_id": message.id,
        "stopped_turn": stopped.id,
        "stopped_chat": stopped.conversation_id,
        "waiting_turn": waiting.id,
        "waiting_chat": waiting.conversation_id,
        "model": model.id,
        "provider": model.provider_id,
        "unused_model": unused.id,
        "unused_provider": unused.provider_id,
        "membership": membership.id,
    }


def _agent(person: Person, home: uuid.UUID, marker: str, model: LanguageModel) -> Any:
    fields = services.AgentFields(name=marker, model_id=model.id)
    with person.scope():
        return services.create_agent(workspace_id=home, fields=fields, persona=f"I am {marker}.")


def _chat(person: Person, home: uuid.UUID, agent: Any) -> Any:
    with person.scope():
        return services.start_chat(agent_id=agent.id, workspace_id=home)
