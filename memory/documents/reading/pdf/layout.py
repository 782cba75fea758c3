"""Lines of a page put together: paragraphs, lists, headings, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory.documents import tables
from memory.documents.pieces import Part, PieceKind
from memory.documents.reading.pdf.aligned import table_at
from memory.documents.reading.pdf.headings import LENGTH_MAX, Outline, Sizes, is_running
from memory.documents.reading.pdf.page import HYPHEN, Line, Page
from memory.documents.reading.pdf.ruled import Grid, grids
from memory.documents.reading.text import is_item
from memory.lexical import HAN, KANA

APART = 0.75
"""How far below one another, in heights of the text, lines of two paragraphs are at least."""
SHORT = 0.85
"""Up to which part of a paragraph's width a line is short: after a full stop, it is the last one."""
JOINED_MAX = 4_000
"""A paragraph is not continued on the next page when it is this long already."""
_EAST = re.compile(rf"[{HAN}{KANA}\u3000-\u303f\uff00-\uffef]")
_END = re.compile(r"[.!?:;。！？：；…]['\"”’」』)）]*$")


def parts_of(page: Page, sizes: Sizes, running: set[Outline]) -> Iterator[Part]:
    """The parts of a page in the order in which they were drawn; running heads are left out."""
    paragraph: list[Line] = []
    for found in _lines_and_tables(page, running):
        if isinstance(found, Line) and not (paragraph and _begins(found, paragraph, sizes)):
            paragraph.append(found)
            continue
        yield from _flowing(paragraph, page.number, sizes)
        paragraph = []
        if isinstance(found, Line):
            paragraph.append(found)
        else:
            yield found
    yield from _flowing(paragraph, page.number, sizes)


def _lines_and_tables(page: Page, running: set[Outline]) -> Iterator[Line | Part]:
    """A table comes where its first line was drawn."""
    drawn = grids(page.strokes)
    lines = [each for each in page.lines if _table_of(each, drawn) or not is_running(each, page, running)]
    told: set[Grid] = set()
    index = 0
    while index < len(lines):
        grid = _table_of(lines[index], drawn)
        rows = [] if grid else table_at(lines, index)
        if grid is None and not rows:
            yield lines[index]
        elif grid is None:
            yield from _table(rows, page.number)
        elif grid not in told:
            told.add(grid)
            yield from _table(grid.cells(line for line in lines if grid.holds(line)), page.number)
        index += max(len(rows), 1)


def _table_of(line: Line, found: Sequence[Grid]) -> Grid | None:
    return next((grid for grid in found if grid.holds(line)), None)


def _table(rows: list[list[str]], page: int) -> Iterator[Part]:
    text, header = tables.table(rows)
    if text:
        yield Part(PieceKind.TABLE, text, header=header, page=page)


def _begins(line: Line, paragraph: list[Line], sizes: Sizes) -> bool:
    """Whether a paragraph begins with a line, after the lines before it."""
    last = paragraph[-1]
    if sizes.level(line) != sizes.level(paragraph[0]) or is_item(line.text):
        return True
    if abs(line.size - last.size) > 0.1 * last.size:
        return True
    if line.bottom > last.bottom:  # another column
        return _END.search(last.text) is not None
    if last.bottom - line.top > APART * line.size:
        return True
    return _END.search(last.text) is not None and _is_last(last, paragraph, line)


def _is_last(last: Line, paragraph: list[Line], after: Line) -> bool:
    """Whether a line that ends a sentence ends its paragraph: it is short, or the next one is indented."""
    left, right = min(line.left for line in paragraph), max(line.right for line in (*paragraph, after))
    return last.right - left < SHORT * (right - left) or after.left > left + 0.8 * after.size


def _flowing(paragraph: list[Line], page: int, sizes: Sizes) -> Iterator[Part]:
    if not paragraph:
        return
    text = ""
    for line in paragraph:
        text = joined(text, line.text)
    level = sizes.level(paragraph[0])
    if level and len(text) <= 2 * LENGTH_MAX:
        yield Part(PieceKind.HEADING, text, level=level, page=page)
    elif is_item(paragraph[0].text):
        yield Part(PieceKind.LIST, text, page=page)
    else:
        yield Part(PieceKind.PARAGRAPH, text, page=page)


def joined(text: str, more: str) -> str:
    """Two lines as one: words that were broken whole again, and Chinese without a space."""
    if text.endswith(HYPHEN):
        return text[: -len(HYPHEN)] + more
    if not text or (_EAST.match(text[-1]) and _EAST.match(more[:1])):
        return text + more
    return f"{text} {more}"


def over_pages(parts: Iterator[Part]) -> Iterator[Part]:
    """Parts of all pages, with what goes on over the end of a page put together.

    A table that goes on keeps the header that it began with, and a header that was printed again is dropped.
    """
    last: Part | None = None
    for part in parts:
        if last is None:
            last = part
        elif _is_one(last, part):
            last = replace(last, text=joined(last.text, part.text), last_page=part.page)
        elif last.kind == part.kind == PieceKind.LIST:
            yield last
            last = replace(part, gap="\n")
        else:
            yield last
            last = _continued(last, part)
    if last is not None:
        yield last


def _is_one(last: Part, part: Part) -> bool:
    """Whether a sentence goes on at the top of the next page."""
    if not last.kind == part.kind == PieceKind.PARAGRAPH or part.page == (last.last_page or last.page):
        return False
    return _END.search(last.text) is None and len(last.text) < JOINED_MAX


def _continued(last: Part, part: Part) -> Part:
    """A table after the same table on the page before: its rows only, under the header of the first."""
    if not last.kind == part.kind == PieceKind.TABLE or part.page == last.page:
        return part
    columns = last.header.partition("\n")[2]
    first, _, rest = part.text.partition("\n")
    rule, _, rows = rest.partition("\n")
    if rule != columns:
        return part
    text = rows if f"{first}\n{rule}" == last.header else f"{first}\n{rows}"
    return replace(part, text=text, header=last.header, gap="\n") if text else part
