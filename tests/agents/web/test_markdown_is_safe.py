"""Whatever a model or a person writes, the page gets text and a short list of harmless elements."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from agents.web.markdown import render

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://elsewhere.example/pixel.png)",
    "![x](data:image/svg+xml;base64,AAAA)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "<javascript:alert(1)>",
    '[x](https://a.example "onclick=alert(1)")',
    '```x" onclick="alert(1)\ncode\n```',
    "```\n</code></pre><script>alert(1)</script>\n```",
    "```html\n<script>alert(1)</script>\n```",
    '<hx-partial hx-target="body">gone</hx-partial>',
    '<div hx-get="/logout" hx-trigger="load">',
    "<iframe src=//elsewhere.example></iframe>",
    "<svg><style><!--</style><img src=x onerror=alert(1)>",
    "| a |\n|:-:|\n| <b onmouseover=x>y</b> |",
    "https://a.example/<script>alert(1)</script>",
    'https://a.example/"onmouseover="alert(1)',
    "[a]: javascript:alert(1)\n\n[a]",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\x00<script>\x00alert(1)</script>",
]
TAGS = {
    *(
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "s",
        "code",
        "pre",
        "span",
        "a",
        "blockquote",
        "ul",
        "ol",
        "li",
        "div",
    ),
    "div",
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "button"),
}
ATTRIBUTES = {"href", "title", "class", "start", "rel", "target", "type", "data-copy", "tabindex"}


class Found(HTMLParser):
    """Collects the elements and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def found_in(html: str) -> Found:
    found = Found()
    found.feed(html)
    return found


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("typed", [False, True])
def test_it_lets_only_harmless_elements_through(attack: str, typed: bool) -> None:
    found = found_in(render(attack, typed=typed))
    assert found.tags <= TAGS
    assert {name for name, _ in found.attributes} <= ATTRIBUTES
    links = [value for name, value in found.attributes if name == "href"]
    assert all((link or "").startswith(("https://", "http://", "mailto:")) for link in links)


def test_it_sends_no_referrer_and_no_rank_to_what_is_linked() -> None:
    attributes = dict(found_in(render("[x](https://a.example) and https://b.example/c.")).attributes)
    assert attributes["rel"] == "noopener noreferrer nofollow"
    assert attributes["href"] == "https://b.example/c"


def test_it_uses_classes_where_markdown_has_styles() -> None:
    html = render("| a | b |\n|:-:|--:|\n| 1 | 2 |")
    assert 'class="center"' in html
    assert "style" not in html


def test_it_loses_no_text_of_a_deep_or_huge_block() -> None:
    assert "the end" in render("> " * 30 + "the end")
    assert "the end" in render("word " * 300_000 + "the end")


def test_it_keeps_line_breaks_that_a_person_typed() -> None:
    assert render("a\nb", typed=True) == "<p>a<br>\nb</p>\n"
    assert render("a\nb") == "<p>a\nb</p>\n"
