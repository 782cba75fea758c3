"""A summary made in the background takes the place of its messages, unless the chat has moved on."""

from agents.context import window
from agents.models import MainContext, Turn
from memory import summaries
from memory.models import Message, Summary
from tests.agents.context.compiling import ask, compiled, exchange, fill, small_chat
from tests.cast import Person

WORDS = "word " * 100


def loaded(alice: Person, chat: MainContext) -> MainContext:
    return MainContext.objects.select_related("agent__model", "conversation", "summary").get(id=chat.id)


def summary_of(messages: list[Message]) -> Summary:
    first, last = messages[0], messages[-1]
    return Summary.objects.create(
        workspace_id=first.workspace_id,
        conversation_id=first.conversation_id,
        content="What was said.",
        from_position=first.position,
        to_position=last.position,
    )


def test_it_takes_whole_exchanges_down_to_the_target(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    fill(alice, chat, 30, WORDS)
    with alice.scope():
        context = loaded(alice, chat)
        messages = window.to_fold(context)
        assert len(messages) % 2 == 0
        assert messages[0].position == 1
        assert window.fold_away(context, messages, summary_of(messages))
        context = loaded(alice, chat)
        assert context.queue_from == len(messages) + 1
        assert context.summary
        assert window.to_fold(context) == []
    made = compiled(alice, ask(alice, chat))
    assert "What was said." in str(made.messages()[1]["content"])
    assert not made.move.evicted
    assert not made.is_pressed


def test_it_takes_none_of_a_turn_that_has_not_ended(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    turn = ask(alice, chat)
    fill(alice, chat, 30, WORDS)
    with alice.scope():
        assert window.to_fold(loaded(alice, chat)) == []
        Turn.objects.filter(id=turn.id).update(status=Turn.Status.DONE)
        assert window.to_fold(loaded(alice, chat))


def test_it_is_refused_where_somebody_was_faster(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    fill(alice, chat, 40, WORDS)
    with alice.scope():
        context = loaded(alice, chat)
        messages = window.to_fold(context)
        late = summary_of(messages)
    assert compiled(alice, ask(alice, chat)).move.evicted
    with alice.scope():
        before = loaded(alice, chat)
        assert not window.fold_away(context, messages, late)
        after = loaded(alice, chat)
        assert (after.queue_from, after.summary_id) == (before.queue_from, before.summary_id)


def test_it_is_refused_where_the_branch_was_left(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    fill(alice, chat, 30, WORDS)
    with alice.scope():
        context = loaded(alice, chat)
        messages = window.to_fold(context)
        Message.objects.filter(id=messages[-1].id).update(is_abandoned=True)
        assert not window.fold_away(context, messages, summary_of(messages))
        assert loaded(alice, chat).queue_from == 1


def test_a_turn_plans_anew_where_the_background_was_faster(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    fill(alice, chat, 40, WORDS)
    turn = ask(alice, chat)
    with alice.scope():
        row = Turn.objects.select_related("context__agent__model", "context__conversation", "message").get(
            id=turn.id
        )
        context = loaded(alice, chat)
        messages = window.to_fold(context)
        assert window.fold_away(context, messages, made := summary_of(messages))
        # The turn has read its context before that.
        assert row.context.queue_from == 1
        compiled_now = window.compile_window(row)
        assert compiled_now.move.evicted is None
        after = loaded(alice, chat)
        assert (after.queue_from, after.summary_id) == (context.queue_from, made.id)
        assert list(summaries.standing(chat.conversation_id)) == [made]


def test_an_exchange_more_changes_nothing_about_it(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    fill(alice, chat, 30, WORDS)
    with alice.scope():
        context = loaded(alice, chat)
        messages = window.to_fold(context)
    exchange(alice, chat, "One more.")
    with alice.scope():
        assert window.fold_away(context, messages, summary_of(messages))
