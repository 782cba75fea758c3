"""Markdown by CommonMark with tables: rendered, and read as the page that a person would see.

So comments, and text that HTML among it hides, are not read, nor is anything but the text of links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt

from memory.documents.decoding import source
from memory.documents.pieces import Part, PieceKind
from memory.documents.reading import html

NESTING = 100
"""How deeply lists and quotes may lie in one another; what lies deeper is left out."""
_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)(?:---|\.\.\.)\n", re.S)


def read(data: bytes, language: str) -> Iterator[Part]:
    """The parts of a Markdown text; what stands between two rules at its top is kept as it is."""
    text = source(data)
    if front := _FRONT_MATTER.match(text):
        yield Part(PieceKind.CODE, front[1])
        text = text[front.end() :]
    yield from html.parts(MarkdownIt("commonmark", {"maxNesting": NESTING}).enable("table").render(text))
