"""An import and a turn in the same chat: one waits for the other, and neither lands inside the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from agents.importing import ImportedChat, TurnUnfinished, import_conversation
from agents.models import MainContext, Turn
from memory import core, importing, recall
from memory.importing import ImportedMessage
from memory.models import Message
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.mortal import until
from tests.agents.stubbed import Stubbed
from tests.api_calls import call, post, problem
from tests.cast import Person, new_agent, new_chat, send, work

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def said(*names: str) -> list[ImportedMessage]:
    return [ImportedMessage("user", f"Message {name}.", external_id=name) for name in names]


def bring(stubbed: Stubbed, *names: str) -> ImportedChat:
    with stubbed.person.scope():
        return import_conversation(stubbed.agent.id, "Elsewhere", said(*names))


def begun(stubbed: Stubbed) -> MainContext:
    """The stubbed chat is one that was imported."""
    stubbed.chat = bring(stubbed, "a").context
    return stubbed.chat


@pytest.fixture
def elsewhere() -> Iterator[ThreadPoolExecutor]:
    """Another thread, with a database session of its own."""
    with ThreadPoolExecutor(1) as pool:
        yield pool
        pool.submit(lambda: connection.close()).result()


def session() -> int:
    """What PostgreSQL calls this thread's session."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def begin(elsewhere: ThreadPoolExecutor, do: Callable[[], Any]) -> Future[Any]:
    """Begin something there, and go on when it waits for a lock that is held here."""
    theirs = elsewhere.submit(session).result()
    begun = elsewhere.submit(do)
    until(lambda: is_waiting(theirs))
    return begun


def is_waiting(session: int) -> bool:
    """Whether a session waits for a lock of another one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted", [session])
        return bool(cursor.fetchone()[0])


def test_nothing_comes_between_a_question_and_its_answer(
    stubbed: Stubbed, elsewhere: ThreadPoolExecutor
) -> None:
    begun(stubbed)
    stubbed.queue(calls(NOTE), text("Noted, in a while.", chunks=15, pause=0.2))
    turn = send(stubbed.person, stubbed.chat, "I drink tea.")
    with pytest.raises(TurnUnfinished):
        bring(stubbed, "a", "b")
    working = elsewhere.submit(work, turn)
    stubbed.server.wait_for_requests(2)
    assert stubbed.fresh(turn).status == Turn.Status.RUNNING
    with pytest.raises(TurnUnfinished):
        bring(stubbed, "a", "b")
    working.result(timeout=60)
    made = bring(stubbed, "a", "b")
    assert (made.count, made.skipped, made.is_new) == (1, 1, False)
    assert stubbed.fresh(turn).status == Turn.Status.DONE
    rows = stubbed.messages()
    assert [row.role for row in rows] == ["user", "user", "assistant", "tool", "assistant", "user"]
    assert [row.position for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[-1].external_id == "b"


def test_the_api_says_that_a_turn_is_not_over(alice: Person) -> None:
    body = {"agent": str(new_agent(alice).id), "title": "Elsewhere"}
    one, two = ({"role": "user", "content": name, "external_id": name} for name in "ab")
    made = post(alice, "conversations/import/", body | {"messages": [one]})
    with alice.scope():
        chat = MainContext.objects.get(conversation_id=made["conversation"])
    turn = send(alice, chat, "Hello.")
    refused = problem(call(alice, "POST", "conversations/import/", body | {"messages": [one, two]}), 409)
    assert "is being answered" in refused["detail"]
    work(turn)
    again = post(alice, "conversations/import/", body | {"messages": [one, two]}, 200)
    assert (again["messages"], again["known"]) == (1, 1)


def test_who_adds_a_message_waits_for_an_import(alice: Person, elsewhere: ThreadPoolExecutor) -> None:
    chat = new_chat(alice, new_agent(alice)).conversation

    def add() -> None:
        with alice.scope():
            recall.add_message(chat, role="user", content="Mine.", actor=core.by_me())

    with alice.scope():
        importing.import_messages(chat, said("a"), actor=core.by_me())
        other = begin(elsewhere, add)
        importing.import_messages(chat, said("b"), actor=core.by_me())
    other.result(timeout=60)
    with alice.scope():
        rows = Message.objects.filter(conversation=chat).order_by("position")
        assert [row.content for row in rows] == ["Message a.", "Message b.", "Mine."]
        assert [row.position for row in rows] == [1, 2, 3]


def test_a_turn_that_begins_waits_for_an_import(stubbed: Stubbed, elsewhere: ThreadPoolExecutor) -> None:
    """The import's transaction is still open when the message comes; what it imports stands before it."""
    begun(stubbed)
    stubbed.queue(text("Hello."))
    turns: list[Turn] = []

    def ask() -> None:
        turns.append(send(stubbed.person, stubbed.chat, "Hello."))
        work(turns[0])

    with stubbed.person.scope():
        import_conversation(stubbed.agent.id, "Elsewhere", said("a", "b"))
        other = begin(elsewhere, ask)
        import_conversation(stubbed.agent.id, "Elsewhere", said("a", "b", "c"))
    other.result(timeout=60)
    assert stubbed.fresh(turns[0]).status == Turn.Status.DONE
    assert [row.external_id or row.role for row in stubbed.messages()] == ["a", "b", "c", "user", "assistant"]


def test_a_turn_that_is_tried_again_waits_for_an_import(
    stubbed: Stubbed, elsewhere: ThreadPoolExecutor
) -> None:
    begun(stubbed)
    turn = stubbed.say("Hello.")  # the stub has no answer: it fails
    assert turn.status == Turn.Status.FAILED
    stubbed.queue(text("Hello."))
    with stubbed.person.scope():
        import_conversation(stubbed.agent.id, "Elsewhere", said("a", "b"))
        other = begin(elsewhere, lambda: stubbed.retry(turn))
        import_conversation(stubbed.agent.id, "Elsewhere", said("a", "b", "c"))
    other.result(timeout=60)
    assert stubbed.fresh(turn).status == Turn.Status.DONE
    assert stubbed.messages()[-1].content == "Hello."
