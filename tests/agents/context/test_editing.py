"""Old tool results become placeholders once a prompt is long: they stay so, and can be read again."""

import json
import uuid
from typing import Any

from agents.context.parts import PartKind, Window
from agents.context.settings import checked
from agents.context.tokens import tokenizer
from agents.models import Agent, MainContext, Turn
from agents.tools import catalog
from agents.tools.base import ToolContext
from tests.agents.context.compiling import add_call, ask, compiled, queue_of, small_chat
from tests.cast import Person

LONG = json.dumps({"status": "ok", "content": "word " * 100})


def clearing_chat(alice: Person, size: int = 32_000, **clearing: Any) -> MainContext:
    chat = small_chat(alice, size)
    settle(alice, chat, **clearing)
    return chat


def settle(alice: Person, chat: MainContext, **clearing: Any) -> None:
    with alice.scope():
        Agent.objects.filter(id=chat.agent_id).update(context=checked({"clear_tool_uses": clearing}))


def uses(count: int) -> dict[str, Any]:
    return {"type": "tool_uses", "value": count}


def tokens(count: int) -> dict[str, Any]:
    return {"type": "input_tokens", "value": count}


def cleared(made: Window) -> list[bool]:
    """For each tool result in the window, whether it is a placeholder."""
    return ["[cleared" in each["content"] for each in queue_of(made) if each["role"] == "tool"]


def with_calls(alice: Person, chat: MainContext, count: int, name: str = "message_read") -> Turn:
    turn = ask(alice, chat, "Look it up.")
    for _ in range(count):
        add_call(alice, turn, LONG, json.dumps({"id": str(uuid.uuid4())}), name)
    return turn


def test_it_clears_all_but_the_last_ones_at_the_trigger(alice: Person) -> None:
    chat = clearing_chat(alice, trigger=uses(4), keep=uses(2), clear_at_least=tokens(0))
    turn = with_calls(alice, chat, 4)
    assert cleared(compiled(alice, turn)) == [False] * 4
    add_call(alice, turn, LONG)
    made = compiled(alice, turn)
    assert cleared(made) == [True, True, True, False, False]
    assert made.move.cleared == {"results": 3, "tokens": made.move.cleared["tokens"]}  # type: ignore[index]
    assert made.used == tokenizer("o200k_base").count_request(made.messages(), made.tools())


def test_it_triggers_at_tokens_of_the_whole_prompt(alice: Person) -> None:
    chat = clearing_chat(alice, keep=uses(1), clear_at_least=tokens(0))
    turn = with_calls(alice, chat, 3)
    whole = compiled(alice, turn).used
    settle(alice, chat, trigger=tokens(whole + 500), keep=uses(1), clear_at_least=tokens(0))
    assert cleared(compiled(alice, turn)) == [False] * 3
    settle(alice, chat, trigger=tokens(whole - 500), keep=uses(1), clear_at_least=tokens(0))
    assert cleared(compiled(alice, turn)) == [True, True, False]


