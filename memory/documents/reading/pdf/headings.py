"""Which lines of a PDF are headings, and which repeat on its pages. Both show over the whole document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.documents.reading.pdf.page import Line, Page

LARGER = 1.12
"""How much larger than the body's text a heading is at least."""
LENGTH_MAX = 200
LEVELS = 4
BOLD_MOST = 0.3
SMALL = 1.05
MARGIN = 0.08
"""Which part of a page's height counts as its top and its bottom."""
PAGES_LEAST = 3
Outline = tuple[str, float]
"""By what a line is known on other pages: its text with 0 in the place of numbers, and its height."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–— ]*(?:page|p\.|seite|第)? ?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?: ?(?:of|/|von|[页頁]) ?[共,，]? ?\d{0,4} ?[页頁]?)?[-–— ]*",
    re.I,
)
_NO_HEADING = re.compile(r"(?:[.…·] ?){5,}")  # a line of a table of contents
_SENTENCE_END = re.compile(r"[.。:：;；,，!！?？]$")


@dataclass(frozen=True)
class Sizes:
    """The height of the body's text, those of headings, the largest first, and whether bold stands out."""

    body: float
    headings: tuple[float, ...]
    bold_stands_out: bool

    def level(self, line: Line) -> int:
        """The level of a line as a heading, from 1; 0 where it is none."""
        text = line.text
        if len(text) > LENGTH_MAX or _NO_HEADING.search(text) or not any(map(str.isalpha, text)):
            return 0
        if line.size >= self.body * LARGER:
            larger = sum(size > line.size * 1.03 for size in self.headings)
            return min(larger + 1, LEVELS)
        return min(len(self.headings) + 1, LEVELS + 1) if self._is_bold_heading(line, text) else 0

    def _is_bold_heading(self, line: Line, text: str) -> bool:
        if not (line.is_bold and self.bold_stands_out and line.size >= self.body * 0.95):
            return False
        return len(text) <= LENGTH_MAX // 2 and not _SENTENCE_END.search(text)


def sizes_of(pages: Iterable[Page]) -> Sizes:
    """The heights of a document's texts. Bold stands out where little of the text is bold."""
    weights: Counter[float] = Counter()
    bold = 0
    for page in pages:
        for line in page.lines:
            length = sum(len(word.text) for word in line.words)
            weights[line.size] += length
            bold += length * line.is_bold
    body = _median(weights)
    large = sorted((size for size in weights if size >= body * LARGER), reverse=True)
    distinct: list[float] = []
    for size in large:
        if not distinct or size < distinct[-1] / 1.03:
            distinct.append(size)
    return Sizes(body, tuple(distinct[:LEVELS]), bold < weights.total() * BOLD_MOST)


def _median(weights: Counter[float]) -> float:
    half = weights.total() / 2
    for size in sorted(weights):
        half -= weights[size]
        if half <= 0:
            return size
    return 0.0


def repeated(pages: Sequence[Page], sizes: Sizes) -> set[Outline]:
    """What stands at the top or bottom of half the pages or more, and is no larger than the body's text."""
    found: Counter[Outline] = Counter()
    for page in pages:
        lines = (line for line in page.lines if _is_at_edge(line, page) and line.size <= sizes.body * SMALL)
        found.update({_outline(line) for line in lines})
    least = max(PAGES_LEAST, len(pages) / 2)
    return {text for text, count in found.items() if count >= least}


def is_running(line: Line, page: Page, running: set[Outline]) -> bool:
    """Whether a line is a page's number, or one of the running heads."""
    if not _is_at_edge(line, page):
        return False
    return _PAGE_NUMBER.fullmatch(line.text) is not None or _outline(line) in running


def _is_at_edge(line: Line, page: Page) -> bool:
    return line.bottom > page.height * (1 - MARGIN) or line.top < page.height * MARGIN


def _outline(line: Line) -> Outline:
    return _DIGITS.sub("0", line.text), line.size
