"""What an agent sees of a chat follows one branch: eviction, summary and clearing."""

from __future__ import annotations

import uuid

from agents import branching, trust
from agents.models import MainContext, Turn
from memory import branches, recall
from memory.models import Message, Summary
from tests.agents.context.compiling import fill, small_chat
from tests.cast import Person, send


def fresh(alice: Person, chat: MainContext) -> MainContext:
    with alice.scope():
        return MainContext.objects.select_related("summary").get(id=chat.id)


def summarised(alice: Person, chat: MainContext, to_position: int) -> Summary:
    """A summary of the live branch up to a position, which the agent's window begins after."""
    with alice.scope():
        made = Summary.objects.create(
            workspace_id=chat.workspace_id,
            conversation_id=chat.conversation_id,
            content=f"Up to {to_position}.",
            from_position=1,
            to_position=to_position,
        )
        MainContext.objects.filter(id=chat.id).update(
            summary=made, queue_from=to_position + 1, cleared_to=to_position + 2, is_filling=True
        )
    return made


def leave_at(alice: Person, chat: MainContext, position: int) -> uuid.UUID:
    with alice.scope():
        recall.hold(chat.conversation_id)
        message = Message.objects.get(conversation_id=chat.conversation_id, position=position)
        branching.fit(chat.conversation_id, branches.leave(message.id).common)
    return message.id


def take(alice: Person, chat: MainContext, message_id: uuid.UUID) -> None:
    with alice.scope():
        recall.hold(chat.conversation_id)
        branching.fit(chat.conversation_id, branches.take(message_id).common)


def test_the_summary_stays_where_it_covers_nothing_that_was_left(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 10)
    kept = summarised(alice, chat, 8)
    leave_at(alice, chat, 11)
    context = fresh(alice, chat)
    assert (context.summary_id, context.queue_from, context.cleared_to) == (kept.id, 9, 10)
    assert context.is_filling is False


def test_a_summary_that_covers_what_was_left_is_not_used(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 10)
    early = summarised(alice, chat, 4)
    late = summarised(alice, chat, 12)
    left = leave_at(alice, chat, 9)
    context = fresh(alice, chat)
    assert (context.summary_id, context.queue_from, context.cleared_to) == (early.id, 5, 8)
    take(alice, chat, left)
    context = fresh(alice, chat)
    assert (context.summary_id, context.queue_from, context.cleared_to) == (late.id, 13, 8)


def test_without_a_summary_of_the_branch_the_window_begins_at_the_beginning(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 6)
    summarised(alice, chat, 8)
    leave_at(alice, chat, 5)
    context = fresh(alice, chat)
    assert (context.summary_id, context.queue_from, context.cleared_to) == (None, 1, 4)


def test_a_window_that_begins_with_an_import_keeps_its_beginning(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 6)
    with alice.scope():
        MainContext.objects.filter(id=chat.id).update(queue_from=5)
    leave_at(alice, chat, 9)
    assert fresh(alice, chat).queue_from == 5
    leave_at(alice, chat, 3)
    assert fresh(alice, chat).queue_from == 1


def test_summaries_of_two_branches_are_told_apart(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 4)
    one = summarised(alice, chat, 6)
    left = leave_at(alice, chat, 3)
    fill(alice, chat, 4)
    other = summarised(alice, chat, 12)
    assert fresh(alice, chat).summary_id == other.id
    take(alice, chat, left)
    assert fresh(alice, chat).summary_id == one.id
    with alice.scope():
        back = Message.objects.get(conversation_id=chat.conversation_id, position=9)
    take(alice, chat, back.id)
    assert fresh(alice, chat).summary_id == other.id


def test_a_message_of_a_left_branch_says_nothing_about_trust(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 3)
    with alice.scope():
        Message.objects.filter(conversation_id=chat.conversation_id, position=6).update(trust=1)
        before = trust.in_window(fresh(alice, chat))
    leave_at(alice, chat, 5)
    with alice.scope():
        assert trust.in_window(fresh(alice, chat)) > before


def test_a_turn_of_the_chat_is_never_on_a_left_branch(alice: Person) -> None:
    chat = small_chat(alice)
    turn = send(alice, chat, "One.")
    with alice.scope():
        Turn.objects.filter(id=turn.id).update(status="stopped")
        edited = branching.edit_message(turn.message_id, content="Two.", client_id="two").turn
        rows = Turn.objects.filter(conversation_id=chat.conversation_id).order_by("id")
        assert [(each.id, each.is_abandoned) for each in rows] == [(turn.id, True), (edited.id, False)]
