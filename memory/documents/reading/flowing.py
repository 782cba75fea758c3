"""Elements that open and close, put together as headings, paragraphs, lists, tables and code.

Knows nothing of where they come from: HTML (`memory.documents.reading.html`) and Word
(`memory.documents.reading.word`) both tell it of elements by the names of HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memory.documents import tables
from memory.documents.pieces import Part, PieceKind

HEADINGS = {f"h{level}": level for level in range(1, 7)}
INLINE = frozenset(
    (
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
        *(
            "font",
            "i",
            "img",
            "ins",
            "kbd",
            "label",
            "mark",
            "nobr",
            "q",
            "ruby",
            "rb",
            "rt",
            "s",
            "samp",
            "small",
        ),
        *("span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
LISTS = frozenset(("ul", "ol", "menu", "dir"))
SPAN_MAX = 50
_SPACES = re.compile(r"[^\S\n]+")
_ANY_SPACES = re.compile(r"\s+")
_AROUND_BREAKS = re.compile(r" ?\n ?")


@dataclass
class _Table:
    """A table that is open: its rows, and the cells that reach down into later rows, by column."""

    rows: list[list[str]] = field(default_factory=list)
    reaching: dict[int, int] = field(default_factory=dict)
    span: int = 0

    def row(self) -> None:
        self.rows.append([])
        self.span = 0

    def cell(self, attributes: Mapping[str, str | None]) -> None:
        if not self.rows:
            self.row()
        row = self.rows[-1]
        row.extend([""] * (self.span if len(row) < tables.COLUMNS_MAX else 0))
        while self.reaching.get(len(row), 0) > 0 and len(row) < tables.COLUMNS_MAX:
            self.reaching[len(row)] -= 1
            row.append("")
        if down := _span(attributes, "rowspan"):
            self.reaching[len(row)] = down
        self.span = _span(attributes, "colspan")
        row.append("")

    def add(self, text: str) -> None:
        if not self.rows or not self.rows[-1]:
            self.cell({})
        self.rows[-1][-1] = f"{self.rows[-1][-1]} {text}".strip()


def _span(attributes: Mapping[str, str | None], name: str) -> int:
    """How many more cells a cell covers."""
    value = (attributes.get(name) or "").strip()
    return min(int(value), SPAN_MAX) - 1 if value.isdecimal() and len(value) < 5 and int(value) > 1 else 0


class Flow:
    """Is told of elements and texts, and gives parts."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._inline: list[str] = []
        self._heading = 0
        self._pre = 0
        self._lists: list[int | None] = []
        self._lines: list[str] = []
        self._mark = ""
        self._tables: list[_Table] = []

    def take(self) -> Iterator[Part]:
        """The parts that are complete, each once."""
        parts, self._parts = self._parts, []
        return iter(parts)

    def text(self, text: str) -> None:
        """Text within what is open."""
        self._inline.append(text if self._pre else _ANY_SPACES.sub(" ", text))

    def end(self) -> None:
        """Nothing comes after this."""
        self._flush()
        while self._lists:
            self._close_list()
        while self._tables:
            self._close_table()

    def open(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """An element begins. What counts of its attributes: rowspan, colspan, and an item's own `mark`."""
        if tag == "br":
            self._inline.append("\n")
        elif tag not in INLINE:
            self._flush()
            self._open_block(tag, attributes)

    def _open_block(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag in HEADINGS:
            self._heading = HEADINGS[tag]
        elif tag == "pre":
            self._pre += 1
        elif tag in LISTS:
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._mark = f"{attributes.get('mark') or self._next_mark()} "
        else:
            self._open_in_table(tag, attributes)

    def _open_in_table(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag == "table":
            self._tables.append(_Table())
        elif self._tables and tag == "tr":
            self._tables[-1].row()
        elif self._tables and tag in ("td", "th"):
            self._tables[-1].cell(attributes)

    def close(self, tag: str) -> None:
        """An element ends."""
        if tag in INLINE or tag == "br":
            return
        self._flush()
        if tag in HEADINGS:
            self._heading = 0
        elif tag == "pre":
            self._pre = max(self._pre - 1, 0)
        elif tag in LISTS and self._lists:
            self._close_list()
        elif tag == "table" and self._tables:
            self._close_table()

    def _next_mark(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "-"
        self._lists[-1] += 1
        return f"{self._lists[-1]}."

    def _flush(self) -> None:
        """What was said since the last block, put where it belongs."""
        text = "".join(self._inline)
        self._inline.clear()
        text = text.strip("\n") if self._pre else _AROUND_BREAKS.sub("\n", _SPACES.sub(" ", text)).strip()
        if text.strip():
            self._put(text)

    def _put(self, text: str) -> None:
        if self._tables:
            self._tables[-1].add(text)
        elif self._lists:
            self._lines += self._hanging(text)
        elif self._heading:
            self._parts.append(Part(PieceKind.HEADING, _ANY_SPACES.sub(" ", text), level=self._heading))
        else:
            self._parts.append(Part(PieceKind.CODE if self._pre else PieceKind.PARAGRAPH, text))

    def _hanging(self, text: str) -> list[str]:
        """An item's lines: indented by depth, the first behind its mark."""
        indent = "  " * min(len(self._lists) - 1, 20)
        first, *others = text.split("\n")
        mark, self._mark = self._mark or "  ", ""
        return [f"{indent}{mark}{first}", *(f"{indent}  {line}" for line in others)]

    def _close_list(self) -> None:
        self._lists.pop()
        self._mark = ""
        if not self._lists and self._lines:
            self._parts.append(Part(PieceKind.LIST, "\n".join(self._lines)))
            self._lines = []

    def _close_table(self) -> None:
        rows = self._tables.pop().rows
        if self._tables or self._lists:
            self._put(" ".join(cell for row in rows for cell in row if cell))
        elif max(map(len, rows), default=0) > 1:
            text, header = tables.table(rows)
            self._parts.append(Part(PieceKind.TABLE, text, header=header))
        else:
            self._parts += [Part(PieceKind.PARAGRAPH, cell) for row in rows for cell in row]
