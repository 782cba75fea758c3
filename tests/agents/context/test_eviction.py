"""What does not fit leaves the window by a pointer, in whole exchanges, and is folded into a summary."""

import json

from agents.context.tokens import DEFAULT, tokenizer
from agents.models import MainContext
from memory.models import Derivation, Message, Summary
from tests.agents.context.compiling import (
    add_call,
    ask,
    compiled,
    exchange,
    fill,
    give_model,
    queue_of,
    small_chat,
)
from tests.cast import Person


def fresh(alice: Person, chat: MainContext) -> MainContext:
    with alice.scope():
        return MainContext.objects.select_related("summary__previous").get(id=chat.id)


def stored(alice: Person, chat: MainContext) -> list[Message]:
    with alice.scope():
        rows = Message.objects.filter(conversation_id=chat.conversation_id)
        return list(rows.order_by("position"))


def test_it_moves_a_pointer_and_touches_no_message(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 40)
    turn = ask(alice, chat)
    before = [(each.id, each.content, each.position) for each in stored(alice, chat)]
    made = compiled(alice, turn)
    assert [(each.id, each.content, each.position) for each in stored(alice, chat)] == before
    context = fresh(alice, chat)
    assert context.queue_from > 1
    kept = [each.content for each in stored(alice, chat) if (each.position or 0) >= context.queue_from]
    assert [message["content"] for message in queue_of(made)] == kept


def test_it_evicts_whole_exchanges(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 20)
    earlier = ask(alice, chat, "Look it up, please.")
    for _ in range(3):
        add_call(alice, earlier, json.dumps({"status": "ok", "content": "word " * 60}))
    fill(alice, chat, 20)
    for _ in range(6):
        first = queue_of(compiled(alice, ask(alice, chat, "word " * 40)))[0]
        assert first["role"] == "user"


def test_it_keeps_the_present_turn(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 10)
    turn = ask(alice, chat, "Look it all up.")
    for _ in range(12):
        add_call(alice, turn, json.dumps({"status": "ok", "content": "word " * 100}))
    made = compiled(alice, turn)
    queue = queue_of(made)
    assert queue[0]["content"] == "Look it all up."
    assert len(queue) == 25
    assert made.used <= made.capacity
    assert "cleared to save room" in queue[2]["content"]
    assert "word word" in queue[-1]["content"]


def test_it_folds_what_left_into_a_summary_with_its_derivations(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 40)
    compiled(alice, ask(alice, chat))
    first = fresh(alice, chat).summary
    assert first is not None
    assert first.from_position == 1
    with alice.scope():
        parents = set(Derivation.objects.filter(child_id=first.id).values_list("parent_id", flat=True))
        evicted = Message.objects.filter(
            conversation_id=chat.conversation_id, position__lte=first.to_position
        )
        assert parents == set(evicted.values_list("id", flat=True))
    fill(alice, chat, 30)
    compiled(alice, ask(alice, chat))
    second = fresh(alice, chat).summary
    assert second is not None
    assert (second.previous_id, second.from_position) == (first.id, 1)
    assert second.to_position > first.to_position
    with alice.scope():
        assert Derivation.objects.filter(child_id=second.id, parent_id=first.id).exists()
        assert Summary.objects.filter(conversation_id=chat.conversation_id).count() == 2


def test_the_summary_keeps_standing_instructions_and_the_last_lines(alice: Person) -> None:
    chat = small_chat(alice)
    exchange(alice, chat, "From now on, always answer in Dutch.")
    exchange(alice, chat, "以后请用中文回答")
    fill(alice, chat, 80)
    made = compiled(alice, ask(alice, chat))
    summary = next(part.text for part in made.parts if part.kind == "summary")
    assert "always answer in Dutch" in summary
    assert "以后请用中文回答" in summary
    context = fresh(alice, chat)
    assert context.summary is not None
    assert tokenizer(DEFAULT).count(context.summary.content) <= 400
    assert f'<summary covers="{context.summary.to_position}">' in summary


def test_it_evicts_hundreds_at_once_for_a_model_with_a_small_window(alice: Person) -> None:
    chat = small_chat(alice, 1_000_000)
    fill(alice, chat, 200, "short")
    turn = ask(alice, chat)
    assert len(queue_of(compiled(alice, turn))) == 401
    give_model(alice, chat, window=4_000)
    made = compiled(alice, turn)
    assert made.used <= made.capacity
    assert fresh(alice, chat).queue_from > 250


def test_it_warns_before_it_evicts_and_is_quiet_after(alice: Person) -> None:
    chat = small_chat(alice)
    said = []
    for _ in range(40):
        exchange(alice, chat, "word " * 20)
        made = compiled(alice, ask(alice, chat))
        said.append(("pressure:" in str(made.messages()[-1]["content"]), fresh(alice, chat).queue_from))
    first_warning = said.index((True, 1))
    assert not said[0][0]
    first_eviction = next(place for place, (_, pointer) in enumerate(said) if pointer > 1)
    assert first_warning < first_eviction
    assert not said[first_eviction][0]
    assert any(warned for warned, pointer in said if pointer > 1)
