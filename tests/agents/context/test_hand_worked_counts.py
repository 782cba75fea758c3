"""Counts in `o200k_base`, worked out by hand: each text is written down piece by piece, a piece for a token.

The frames are those of chat completions: 4 tokens around a message, 8 around a call, 3 for the head of the
answer.
"""

import pytest

from agents.context.parts import PartKind
from agents.context.tokens import tokenizer
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tests.agents.context.compiling import add_call, ask, compiled, exchange, small_chat
from tests.cast import Person

PIECES = {
    "I moved to Ghent.": ["I", " moved", " to", " Gh", "ent", "."],
    "我不吃香菜。": ["我", "不", "吃", "香", "菜", "。"],
    "I see.": ["I", " see", "."],
    "And now?": ["And", " now", "?"],
    '{"label": "human"}': ['{"', "label", '":', ' "', "human", '"}'],
    '{"status": "ok"}': ['{"', "status", '":', ' "', "ok", '"}'],
    "<core_memory>\n": ["<", "core", "_memory", ">\n"],
    "</core_memory>": ["</", "core", "_memory", ">"],
    "message_read": ["message", "_read"],
    "Prices: £ 1,250.50\n\n": ["Prices", ":", " £", " ", "1", ",", "250", ".", "50", "\n\n"],
}


@pytest.mark.parametrize("text", PIECES)
def test_a_text_takes_a_token_for_each_of_its_pieces(text: str) -> None:
    counter = tokenizer("o200k_base")
    assert "".join(PIECES[text]) == text
    assert [counter.count(piece) for piece in PIECES[text]] == [1] * len(PIECES[text])
    assert counter.count(text) == len(PIECES[text])


def test_the_messages_of_a_queue(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    exchange(alice, chat, "I moved to Ghent.", "I see.")
    exchange(alice, chat, "我不吃香菜。", "I see.")
    turn = ask(alice, chat, "And now?")
    add_call(alice, turn, '{"status": "ok"}', '{"label": "human"}')
    made = compiled(alice, turn)
    by_hand = [
        4 + 6,  # I moved to Ghent.
        4 + 3,  # I see.
        4 + 6,  # 我不吃香菜。
        4 + 3,  # I see.
        4 + 3,  # And now?
        4 + 8 + 2 + 6,  # a call: message_read, {"label": "human"}
        4 + 6,  # its result: {"status": "ok"}
    ]
    assert [each.tokens for each in made.queue] == by_hand == [10, 7, 10, 7, 7, 20, 10]
    assert made.tokens(PartKind.QUEUE) == 71


def test_core_memory_of_one_block(alice: Person) -> None:
    chat = small_chat(alice, 8_000)
    with alice.scope():
        persona, human = (
            Block.objects.get(label=label, attachments__agent=chat.agent) for label in ("persona", "human")
        )
        core.edit_block(
            human.id,
            BlockFields(value="I moved to Ghent.", description="And now?"),
            expected_version=1,
            actor=core.by_me(),
        )
        core.delete_block(persona.id)
    made = compiled(alice, ask(alice, chat))
    assert made.tokens(PartKind.CORE) == 4 + 4  # <core_memory>\n and </core_memory>
    pieces = [
        *["<", "block", " label", '="', "human", '"', " used", '="', "17", '"', " limit", '="', "200", "0"],
        *['"', " unit", '="', "characters", '">\n'],
        *["<", "description", ">", "And", " now", "?</", "description", ">\n"],
        *["<", "value", ">\n", "I", " moved", " to", " Gh", "ent", ".\n", "</", "value", ">\n"],
        *["</", "block", ">\n"],
    ]
    (block,) = made.of(PartKind.BLOCK)
    assert "".join(pieces) == block.text
    assert block.tokens == len(pieces) == 42


def test_the_status_counts_the_head_of_the_answer(alice: Person) -> None:
    made = compiled(alice, ask(alice, small_chat(alice, 8_000)))
    status = made.text(PartKind.STATUS)
    assert made.tokens(PartKind.STATUS) == 4 + 3 + tokenizer("o200k_base").count(status)
