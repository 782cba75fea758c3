"""Word (.docx): what stands in the text as Word shows it, with headings, lists, tables and notes.

Read straight from its XML (ECMA-376, part 1), of which a few elements are needed. Text that was deleted with
changes tracked and text that is hidden is not read; macros, pictures and embedded files are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from memory.documents.faults import UnreadableDocument
from memory.documents.pieces import Part
from memory.documents.reading.flowing import Flow
from memory.documents.reading.packages import Package
from memory.documents.reading.styles import Numbering, Style, Styles, is_on, small, values_of, word_name

BODY = "word/document.xml"
NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_UNSEEN = frozenset(("del", "moveFrom", "sectPr", "pPrChange", "rPrChange", "tblPrChange", "tcPrChange"))
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_TABLE = {"tbl": "table", "tr": "tr"}


def read(data: bytes, language: str) -> Iterator[Part]:
    """The parts of a Word file: its body, then its notes."""
    package = Package(data)
    if not package.has(BODY):
        raise UnreadableDocument("damaged")
    reader = _Reader(Styles.of(package), Numbering.of(package))
    return _parts_of(package, reader)


def _parts_of(package: Package, reader: _Reader) -> Iterator[Part]:
    for name in (BODY, *(each for each in NOTES if package.has(each))):
        package.parse(name, reader.opened, reader.closed, reader.text)
    reader.flow.end()
    yield from reader.flow.take()


@dataclass
class _Paragraph:
    """A paragraph that is open."""

    style: Style = field(default_factory=Style)
    level: int = 0
    numbers: str = ""
    depth: int | None = None
    runs: list[str] = field(default_factory=list)


class _Reader:
    """Hears of Word's elements, and tells the flow."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self.flow = Flow()
        self._styles = styles
        self._numbering = numbering
        self._paragraphs: list[_Paragraph] = []
        self._skipped = 0
        self._in_text = False
        self._in_run = False
        self._hidden = False
        self._cell: dict[str, str | None] | None = None
        self._lists = 0
        self._openers: dict[str, Callable[[Mapping[str, str]], None]] = {
            "p": self._open_paragraph,
            "r": self._open_run,
            "pStyle": self._style,
            "numId": self._numbers,
            "ilvl": self._depth,
            "outlineLvl": self._outline,
            "vanish": self._vanish,
            "rStyle": self._run_style,
            "t": self._open_text,
            "tc": self._open_cell,
            "gridSpan": self._span,
        }

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        tag = word_name(name)
        if self._skipped or tag in _UNSEEN or name == _FALLBACK or _is_separator(tag, attributes):
            self._skipped += 1
        elif tag in _SIGNS:
            self._say(_SIGNS[tag])
        elif tag in _TABLE:
            self._begin_cell()
            self._close_lists()
            self.flow.open(_TABLE[tag], {})
        elif opener := self._openers.get(tag):
            opener(values_of(attributes))

    def closed(self, name: str) -> None:
        """An element ends."""
        tag = word_name(name)
        if self._skipped:
            self._skipped -= 1
        elif tag == "t":
            self._in_text = False
        elif tag == "r":
            self._in_run = False
        elif tag == "p" and self._paragraphs:
            self._close_paragraph(self._paragraphs.pop())
        elif tag in ("tc", "tbl"):
            self._begin_cell()
            self._close_lists()
            self.flow.close({"tc": "td"}.get(tag, "table"))

    def text(self, text: str) -> None:
        """Characters, which count only within a run's text."""
        if self._in_text and not self._skipped:
            self._say(text)

    def _say(self, text: str) -> None:
        if self._paragraphs and not self._hidden and self._in_run:
            self._paragraphs[-1].runs.append(text)

    def _open_paragraph(self, values: Mapping[str, str]) -> None:
        self._begin_cell()
        self._paragraphs.append(_Paragraph())

    def _open_run(self, values: Mapping[str, str]) -> None:
        self._in_run = True
        self._hidden = bool(self._paragraphs) and self._paragraphs[-1].style.is_hidden

    def _open_text(self, values: Mapping[str, str]) -> None:
        self._in_text = True

    def _style(self, values: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].style = self._styles.of_id(values.get("val", ""))

    def _numbers(self, values: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].numbers = values.get("val", "")

    def _depth(self, values: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].depth = small(values)

    def _outline(self, values: Mapping[str, str]) -> None:
        if self._paragraphs and small(values, 9) < 9:
            self._paragraphs[-1].level = small(values) + 1

    def _vanish(self, values: Mapping[str, str]) -> None:
        if self._in_run:
            self._hidden = is_on(values)

    def _run_style(self, values: Mapping[str, str]) -> None:
        if self._in_run:
            self._hidden = self._hidden or self._styles.of_id(values.get("val", "")).is_hidden

    def _open_cell(self, values: Mapping[str, str]) -> None:
        self._cell = {}

    def _span(self, values: Mapping[str, str]) -> None:
        if self._cell is not None:
            self._cell["colspan"] = values.get("val")

    def _begin_cell(self) -> None:
        """A cell begins when its first content does: by then its properties are known."""
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self.flow.open("td", cell)

    def _close_paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.runs)
        if not text.strip():
            return
        level = paragraph.level or paragraph.style.level
        numbers = paragraph.numbers or paragraph.style.numbers
        depth = paragraph.style.depth if paragraph.depth is None else paragraph.depth
        mark = self._numbering.next_mark(numbers, depth) if numbers not in ("", "0") else ""
        if level:
            self._heading(level, text if mark in ("", "-") else f"{mark} {text}")
        elif mark:
            self._item(mark, min(depth, 8) + 1, text)
        else:
            self._close_lists()
            self._block("p", text)

    def _heading(self, level: int, text: str) -> None:
        self._close_lists()
        self._block(f"h{min(level, 6)}", text)

    def _item(self, mark: str, depth: int, text: str) -> None:
        while self._lists > depth:
            self._lists -= 1
            self.flow.close("ul")
        while self._lists < depth:
            self._lists += 1
            self.flow.open("ul", {})
        self._block("li", text, {"mark": mark})

    def _block(self, tag: str, text: str, attributes: Mapping[str, str | None] | None = None) -> None:
        self.flow.open(tag, attributes or {})
        self._lines(text)
        self.flow.close(tag)

    def _lines(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self.flow.open("br", {})
            self.flow.text(line)

    def _close_lists(self) -> None:
        while self._lists:
            self._lists -= 1
            self.flow.close("ul")


def _is_separator(tag: str, attributes: Mapping[str, str]) -> bool:
    """The lines that Word draws above notes are notes themselves, of a type of their own."""
    return tag in ("footnote", "endnote") and values_of(attributes).get("type", "normal") != "normal"