def test_its_own_trigger_is_half_of_what_a_prompt_may_take(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    turn = with_calls(alice, chat, 4)
    made = compiled(alice, turn)
    assert made.used < made.capacity // 2
    assert not any(cleared(made))
    while made.used < made.capacity // 2 and not made.move.cleared:
        add_call(alice, turn, LONG)
        made = compiled(alice, turn)
    assert cleared(made)[-3:] == [False] * 3
    assert all(cleared(made)[:-3])


def test_it_clears_nothing_that_frees_too_little(alice: Person) -> None:
    chat = clearing_chat(alice, trigger=uses(1), keep=uses(1), clear_at_least=tokens(100))
    turn = with_calls(alice, chat, 2)
    assert cleared(compiled(alice, turn)) == [False, False]
    add_call(alice, turn, LONG)
    assert cleared(compiled(alice, turn)) == [True, True, False]


def test_it_leaves_the_results_of_excluded_tools(alice: Person) -> None:
    chat = clearing_chat(
        alice, trigger=uses(1), keep=uses(1), clear_at_least=tokens(0), exclude_tools=["skill_load"]
    )
    turn = with_calls(alice, chat, 1)
    add_call(alice, turn, LONG, name="skill_load")
    add_call(alice, turn, LONG)
    add_call(alice, turn, LONG)
    assert cleared(compiled(alice, turn)) == [True, False, True, False]


def test_what_was_cleared_stays_cleared_until_it_leaves(alice: Person) -> None:
    chat = clearing_chat(alice, trigger=uses(4), keep=uses(2), clear_at_least=tokens(0))
    turn = with_calls(alice, chat, 5)
    first = queue_of(compiled(alice, turn))
    add_call(alice, turn, LONG)
    made = compiled(alice, turn)
    assert made.move.cleared is None
    assert queue_of(made)[: len(first)] == first
    assert cleared(made) == [True, True, True, False, False, False]


def test_it_is_off_where_it_is_turned_off(alice: Person) -> None:
    chat = small_chat(alice, 32_000)
    with alice.scope():
        Agent.objects.filter(id=chat.agent_id).update(context=checked({"clear_tool_uses": None}))
    turn = with_calls(alice, chat, 40)
    made = compiled(alice, turn)
    assert made.used > made.capacity // 5
    assert cleared(made) == [False] * 40


def test_inputs_go_only_where_that_is_asked_for_and_stay_json(alice: Person) -> None:
    given = {"trigger": uses(1), "keep": uses(1), "clear_at_least": tokens(0)}
    chat = clearing_chat(alice, **given)
    turn = ask(alice, chat, "File it.")
    for _ in range(3):
        add_call(alice, turn, LONG, json.dumps({"content": "word " * 100}), "archival_memory_insert")
    assert all("word" in shown for shown in inputs(compiled(alice, turn)))
    settle(alice, chat, **given, clear_tool_inputs=True)
    first, second, last = inputs(compiled(alice, turn))
    assert [list(json.loads(each)) for each in (first, second)] == [["cleared"], ["cleared"]]
    assert "word" in last


def inputs(made: Window) -> list[str]:
    return [call["function"]["arguments"] for each in queue_of(made) for call in each.get("tool_calls", ())]


def test_the_placeholders_lead_to_what_they_stand_for(alice: Person) -> None:
    chat = clearing_chat(
        alice, trigger=uses(1), keep=uses(1), clear_at_least=tokens(0), clear_tool_inputs=True
    )
    turn = ask(alice, chat, "File it.")
    for _ in range(2):
        add_call(alice, turn, LONG, json.dumps({"content": "word " * 100}), "archival_memory_insert")
    queue = compiled(alice, turn).queue
    asked, answered = queue[1], queue[2]
    assert str(answered.message.id) in answered.shown["content"]
    assert read_again(alice, turn, answered.message.id) == LONG
    placeholder = asked.shown["tool_calls"][0]["function"]["arguments"]
    assert str(asked.message.id) in placeholder
    assert "word word" in read_again(alice, turn, asked.message.id)


def read_again(alice: Person, turn: Turn, message_id: uuid.UUID) -> str:
    """What the tool that the placeholder names answers."""
    with alice.scope():
        row = Turn.objects.select_related("context__agent", "context__conversation", "message").get(
            id=turn.id
        )
        context = ToolContext(row, row.context.agent, row.context.conversation, row.message)
        found = json.loads(catalog.run(context, "message_read", json.dumps({"id": str(message_id)})))
    content: str = found["content"]
    return content


def test_a_short_result_is_shorter_than_its_placeholder_and_stays(alice: Person) -> None:
    chat = clearing_chat(alice, trigger=uses(1), keep=uses(1), clear_at_least=tokens(0))
    turn = ask(alice, chat, "Note it.")
    add_call(alice, turn, '{"status": "ok"}')
    add_call(alice, turn, LONG)
    add_call(alice, turn, LONG)
    made = compiled(alice, turn)
    assert cleared(made) == [False, True, False]
    assert made.tokens(PartKind.QUEUE) == sum(each.tokens for each in made.queue)
