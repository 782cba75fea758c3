"""A streamed answer finishes each block once, and ends as the same page that a whole rendering gives."""

from __future__ import annotations

import random

import pytest

from agents.web import markdown
from agents.web.markdown import BlockStream, render

LINES = [
    *("para", "text `x", "***bold", "[a]: http://b.example", "[a]", "中文，没有空格", "", "", "&amp;"),
    *("#", "# head", "===", "---", "***", "> quote", ">", "    indented", "\tz", "```", "```python", "~~~"),
    *("- a", "-", "  b", "  - n", "+ l", "1. x", "1.", "2) y", "| a | b |", "|---|---:|", "\x0b", " "),
    *("<div>", "\u2028x"),
]


def streamed(text: str, sizes: random.Random) -> str:
    stream, finished, offset = BlockStream(), "", 0
    while offset < len(text):
        size = sizes.randint(1, 9)
        finished += stream.feed(text[offset : offset + size]).finished
        offset += size
    return finished + stream.close().finished


def test_it_ends_as_the_whole_rendering_whatever_the_pieces() -> None:
    dice = random.Random(7)
    for _round in range(400):
        text = "\n".join(dice.choice(LINES) for _ in range(dice.randint(1, 14)))
        assert streamed(text, dice) == render(text), text


def test_it_finishes_a_block_only_when_no_later_line_can_change_it() -> None:
    stream = BlockStream()
    assert stream.feed("first\n\nsec").finished == "<p>first</p>\n"
    assert stream.feed("ond\n#").finished == ""
    assert stream.feed("tag goes on\n\nthird").finished == "<p>second\n#tag goes on</p>\n"


def test_it_shows_the_open_block_while_it_is_written() -> None:
    stream = BlockStream()
    assert stream.feed("Hello **wor").open == "<p>Hello **wor</p>\n"
    assert stream.feed("ld**").open == "<p>Hello <strong>world</strong></p>\n"


def test_it_joins_a_line_break_that_was_cut_in_two() -> None:
    stream = BlockStream()
    stream.feed("a\r")
    stream.feed("\nb")
    assert stream.close().finished == "<p>a\nb</p>\n"


@pytest.mark.parametrize("block", ["- item one two\n", "x = 1 ", "|a|b|\n", "> said\n", "一二三四五六七八。"])
def test_it_looks_seldom_at_a_huge_open_block(block: str) -> None:
    """The work is bounded, not the time: few looks at an open block that grows and grows."""
    looks = 0
    stream = BlockStream()
    for _piece in range(300_000 // (len(block) * 4)):
        looks += stream.feed(block * 4).open is not None
    assert looks < 1000
    assert stream.close().finished


@pytest.mark.parametrize("most", [1, 10, 30, 60])
def test_it_ends_as_the_whole_rendering_where_a_text_is_too_long(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "RENDER_AT_MOST", most)
    monkeypatch.setattr(markdown, "MARKS_AT_MOST", 4)
    dice = random.Random(most)
    for _round in range(400):
        text = "\n".join(dice.choice(LINES) for _ in range(dice.randint(1, 20)))
        assert streamed(text, dice) == render(text), text
