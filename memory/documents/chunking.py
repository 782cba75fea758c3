"""Pieces cut and put together to chunks: what is embedded, found and shown to models as one.

A chunk ends where a heading begins, unless it were too small; a piece that fits stays whole; what has to be
cut is cut into parts of about the same size, between items, rows or sentences. A table's later parts have its
header in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from os.path import commonprefix

from memory.documents.cutting import finely, spans
from memory.documents.pieces import Piece, PieceKind, text_of
from memory.tokens import count

MOST_TOKENS = 400
ENOUGH = 0.5
"""From which part of the most tokens on a chunk ends at the next heading."""
TINY = 0.1
"""Up to which part of the most tokens a chunk goes on under any heading: a title page, say."""
HEADER_MOST = 0.5
"""A table's header that fills more of a chunk than this is not repeated."""


@dataclass(frozen=True)
class Chunk:
    """A part of a document's text, `text[start:end]`; only a table's later parts have its header in front.

    `headings` leads to all of it, the outermost first. Pages count from 1; None where there are none. `kind`
    is that of the piece that fills most of it.
    """

    text: str
    headings: list[str]
    page: int | None
    last_page: int | None
    start: int
    end: int
    kind: str
    tokens: int


@dataclass(frozen=True)
class _Unit:
    """What is not cut any more. `leads` tells what should not stand at a chunk's end: headings."""

    piece: Piece
    start: int
    end: int
    tokens: int
    leads: bool = False
    header: str = ""

    @property
    def is_heading(self) -> bool:
        return self.piece.kind == PieceKind.HEADING


def chunks(pieces: Sequence[Piece], *, most_tokens: int = MOST_TOKENS) -> list[Chunk]:
    """The chunks of a document, in its order. None has more than `most_tokens` (of `o200k_base`)."""
    text = text_of(pieces)
    found: list[Chunk] = []
    for section in _sections(_units(pieces, most_tokens), most_tokens):
        for run in _packed(section, most_tokens):
            found += _chunks_of(run, text, most_tokens)
    return found


