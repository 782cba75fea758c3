"""What readers give: the parts of a document, in order; and pieces, which are parts with their place.

The extracted text is nothing but the pieces, each with its gap in front: a place in it is a place in a piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.documents.faults import UnreadableDocument
from memory.documents.limits import CHARACTERS
from memory.texts import storable

HEADING_MAX = 200
"""How many characters of a heading stand in a path of headings."""
PATH_MAX = 8
"""How many headings stand in a path, at most: the outermost and the innermost."""
_SPACES = re.compile(r"\s+")


class PieceKind(StrEnum):
    """What a piece is; each is cut into chunks in a way of its own."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True)
class Progress:
    """How far a reader has come: `done` of `total` pages."""

    done: int
    total: int


@dataclass(frozen=True)
class Part:
    """One heading, paragraph, list, table, or function, as a reader finds it.

    `level` is a heading's, from 1; `header` the first lines of a table (with its rule), also where the table
    began on an earlier page; `trail` what code stands in (a class), in the place of headings; `gap` what
    stands before it in the text.
    """

    kind: PieceKind
    text: str
    level: int = 0
    page: int | None = None
    last_page: int | None = None
    header: str = ""
    trail: tuple[str, ...] = ()
    gap: str = "\n\n"


@dataclass(frozen=True)
class Piece:
    """A part with its place: `start` and `end` count characters of the extracted text, the gap left out.

    `headings` leads to it, a heading's own included. Pages count from 1.
    """

    kind: PieceKind
    text: str
    start: int
    headings: tuple[str, ...] = ()
    page: int | None = None
    last_page: int | None = None
    header: str = ""
    gap: str = ""

    @property
    def end(self) -> int:
        """The place after its last character."""
        return self.start + len(self.text)


def placed(parts: Iterable[Part]) -> Iterator[Piece]:
    """Parts as pieces. Parts without text are left out, and what a database cannot hold becomes U+FFFD.

    Raises UnreadableDocument where the text grows too long.
    """
    path = _Path()
    end = 0
    for part in parts:
        text = storable(part.text).rstrip() if part.kind == PieceKind.CODE else storable(part.text).strip()
        if not text:
            continue
        gap = part.gap if end else ""
        piece = Piece(
            kind=part.kind,
            text=text,
            start=end + len(gap),
            headings=path.to(part),
            page=part.page,
            last_page=part.last_page or part.page,
            header=storable(part.header),
            gap=gap,
        )
        end = piece.end
        if end > CHARACTERS:
            raise UnreadableDocument("too_long")
        yield piece


def text_of(pieces: Iterable[Piece]) -> str:
    """The extracted text."""
    return "".join(f"{piece.gap}{piece.text}" for piece in pieces)


class _Path:
    """The headings under which a document is read just now."""

    def __init__(self) -> None:
        self.open: list[tuple[int, str]] = []

    def to(self, part: Part) -> tuple[str, ...]:
        if part.kind == PieceKind.HEADING:
            self.open = [each for each in self.open if each[0] < part.level]
            self.open.append((part.level, _SPACES.sub(" ", storable(part.text)).strip()[:HEADING_MAX]))
        path = [name for _, name in self.open] + [storable(name)[:HEADING_MAX] for name in part.trail]
        return tuple(path if len(path) <= PATH_MAX else [path[0], *path[1 - PATH_MAX :]])
