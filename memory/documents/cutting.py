"""Where a text may be cut: between items, rows or lines, sentences, clauses, words; within a word at last.

English and Chinese alike. Every pattern is read once from left to right, however long the text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memory.documents.pieces import PieceKind
from memory.tokens import count

_SENTENCE = re.compile(
    r"[。！？；…]++[”’」』）】\"']*+"
    r"|(?<![.!?])(?<!\b[A-Z])(?<!\b[DM]r)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bNo)(?<!\bFig)(?<!\bvs)"
    r"(?<!e\.g)(?<!i\.e)[.!?]++[\"'”’)\]]*+\s++"
)
_CLAUSE = re.compile(r"[，、：]|[,;:]\s+|\s[–—-]\s")
_ITEM = re.compile(r"\n(?=\S)")
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
_LINE = re.compile(r"\n")
_LEVELS: dict[PieceKind, tuple[re.Pattern[str], ...]] = {
    PieceKind.HEADING: (),
    PieceKind.PARAGRAPH: (_SENTENCE, _LINE, _CLAUSE),
    PieceKind.LIST: (_ITEM, _LINE, _SENTENCE, _CLAUSE),
    PieceKind.TABLE: (_LINE, _SENTENCE, _CLAUSE),
    PieceKind.CODE: (_EMPTY_LINE, _LINE),
}
BYTES_OF_A_CHARACTER = 4
"""At most, in UTF-8; and no token is shorter than a byte."""


def spans(text: str, kind: PieceKind, most: int) -> Iterator[tuple[int, int]]:
    """Where a text of a kind is cut so that no span has more tokens than `most`; spans lie end to end.

    A text is cut no more finely than is needed: a sentence that fits stays one span.
    """
    return _spans(text, 0, len(text), _LEVELS[kind], most)


def finely(text: str, kind: PieceKind, most: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """The sentences of a paragraph, the rows of a table, from a place on; cut further as `spans` does."""
    first, *others = _LEVELS[kind]
    for begin, end in _between(text, start, len(text), first):
        yield from _spans(text, begin, end, others, most)


def _spans(
    text: str, start: int, end: int, levels: Sequence[re.Pattern[str]], most: int
) -> Iterator[tuple[int, int]]:
    if end - start <= most // BYTES_OF_A_CHARACTER or count(text[start:end]) <= most:
        yield start, end
    elif not levels:
        yield from _between_words(text, start, end, most)
    else:
        for inner_start, inner_end in _between(text, start, end, levels[0]):
            yield from _spans(text, inner_start, inner_end, levels[1:], most)


def _between(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    ends = [found.end() for found in pattern.finditer(text, start, end)]
    places = [start, *ends] if ends and ends[-1] == end else [start, *ends, end]
    return pairwise(places)


def _between_words(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """Some words at a time, or some letters where there are no spaces."""
    while start < end:
        stop = min(start + most, end)
        if count(text[start:stop]) > most:
            stop = min(start + max(most // BYTES_OF_A_CHARACTER, 1), end)
        space = text.rfind(" ", start + (stop - start) // 2, stop)
        stop = space + 1 if space >= 0 and stop < end else stop
        yield start, stop
        start = stop
