"""A window's parts are counted with the model's tokenizer, and never pass its capacity."""

import pytest

from agents.context.parts import PartKind
from agents.context.tokens import tokenizer
from agents.context.window import WindowTooSmall, capacity
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tests.agents.context.compiling import ask, compiled, exchange, fill, give_model, small_chat, status_of
from tests.cast import Person


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "llama3", "qwen3"])
def test_it_counts_each_part_and_all_of_them(alice: Person, name: str) -> None:
    chat = small_chat(alice, 8_000, tokenizer=name)
    for words in ("我不吃香菜。", "I moved to Ghent.", "👩‍🚀 and ünïcode"):
        exchange(alice, chat, words)
    made = compiled(alice, ask(alice, chat))
    assert made.used == sum(made.tokens(kind) for kind in PartKind)
    assert all(made.tokens(kind) for kind in PartKind if kind not in {PartKind.SUMMARY, PartKind.SKILLS})
    whole = tokenizer(name).count_request(made.messages(), made.tools())
    assert abs(made.used - whole) <= 8


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


def test_it_says_where_memory_alone_fills_the_window(alice: Person) -> None:
    chat = small_chat(alice)
    with alice.scope():
        block = Block.objects.get(label="persona", attachments__agent=chat.agent)
        fields = BlockFields(value="香" * 5000)
        core.edit_block(block.id, fields, expected_version=1, actor=core.by_me())
    with pytest.raises(WindowTooSmall, match="Shorten a block"):
        compiled(alice, ask(alice, chat))
