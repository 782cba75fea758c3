"""A window's parts are counted with the model's tokenizer; they sum to what is sent, within its capacity."""

import re

import pytest

from agents.context.parts import PartKind
from agents.context.tokens import tokenizer
from agents.context.window import WindowTooSmall, capacity
from agents.roster import AgentFields, update_agent
from tests.agents.context.compiling import ask, compiled, exchange, fill, give_model, small_chat, status_of
from tests.cast import Person


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "llama3", "qwen3"])
def test_the_parts_sum_to_what_is_sent(alice: Person, name: str) -> None:
    chat = small_chat(alice, 8_000, tokenizer=name)
    for words in ("我不吃香菜。", "I moved to Ghent.", "👩‍🚀 and ünïcode"):
        exchange(alice, chat, words)
    made = compiled(alice, ask(alice, chat))
    assert made.used == sum(made.tokens(kind) for kind in PartKind)
    assert all(made.tokens(kind) for kind in PartKind if kind not in {PartKind.SUMMARY, PartKind.SKILLS})
    assert made.used == tokenizer(name).count_request(made.messages(), made.tools())


def test_they_do_with_a_summary_and_instructions_that_end_oddly(alice: Person) -> None:
    chat = small_chat(alice)
    with alice.scope():
        update_agent(chat.agent_id, AgentFields(instructions="  Be brief. :/\n /  "))
    fill(alice, chat, 60)
    made = compiled(alice, ask(alice, chat))
    assert made.tokens(PartKind.SUMMARY)
    assert made.used == tokenizer("o200k_base").count_request(made.messages(), made.tools())


def test_each_block_is_a_part_of_its_own(alice: Person) -> None:
    chat = small_chat(alice)
    made = compiled(alice, ask(alice, chat))
    assert [part.about["label"] for part in made.of(PartKind.BLOCK)] == ["persona", "human"]
    assert [part.text for part in made.of(PartKind.CORE)] == ["<core_memory>\n", "</core_memory>"]
    counter = tokenizer("o200k_base")
    for part in made.of(PartKind.BLOCK, PartKind.CORE):
        assert part.tokens == counter.count(part.text)


def test_it_stays_within_the_capacity_however_long_the_chat(alice: Person) -> None:
    chat = small_chat(alice)
    fill(alice, chat, 60)
    made = compiled(alice, ask(alice, chat))
    assert made.used <= made.capacity == capacity(4_000) < made.size == 4_000
    assert made.tokens(PartKind.SUMMARY)


def test_it_says_the_figures_at_the_end(alice: Person) -> None:
    alice.user.time_zone = "Asia/Shanghai"
    alice.user.save(update_fields=["time_zone"])
    chat = small_chat(alice)
    fill(alice, chat, 60)
    made = compiled(alice, ask(alice, chat))
    status = status_of(made)
    with alice.scope():
        chat.refresh_from_db()
    assert f"recall: {chat.queue_from - 1} earlier messages" in status
    assert "archive: 0 passages" in status
    assert "of 4000 tokens" in status
    assert made.messages()[-1] == {"role": "system", "content": status}


def test_it_counts_anew_for_another_model(alice: Person) -> None:
    chat = small_chat(alice, 32_000)
    fill(alice, chat, 100, "我不吃香菜。" * 20)
    turn = ask(alice, chat)
    before = compiled(alice, turn)
    give_model(alice, chat, window=8_000, tokenizer="cl100k_base")
    after = compiled(alice, turn)
    assert before.used > 8_000 > after.capacity >= after.used
    assert after.tokens(PartKind.SYSTEM) == 4 + tokenizer("cl100k_base").count(after.parts[0].text)
    give_model(alice, chat, window=32_000)
    assert compiled(alice, turn).size == 32_000


def test_it_leaves_room_where_the_provider_counts_more_than_we_do(alice: Person) -> None:
    chat = small_chat(alice, usage_ratio=1.25, window=8_000)
    fill(alice, chat, 300)
    made = compiled(alice, ask(alice, chat))
    assert made.capacity == int(capacity(8_000) / 1.25)
    assert made.used <= made.capacity
    assert made.used * 1.25 <= made.filled <= capacity(8_000)
    (told,) = re.findall(r"window: (\d+) of 8000 tokens", status_of(made))
    assert abs(int(told) - made.filled) <= 2


def test_it_says_where_instructions_alone_fill_the_window(alice: Person) -> None:
    chat = small_chat(alice)
    with alice.scope():
        update_agent(chat.agent_id, AgentFields(instructions="Be brief. " * 900))
    with pytest.raises(WindowTooSmall, match="Shorten the instructions"):
        compiled(alice, ask(alice, chat))
