"""However long a text is, a bounded part of it is parsed as Markdown, and all of it is shown."""

from __future__ import annotations

import re
from html import unescape

import pytest
from markdown_it.token import Token

from agents.web import markdown
from agents.web.markdown import MARKS_AT_MOST, RENDER_AT_MOST, render

LONG = [
    "[" * 60_000,
    ("[" * 60_000 + "\n\n") * 4,
    "a\n\n" * 100_000,
    "- a\n" * 80_000,
    ("(*a **b " * 9000 + "\n\n") * 5,
]


def shown(html: str) -> str:
    """What a reader sees, without any space."""
    return "".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


@pytest.mark.parametrize("text", LONG)
def test_it_parses_a_bounded_part(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    real = markdown._splitter.parse

    def counted(source: str) -> list[Token]:
        parsed.append(len(source))
        return real(source)

    monkeypatch.setattr(markdown._splitter, "parse", counted)
    html = render(text)
    assert sum(parsed) <= 4 * RENDER_AT_MOST
    assert html.count("<p>") + html.count("<li>") <= RENDER_AT_MOST // 3 + 1
    assert html.count('<pre class="plain">') <= 3


@pytest.mark.parametrize("text", ["[" * 60_000, ("word " * 30 + "\n\n") * 1000, "[<b>" * 30_000])
def test_it_shows_all_of_a_text_too_long_to_parse(text: str) -> None:
    assert shown(render(text)) == "".join(text.split())


def test_it_begins_as_markdown_and_goes_on_as_written() -> None:
    html = render("**b**\n\n" + "word *w*\n\n" * 10_000)
    assert html.startswith("<p><strong>b</strong></p>")
    assert html.endswith("\n\nword *w*\n\n</pre>\n")
    assert html.count("<pre") == 1


def test_it_leaves_a_paragraph_of_too_many_marks_as_written() -> None:
    dense = "[" * (MARKS_AT_MOST + 1)
    assert render(f"*a*\n\n{dense}\n\n*b*") == (
        f'<p><em>a</em></p>\n<pre class="plain">{dense}\n\n</pre>\n<p><em>b</em></p>\n'
    )


def test_it_does_not_count_the_marks_of_code() -> None:
    assert 'class="code"' in render("```\n" + "x[0] = y[1]\n" * MARKS_AT_MOST + "```")


def test_it_keeps_the_dots_after_an_address_out_of_it() -> None:
    assert 'href="https://a.example/x"' in render("https://a.example/x...)")
