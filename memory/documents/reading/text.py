"""Plain text: paragraphs between empty lines, lists, and lines that are headings by their form. And CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from memory.documents import tables
from memory.documents.decoding import source
from memory.documents.limits import CHARACTERS
from memory.documents.pieces import Part, PieceKind

DELIMITERS = (",", ";", "\t", "|")
_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_ITEM = re.compile(r"\s*(?:[-*+•·–▪◦]|\(?\d{1,3}[.)、]|[(（]?[一二三四五六七八九十]{1,3}[)）、])\s*\S")
_UNDERLINE = re.compile(r"(=|-|~|\*){3,}\s*")
_CHAPTER = re.compile(
    r"\s*(?:(?P<book>第[〇零一二三四五六七八九十百千\d]{1,7}[卷部篇编])|第[〇零一二三四五六七八九十百千\d]{1,7}[章回节]"
    r"|(?P<part>(?i:part|book)\s+(?:[ivxlc]+|\d+))\b|(?i:chapter)\s+(?:[IVXLCivxlc]+|\d+)\b)[^\n。.!?！？]{0,60}"
)


def read(data: bytes, language: str) -> Iterator[Part]:
    """The parts of a plain text; a table where the language is csv."""
    text = source(data)
    if language == "csv":
        yield _table(text)
        return
    for block in _EMPTY_LINES.split(text):
        yield from _parts_of(block.strip("\n"))


def _table(text: str) -> Part:
    """The rows of a file of values; as plain text where they are none."""
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    csv.field_size_limit(CHARACTERS)
    try:
        rows, header = tables.table(list(csv.reader(io.StringIO(text), delimiter=delimiter)))
    except csv.Error:
        return Part(PieceKind.PARAGRAPH, text)
    return Part(PieceKind.TABLE, rows, header=header)


def is_item(line: str) -> bool:
    """Whether a line begins as an item of a list does."""
    return _ITEM.match(line) is not None


def heading_level(line: str) -> int:
    """The level of a line that names a chapter (第三章, Chapter 3), or a part of several; 0 for others."""
    found = _CHAPTER.fullmatch(line)
    if not found:
        return 0
    return 1 if found["book"] or found["part"] else 2


def _parts_of(block: str) -> Iterator[Part]:
    """A block between empty lines is mostly one part; a heading may stand at its top."""
    first, _, rest = block.partition("\n")
    second, _, below = rest.partition("\n")
    if level := heading_level(first):
        yield Part(PieceKind.HEADING, first, level=level)
        block = rest
    elif _is_underlined(first, second):
        yield Part(PieceKind.HEADING, first, level=1 if second[0] == "=" else 2)
        block = below
    yield Part(PieceKind.LIST if _is_list(block) else PieceKind.PARAGRAPH, block)


def _is_underlined(first: str, second: str) -> bool:
    return 0 < len(first.strip()) <= 120 and _UNDERLINE.fullmatch(second) is not None


def _is_list(block: str) -> bool:
    lines = block[:20_000].splitlines()
    return len(lines) > 1 and is_item(lines[0]) and sum(map(is_item, lines)) * 3 >= len(lines)
