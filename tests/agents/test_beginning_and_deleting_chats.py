"""A chat begins once, however often the click arrives; deleting it stops what runs in it."""

from __future__ import annotations

import json
import threading
import uuid

from django.db import connection

from agents import chats
from agents.llm.base import ToolCallDelta
from agents.models import MainContext, Turn
from agents.turns.reply import Reply
from memory import recall
from memory.actors import SYSTEM
from tests.cast import Person, new_agent, new_chat, send


def test_the_same_first_message_at_once_is_one_chat(alice: Person) -> None:
    agent = new_agent(alice)
    client_id = uuid.uuid4().hex
    found: list[uuid.UUID] = []

    def begin() -> None:
        with alice.scope():
            made = chats.begin_chat(
                agent_id=agent.id, workspace_id=None, content="hello", client_id=client_id
            )
            found.append(made.conversation_id)
        connection.close()

    clicks = [threading.Thread(target=begin) for _ in range(4)]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    with alice.scope():
        assert MainContext.objects.filter(agent=agent).count() == 1


def test_a_deleted_chat_works_on_nothing_more(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    waiting = [send(alice, chat, f"message {number}") for number in range(2)]
    with alice.scope():
        chats.delete_chat(chat.conversation_id)
        statuses = Turn.objects.filter(id__in=[turn.id for turn in waiting]).values_list("status", flat=True)
        assert set(statuses) == {"stopped"}


def test_half_a_character_in_arguments_is_stored_as_something_that_can_be_shown() -> None:
    reply = Reply()
    reply.feed(ToolCallDelta(0, "c", "nope", '{"x": "\\ud800", "y": "\\u4f60"}'))
    arguments = reply.calls()[0]["arguments"]
    assert json.loads(arguments) == {"x": "\ufffd", "y": "你"}
    arguments.encode("utf-8")


def test_a_chat_page_shows_a_call_with_half_a_character(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "hello")
    with alice.scope():
        call = {"id": "c", "name": "nope", "arguments": '{"x": "\\ud800"}'}
        recall.add_message(
            chat.conversation, role="assistant", content="", actor=SYSTEM, tool_calls=[call], turn_id=turn.id
        )
        Turn.objects.filter(id=turn.id).update(status="done")
    address = f"/w/{alice.personal}/c/{chat.conversation_id}/"
    assert alice.browser.get(address).status_code == 200