def _units(pieces: Iterable[Piece], most: int) -> Iterator[_Unit]:
    before = 0  # tokens of the headings just before a piece, which want to stay with it
    for piece in pieces:
        room = max(most - before, most // 2)
        if piece.kind == PieceKind.HEADING:
            before += count(piece.text) + 1
            yield from _cut(piece, spans(piece.text, piece.kind, most // 2), leads=True)
            continue
        before = 0
        if piece.kind == PieceKind.TABLE:
            yield from _rows(piece, most, room)
        elif piece.kind == PieceKind.PARAGRAPH and count(piece.text) > most * ENOUGH:
            yield from _cut(piece, finely(piece.text, piece.kind, most // 2))
        else:
            yield from _cut(piece, spans(piece.text, piece.kind, room))


def _cut(
    piece: Piece, places: Iterable[tuple[int, int]], *, leads: bool = False, header: str = ""
) -> Iterator[_Unit]:
    for start, end in places:
        text = piece.text[start:end]
        kept = len(text) - len(text.lstrip("\n" if piece.kind == PieceKind.CODE else None))
        if body := text[kept:].rstrip():
            place = piece.start + start + kept
            yield _Unit(piece, place, place + len(body), count(body) + 1, leads, header)


def _rows(piece: Piece, most: int, room: int) -> Iterator[_Unit]:
    """A table whole, or its rows, each of which knows the header for the case that a chunk begins with it."""
    begins = bool(piece.header) and piece.text.startswith(piece.header)
    header = piece.header if count(piece.header) <= most * HEADER_MOST else ""
    if count(piece.text) <= room and (begins or not header):
        yield from _cut(piece, [(0, len(piece.text))])
        return
    top = len(piece.header) if begins else 0
    if top:
        yield from _cut(piece, spans(piece.text[:top], piece.kind, most), leads=bool(header))
    rows = finely(piece.text, piece.kind, most - count(header) - 2, top)
    yield from _cut(piece, rows, header=header)


def _sections(units: Iterable[_Unit], most: int) -> Iterator[list[_Unit]]:
    """Units up to the next heading; small sections beside or below one another together."""
    section: list[_Unit] = []
    tokens = 0
    for group in _under_headings(units):
        size = sum(unit.tokens for unit in group)
        if section and not _belong_together(section, tokens, group, size, most):
            yield section
            section, tokens = [], 0
        section += group
        tokens += size
    if section:
        yield section


def _under_headings(units: Iterable[_Unit]) -> Iterator[list[_Unit]]:
    """Each heading with what stands under it; code is grouped by what it stands in."""
    group: list[_Unit] = []
    for unit in units:
        begins = unit.is_heading or (group and unit.piece.headings != group[-1].piece.headings)
        if begins and group and not group[-1].is_heading:
            yield group
            group = []
        group.append(unit)
    if group:
        yield group


def _belong_together(section: list[_Unit], tokens: int, group: list[_Unit], size: int, most: int) -> bool:
    if tokens + size > most:
        return False
    if tokens <= most * TINY:
        return True
    path, after = section[-1].piece.headings, group[-1].piece.headings
    are_near = len(commonprefix([path, after])) >= max(len(path), len(after)) - 1
    return are_near and tokens < most * ENOUGH


def _packed(section: list[_Unit], most: int) -> Iterator[list[_Unit]]:
    """Runs of about the same size, none of which ends with a heading if that can be."""
    left = sum(unit.tokens for unit in section)
    run: list[_Unit] = []
    for unit in section:
        if run and _is_full(run, unit, left, most):
            last = next((place for place in range(len(run), 0, -1) if not run[place - 1].leads), len(run))
            yield run[:last]
            left -= sum(unit.tokens for unit in run[:last])
            run = run[last:]
            if run and _tokens(run) + unit.tokens > most:
                yield run
                left -= sum(unit.tokens for unit in run)
                run = []
        run.append(unit)
    if run:
        yield run


def _is_full(run: Sequence[_Unit], unit: _Unit, left: int, most: int) -> bool:
    """Whether a run ends before a unit: the unit does not fit, or leads away from the size of an even share.

    `left` are the tokens that are to be shared, those of the run included.
    """
    tokens = _tokens(run)
    share = left / ceil(left / most)
    return tokens + unit.tokens > most or tokens + unit.tokens / 2 > share


def _tokens(run: Sequence[_Unit]) -> int:
    header = run[0].header if run else ""
    return sum(unit.tokens for unit in run) + (count(header) + 1 if header else 0)


def _chunks_of(run: list[_Unit], text: str, most: int) -> Iterator[Chunk]:
    """A run as a chunk; as two where its tokens, counted together, are too many after all."""
    chunk = _chunk(run, text)
    if chunk.tokens <= most or len(run) == 1:
        yield chunk
    else:
        half = len(run) // 2
        yield from _chunks_of(run[:half], text, most)
        yield from _chunks_of(run[half:], text, most)


def _chunk(run: list[_Unit], text: str) -> Chunk:
    start, end = run[0].start, run[-1].end
    body = f"{run[0].header}\n{text[start:end]}" if run[0].header else text[start:end]
    told = [unit for unit in run if not unit.is_heading] or run
    return Chunk(
        text=body,
        headings=list(commonprefix([unit.piece.headings for unit in told])),
        page=run[0].piece.page,
        last_page=run[-1].piece.last_page,
        start=start,
        end=end,
        kind=_kind_of(told),
        tokens=count(body),
    )


def _kind_of(run: Sequence[_Unit]) -> str:
    sizes: dict[str, int] = {}
    for unit in run:
        sizes[unit.piece.kind] = sizes.get(unit.piece.kind, 0) + unit.tokens
    return str(max(sizes, key=lambda kind: sizes[kind]))
