"""The same message sent twice is one message and one turn; others wait in line."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from agents.models import Turn
from agents.services import BadMessage, ClientIdReused, start_chat
from agents.turns.line import turn_queued
from memory.models import Conversation, Message
from tenants.permissions import NotAllowed
from tests.agents.llm.stub_behaviours import text
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, Person, new_agent, new_chat, send, work


def test_the_same_client_id_answers_the_same_turn(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    first, second = (send(alice, chat, "Hello.", "one") for _ in range(2))
    assert first.id == second.id
    with alice.scope():
        assert Message.objects.filter(conversation_id=chat.conversation_id).count() == 1


def test_the_same_client_id_at_the_same_time_makes_one_turn(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))

    def post(_: int) -> uuid.UUID:
        try:
            return send(alice, chat, "Hello.", "one").id
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        turns = set(pool.map(post, range(16)))
    assert len(turns) == 1
    with alice.scope():
        assert Message.objects.filter(conversation_id=chat.conversation_id).count() == 1
        assert Turn.objects.filter(conversation_id=chat.conversation_id).count() == 1


def test_another_body_under_the_same_client_id_is_refused(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, "Hello.", "one")
    with pytest.raises(ClientIdReused):
        send(alice, chat, "Good day.", "one")
    assert send(alice, new_chat(alice, new_agent(alice)), "Good day.", "one")


@pytest.mark.parametrize("words", ["", " \n", "x" * 1_000_001, "a\0b", "\ud83d"])
def test_it_refuses_what_is_no_message(alice: Person, words: str) -> None:
    chat = new_chat(alice, new_agent(alice))
    with pytest.raises(BadMessage):
        send(alice, chat, words)
    with alice.scope():
        assert not Message.objects.filter(conversation_id=chat.conversation_id).exists()


@pytest.mark.parametrize("client_id", ["x" * 121, "a\0"])
def test_it_refuses_what_is_no_client_id(alice: Person, client_id: str) -> None:
    with pytest.raises(BadMessage):
        send(alice, new_chat(alice, new_agent(alice)), "Hello.", client_id)


def test_strangers_send_nothing_and_viewers_neither(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    for person in (cast.bob, cast.charlie):
        with pytest.raises((Conversation.DoesNotExist, type(chat).DoesNotExist)):
            send(person, chat, "Hello.")
    cast.let_bob_in("viewer")
    with pytest.raises(NotAllowed):
        send(cast.bob, chat, "Hello.")
    with pytest.raises(NotAllowed), cast.bob.scope():
        start_chat(agent_id=agent.id, workspace_id=cast.team)


def test_a_burst_of_five_is_answered_in_order(stubbed: Stubbed) -> None:
    stubbed.queue(*[text(f"Answer {number}.") for number in range(5)])
    turns = [send(stubbed.person, stubbed.chat, f"Question {number}.") for number in range(5)]
    assert [work(turn) for turn in turns[1:]] == [[]] * 4
    for turn in turns:
        work(turn)
    expected = [f"{kind} {number}." for number in range(5) for kind in ("Question", "Answer")]
    assert [each.content for each in stubbed.messages()] == expected
    parents = [each.parent_id for each in stubbed.messages()]
    assert parents == [None, *(each.id for each in stubbed.messages()[:-1])]


def test_a_message_that_waits_has_no_place_yet_and_is_not_in_the_prompt(stubbed: Stubbed) -> None:
    stubbed.queue(text("To the first."))
    first, second = (send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second."))
    work(first)
    assert stubbed.fresh(second).message.position is None
    sent = [each["content"] for each in stubbed.request()["messages"] if each["role"] == "user"]
    assert sent == ["First."]


def test_the_end_of_a_turn_gives_the_next_one_to_a_worker(stubbed: Stubbed) -> None:
    published: list[uuid.UUID] = []

    def note(turn_id: uuid.UUID, **_: object) -> None:
        published.append(turn_id)

    stubbed.queue(text("Yes."))
    turns = [send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second.", "Third.")]
    turn_queued.connect(note)
    try:
        work(turns[0])
    finally:
        turn_queued.disconnect(note)
    assert published == [turns[1].id]
