"""Long chats with the built-in model, worked on in this process: turns one after another, and what each step
was sent."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from agents import services
from agents.models import Agent, MainContext, Step
from agents.tasks import enqueue
from agents.turns import line
from agents.turns.loop import run_turn
from benchmarks.site import Account
from tenants.scope import RowKey, scope

WINDOW = 8_000
TOPICS = (
    "The train was full this morning.",
    "It rained for a moment.",
    "The end of that book was rather long.",
)
FACTS = (
    "The door code of building {0} is {1}.",
    "My colleague {0} lives at number {1}.",
    "Room {0} seats {1}.",
)


@contextmanager
def by_hand() -> Iterator[None]:
    """No worker hears of turns: they are worked on here, where it can be measured."""
    line.turn_queued.disconnect(enqueue)
    try:
        yield
    finally:
        line.turn_queued.connect(enqueue)


def begin(account: Account, **settings: object) -> MainContext:
    """A chat with an agent whose window has 8,000 tokens."""
    with scope(account.identity):
        Agent.objects.filter(id=account.agent).update(window=WINDOW, **settings)
        return services.start_chat(agent_id=account.agent)


def talk(account: Account, chat: MainContext, number: int) -> uuid.UUID:
    """One turn: a fact, small talk, or a question about an earlier fact; answers its id."""
    with scope(account.identity):
        turn = services.receive_message(
            conversation_id=chat.conversation_id, content=words(number), client_id=uuid.uuid4().hex
        )
    for _ in run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id)):
        pass
    return turn.id


def words(number: int) -> str:
    """What is said in a turn. Every third one states a fact, every tenth asks for one of the last."""
    if number % 10 == 9:
        return f"What is the door code of building {number - number % 3 - 3}?"
    if number % 3 == 0:
        return FACTS[number // 3 % len(FACTS)].format(number, 1_000 + number * 7)
    return f"{TOPICS[number % len(TOPICS)]} ({number})"


def steps(account: Account, chat: MainContext) -> list[Step]:
    """All model calls of a chat, in their order."""
    with scope(account.identity):
        return list(Step.objects.filter(turn__context=chat).order_by("id"))
