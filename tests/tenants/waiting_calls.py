"""Of a person's world: a tool call that waits for a yes, and one that got a no."""

from __future__ import annotations

import uuid
from typing import Any

from agents.models import Agent, Approval, LanguageModel
from agents.turns import approvals
from tests.agents.llm.stub_behaviours import calls
from tests.agents.llm.stub_server import StubServer
from tests.cast import Person, new_agent, new_chat, send, work

RULE = {"type": "requires_approval", "tool_name": "core_memory_append"}


def waiting_calls(
    person: Person, home: uuid.UUID, marker: str, stub: StubServer, model: LanguageModel
) -> dict[str, Any]:
    """Their ids by name; the agent and its chats lie in `home`."""
    agent = new_agent(person, home, name=marker, model_id=model.id)
    with person.scope():
        Agent.objects.filter(id=agent.id).update(tool_rules=[RULE])
    waiting, refused = (_asked(person, home, agent, marker, stub) for _ in range(2))
    with person.scope():
        approvals.reject(refused.id)
    return {
        "asking_chat": waiting.turn.conversation_id,
        "approval": waiting.id,
        "approval_id": waiting.id,
        "refused_approval": refused.id,
    }


def _asked(person: Person, home: uuid.UUID, agent: Agent, marker: str, stub: StubServer) -> Approval:
    stub.queue(calls(("core_memory_append", {"label": "persona", "content": marker})))
    turn = send(person, new_chat(person, agent, home), f"Remember {marker}")
    work(turn)
    with person.scope():
        return Approval.objects.select_related("turn").get(turn=turn)
