"""Chats filled without a model, and the window that is compiled of them."""

from __future__ import annotations

import json
import uuid
from typing import Any

from agents.context import window
from agents.context.parts import PartKind, Window
from agents.models import LanguageModel, MainContext, Turn
from agents.roster import AgentFields, update_agent
from memory import recall
from memory.actors import person as by
from memory.models import Message
from tests.cast import Person, new_agent, new_chat, send


def small_chat(person: Person, tokens: int = 4_000, **model: Any) -> MainContext:
    """A chat with an agent whose window is that small; nobody answers in it."""
    with person.scope():
        row = LanguageModel.objects.create(
            name=f"model {uuid.uuid4().hex[:6]}", **({"window": tokens} | model)
        )
    return new_chat(person, new_agent(person, model_id=row.id))


def give_model(person: Person, chat: MainContext, **fields: Any) -> None:
    """Another model for the chat's agent."""
    with person.scope():
        row = LanguageModel.objects.create(name=f"model {uuid.uuid4().hex[:6]}", **fields)
        update_agent(chat.agent_id, AgentFields(model_id=row.id))


def exchange(person: Person, chat: MainContext, words: str, answer: str = "I see.") -> Message:
    """A message of the person's and the agent's answer, stored as a turn stores them."""
    with person.scope():
        asked = recall.add_message(
            chat.conversation, role="user", content=words, actor=by(person.user.id), turn_id=uuid.uuid4()
        )
        recall.add_message(
            chat.conversation, role="assistant", content=answer, actor=by(None), turn_id=asked.turn_id
        )
    return asked


def fill(person: Person, chat: MainContext, number: int, words: str = "word " * 20) -> list[Message]:
    """That many exchanges."""
    return [exchange(person, chat, f"Message {place}: {words}") for place in range(number)]


def ask(person: Person, chat: MainContext, words: str = "And now?") -> Turn:
    """A message whose turn is next, placed as its claim would."""
    turn = send(person, chat, words)
    with person.scope():
        recall.place(turn.conversation_id, [turn.message_id])
    return turn


def add_call(
    person: Person, turn: Turn, result: str, arguments: str = "{}", name: str = "message_read"
) -> None:
    """A tool call and its result in a turn."""
    with person.scope():
        context = MainContext.objects.select_related("conversation").get(id=turn.context_id)
        call = {"id": uuid.uuid4().hex[:9], "name": name, "arguments": arguments}
        fields: dict[str, Any] = {"actor": by(None), "turn_id": turn.id}
        recall.add_message(context.conversation, role="assistant", content="", tool_calls=[call], **fields)
        recall.add_message(
            context.conversation,
            role="tool",
            content=result,
            tool_call_id=call["id"],
            name=name,
            **fields,
        )


def compiled(person: Person, turn: Turn) -> Window:
    """The window for a turn's next model call."""
    with person.scope():
        row = Turn.objects.select_related(
            "context__agent__model", "context__conversation", "context__summary", "message"
        ).get(id=turn.id)
        return window.compile_window(row)


def core_of(made: Window) -> str:
    """Core memory as the model sees it."""
    return made.text(PartKind.CORE, PartKind.BLOCK)


def queue_of(made: Window) -> list[dict[str, Any]]:
    """The messages of the queue as the model sees them."""
    return [message for part in made.parts if part.kind == PartKind.QUEUE for message in part.messages]


def status_of(made: Window) -> str:
    """The status at the end."""
    return next(part.text for part in made.parts if part.kind == PartKind.STATUS)


def sizes(made: Window) -> str:
    """All that a model would be sent, to look for things in."""
    return json.dumps([made.messages(), made.tools()], ensure_ascii=False)
