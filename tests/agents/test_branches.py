"""A message is edited, or answered again: both ways stay, and one of them is the chat."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from agents import branching, services
from agents.branching import ChatBusy, NotEditable, NotYourMessage
from agents.models import Turn
from agents.services import BadMessage, ClientIdReused
from memory.actors import person
from memory.branches import OnLeftBranch
from memory.importing import ImportedMessage, import_messages
from memory.models import Conversation, Message
from tenants.permissions import NotAllowed
from tests.agents.llm.stub_behaviours import calls, refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Cast, new_agent, new_chat, send, work

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


@pytest.fixture
def talked(stubbed: Stubbed) -> tuple[Stubbed, list[Turn]]:
    """A chat of two exchanges."""
    stubbed.queue(text("a1"), text("a2"))
    return stubbed, [stubbed.say("m1"), stubbed.say("m2")]


def edit(stubbed: Stubbed, message_id: uuid.UUID, words: str = "other", client_id: str = "") -> Turn:
    with stubbed.person.scope():
        forked = branching.edit_message(message_id, content=words, client_id=client_id or uuid.uuid4().hex)
    return forked.turn


def test_an_edited_message_stands_beside_the_old_one(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (_, second) = talked
    assert stubbed.path() == ["m1", "a1", "m2", "a2"]
    stubbed.queue(text("b2"))
    made = stubbed.edit(second, "n2")
    assert stubbed.path() == ["m1", "a1", "n2", "b2"]
    rows = {each.content: each for each in stubbed.messages()}
    assert rows["n2"].parent_id == rows["m2"].parent_id == rows["a1"].id
    assert [rows[name].is_abandoned for name in ("m1", "a1", "m2", "a2", "n2", "b2")] == [0, 0, 1, 1, 0, 0]
    assert [each.position for each in stubbed.messages()] == [1, 2, 3, 4, 5, 6]
    assert stubbed.live_turns() == [talked[1][0].id, made.id]
    sent = [each["content"] for each in stubbed.request()["messages"][1:-1]]
    assert sent == ["m1", "a1", "n2"]


def test_an_answer_that_is_asked_for_again_stands_beside_the_first(
    talked: tuple[Stubbed, list[Turn]],
) -> None:
    stubbed, (first, second) = talked
    stubbed.queue(text("b1"))
    made = stubbed.answer_again(first)
    assert (made.message_id, made.user_id) == (first.message_id, first.user_id)
    assert stubbed.path() == ["m1", "b1"]
    assert stubbed.live_turns() == [made.id]
    assert [each["content"] for each in stubbed.request()["messages"][1:-1]] == ["m1"]
    stubbed.switch(second)
    assert stubbed.path() == ["m1", "a1", "m2", "a2"]
    assert stubbed.live_turns() == [first.id, second.id]


def test_what_is_said_next_follows_the_branch_that_was_taken_up(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (first, second) = talked
    stubbed.queue(text("b1"), text("a3"), text("b2"))
    other = stubbed.answer_again(first)
    stubbed.switch(second)
    stubbed.say("m3")
    assert stubbed.path() == ["m1", "a1", "m2", "a2", "m3", "a3"]
    stubbed.switch(other)
    assert stubbed.path() == ["m1", "b1"]
    stubbed.say("n2")
    assert stubbed.path() == ["m1", "b1", "n2", "b2"]
    assert [each["content"] for each in stubbed.request()["messages"][1:-1]] == ["m1", "b1", "n2"]


def test_branches_of_branches_come_back_with_their_newest_line(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (first, second) = talked
    stubbed.queue(text("b2"), text("c2"), text("b1"))
    stubbed.edit(second, "n2")
    third = stubbed.edit(second_of(stubbed), "o2")
    assert stubbed.path() == ["m1", "a1", "o2", "c2"]
    other = stubbed.answer_again(first)
    assert stubbed.path() == ["m1", "b1"]
    stubbed.switch(first)
    assert stubbed.path() == ["m1", "a1", "o2", "c2"]
    stubbed.switch(second)
    assert stubbed.path() == ["m1", "a1", "m2", "a2"]
    stubbed.switch(other)
    stubbed.switch(third)  # over two forks at once
    assert stubbed.path() == ["m1", "a1", "o2", "c2"]
    assert len(stubbed.live_turns()) == 2


def second_of(stubbed: Stubbed) -> Turn:
    with stubbed.person.scope():
        return Turn.objects.get(id=stubbed.live_turns()[-1])


def test_the_first_message_of_a_chat_is_edited_too(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (first, _) = talked
    stubbed.queue(text("b1"))
    made = stubbed.edit(first, "Let us speak of tea")
    assert stubbed.path() == ["Let us speak of tea", "b1"]
    assert stubbed.context().conversation.title == "Let us speak of tea"
    assert [each.parent_id for each in stubbed.messages(made)][0] is None
    stubbed.switch(first)
    assert stubbed.path() == ["m1", "a1", "m2", "a2"]
    assert stubbed.context().conversation.title == "m1"


def test_a_message_that_was_stopped_while_it_waited_has_its_place_when_another_one_is_left(
    stubbed: Stubbed,
) -> None:
    stubbed.queue(text("a1"), text("b2"))
    first, second = stubbed.say("m1"), send(stubbed.person, stubbed.chat, "m2")
    with stubbed.person.scope():
        services.stop_turn(second.id)
    stubbed.edit(second, "n2")
    assert stubbed.path() == ["m1", "a1", "n2", "b2"]
    rows = {each.content: each for each in stubbed.messages()}
    assert rows["m2"].parent_id == rows["n2"].parent_id
    assert stubbed.fresh(first).is_abandoned is False


def test_a_turn_that_said_nothing_is_queued_again_itself(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(401), text("a1"))
    failed = stubbed.say("m1")
    again = stubbed.answer_again(failed)
    assert (again.id, again.status) == (failed.id, Turn.Status.DONE)
    assert stubbed.path() == ["m1", "a1"]


def test_a_turn_that_said_nothing_and_was_followed_gets_another_beside_it(stubbed: Stubbed) -> None:
    stubbed.queue(refuse(401), text("a2"), text("a1"))
    failed, second = stubbed.say("m1"), stubbed.say("m2")
    again = stubbed.answer_again(failed)
    assert again.id != failed.id
    assert stubbed.path() == ["m1", "a1"]
    assert stubbed.live_turns() == [again.id]
    stubbed.switch(second)
    assert stubbed.path() == ["m1", "m2", "a2"]
    assert stubbed.live_turns() == [failed.id, second.id]


def test_a_half_answer_stays_beside_the_whole_one(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "m1")
    stubbed.queue(calls(NOTE), text("Half an answer"), text("A whole one."))
    work(turn)
    with stubbed.person.scope():
        Message.objects.filter(content="Half an answer").update(state="stopped")
        Turn.objects.filter(id=turn.id).update(status=Turn.Status.STOPPED)
    again = stubbed.answer_again(turn)
    assert stubbed.path() == ["m1", "A whole one."]
    assert [each.state for each in stubbed.messages(turn) if each.role == "assistant"] == [
        "complete",
        "stopped",
    ]
    assert again.message_id == turn.message_id


def test_nothing_moves_while_a_message_is_answered_or_waits(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (first, second) = talked
    stubbed.queue(text("b1"))
    stubbed.answer_again(first)
    waiting = send(stubbed.person, stubbed.chat, "m3")
    for status in (Turn.Status.QUEUED, Turn.Status.RUNNING, Turn.Status.AWAITING):
        with stubbed.person.scope():
            Turn.objects.filter(id=waiting.id).update(status=status)
        for verb in (
            lambda: branching.edit_message(first.message_id, content="x", client_id=uuid.uuid4().hex),
            lambda: branching.answer_again(second.id),
            lambda: branching.switch(second.message_id),
        ):
            with pytest.raises(ChatBusy, match="Stop it or wait"), stubbed.person.scope():
                verb()
    assert stubbed.path() == ["m1", "b1"]


def test_what_lies_on_another_branch_is_not_edited_there(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (first, second) = talked
    stubbed.queue(text("b1"))
    stubbed.answer_again(first)
    with pytest.raises(OnLeftBranch), stubbed.person.scope():
        branching.edit_message(second.message_id, content="x", client_id="x")
    with pytest.raises(OnLeftBranch), stubbed.person.scope():
        branching.answer_again(first.id)


def test_only_what_a_person_wrote_here_is_edited(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, _ = talked
    with stubbed.person.scope():
        import_messages(
            Conversation.objects.get(id=stubbed.chat.conversation_id),
            [ImportedMessage("user", "said elsewhere")],
            actor=person(stubbed.person.user.id),
        )
    for content in ("a1", "said elsewhere"):
        message = next(each for each in stubbed.messages() if each.content == content)
        with pytest.raises(NotEditable):
            edit(stubbed, message.id)
    with pytest.raises(BadMessage):
        edit(stubbed, talked[1][0].message_id, "  ")


def test_the_same_edit_twice_makes_one_sibling(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (_, second) = talked

    def post(_: int) -> uuid.UUID:
        try:
            return edit(stubbed, second.message_id, "n2", "once").id
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(post, range(8)))) == 1
    assert [each.content for each in stubbed.messages()].count("n2") == 1
    with pytest.raises(ClientIdReused):
        edit(stubbed, second.message_id, "something else", "once")
    with pytest.raises(ClientIdReused):
        edit(stubbed, second.message_id, "m2", second.client_id)


def test_asking_again_twice_at_once_makes_one_answer(talked: tuple[Stubbed, list[Turn]]) -> None:
    stubbed, (_, second) = talked

    def post(_: int) -> uuid.UUID:
        try:
            with stubbed.person.scope():
                return branching.answer_again(second.id).turn.id
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(post, range(8)))) == 1
    with stubbed.person.scope():
        assert Turn.objects.filter(message_id=second.message_id).count() == 2


def test_only_who_wrote_a_message_edits_it_and_viewers_change_nothing(
    cast: Cast, in_the_team: Stubbed
) -> None:
    stubbed = in_the_team
    stubbed.queue(text("a1"), text("b1"))
    turn = stubbed.say("m1")
    cast.let_bob_in("viewer")
    verbs = (
        lambda: branching.edit_message(turn.message_id, content="x", client_id="x"),
        lambda: branching.answer_again(turn.id),
        lambda: branching.switch(turn.message_id),
    )
    for verb in verbs:
        with pytest.raises(NotAllowed), cast.bob.scope():
            verb()
        with pytest.raises((Message.DoesNotExist, Turn.DoesNotExist)), cast.charlie.scope():
            verb()
    cast.let_bob_in("admin")
    with pytest.raises(NotYourMessage), cast.bob.scope():
        verbs[0]()
    with cast.bob.scope():
        again = branching.answer_again(turn.id).turn
    assert again.user_id == cast.alice.user.id


@pytest.fixture
def in_the_team(cast: Cast, impatient: None) -> Iterator[Stubbed]:
    """Alice's chat in the team's workspace."""
    with StubServer() as server:
        stubbed = make_stubbed(cast.alice, server)
        agent = new_agent(cast.alice, cast.team, model_id=stubbed.agent.model_id)
        yield Stubbed(cast.alice, server, agent, new_chat(cast.alice, agent, cast.team))
