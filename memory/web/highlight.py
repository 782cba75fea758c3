"""Which words of a text a search was about, and the piece of it in which they stand closest together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory import lexical
from memory.web.tables import cells_apart
from memory.words import words

SHOWN = 320
LEAD = 60
PIECES_AT_MOST = 20_000  # words of a text that are looked at


@dataclass(frozen=True)
class Stretch:
    """A piece of a text, and whether it is what was looked for."""

    text: str
    is_match: bool = False


def excerpt(text: str, query: str, *, most: int = SHOWN) -> list[Stretch]:
    """At most so many characters of a text, with the query's words marked; from where most of them stand.
    Tables are shown without their bars."""
    text = cells_apart(text)
    pieces, marks = _marked(text, query)
    lengths = [len(piece) for piece in pieces]
    first, last = _densest(lengths, marks, most)
    stretches = _joined(pieces[first:last], marks[first:last])
    begin = [Stretch("… ")] if first else []
    end = [Stretch(" …")] if last < len(pieces) or sum(lengths) < len(text) else []
    return [*begin, *stretches, *end]


def whole(text: str, query: str) -> list[Stretch]:
    """All of a text, with the query's words marked."""
    pieces, marks = _marked(text, query)
    rest = text[sum(len(piece) for piece in pieces) :]
    return _joined([*pieces, rest], [*marks, False])


def _marked(text: str, query: str) -> tuple[list[str], list[bool]]:
    """The words of a text, and for each whether the query names it or its beginning."""
    wanted = frozenset(lexical.query_lexemes(query)) if query.strip() else frozenset()
    begun = lexical.beginnings(query, is_typed=True)
    pieces = words(text)[:PIECES_AT_MOST]
    known: dict[str, bool] = {}
    for piece in set(pieces):
        found = lexical.lexemes(piece) if wanted and not piece.isspace() else []
        known[piece] = not wanted.isdisjoint(found) or any(_begins(each, piece, found) for each in begun)
    return pieces, [known[piece] for piece in pieces]


def _begins(beginning: str, piece: str, lexemes: Sequence[str]) -> bool:
    """Whether a piece is met by a beginning: a character of Chinese is met where it stands."""
    if lexical.is_eastern(beginning):
        return beginning in piece
    return any(each.startswith(beginning) for each in lexemes)


def _densest(lengths: Sequence[int], marks: Sequence[bool], most: int) -> tuple[int, int]:
    """The first and the last (exclusive) piece of what is shown: the window that holds most marks."""
    best, best_count, end, size, count = 0, -1, 0, 0, 0
    for start in range(len(lengths)):
        while end < len(lengths) and size + lengths[end] <= most:
            size, count = size + lengths[end], count + marks[end]
            end += 1
        if count > best_count:
            best, best_count = start, count
        if end == len(lengths):
            break
        if end == start:  # one piece alone is longer than all that is shown
            end += 1
            continue
        size, count = size - lengths[start], count - marks[start]
    return _from(best, lengths, marks, most)


def _from(start: int, lengths: Sequence[int], marks: Sequence[bool], most: int) -> tuple[int, int]:
    """The window that begins at the first mark, with a lead before it."""
    first = next((at for at in range(start, len(marks)) if marks[at]), start) if any(marks[start:]) else start
    lead = 0
    while first > 0 and lead + lengths[first - 1] <= LEAD:
        first -= 1
        lead += lengths[first]
    last, size = first, 0
    while last < len(lengths) and (size + lengths[last] <= most or last == first):
        size += lengths[last]
        last += 1
    return first, last


def _joined(pieces: Sequence[str], marks: Sequence[bool]) -> list[Stretch]:
    found: list[Stretch] = []
    for piece, is_match in zip(pieces, marks, strict=True):
        if found and found[-1].is_match == is_match:
            found[-1] = Stretch(found[-1].text + piece, is_match)
        else:
            found.append(Stretch(piece, is_match))
    return found
