"""A page of a PDF as PDFium sees it: lines of words with their places, and the straight strokes drawn on it.

Places are in points; x grows to the right and y upwards.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as raw

CHARACTERS_MAX = 200_000
"""The most characters of a page that are looked at."""
SEGMENTS_MAX = 20_000
"""The most segments of the strokes of a page that are looked at: a drawing is no table."""
STRAIGHT = 1.0
HYPHEN = "\x02"
"""How PDFium gives a hyphen at which a word was broken."""
_BOLD = ("bold", "black", "heavy", "semibold", "demi")
_NAME_BYTES = 128


@dataclass
class Word:
    """Characters without a space between them, and the box around them."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


@dataclass
class Line:
    """Words on one line; `size` is their height, from the font's ascent to its descent."""

    words: list[Word]
    size: float
    is_bold: bool = False
    left: float = field(init=False)
    right: float = field(init=False)
    bottom: float = field(init=False)
    top: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = min(word.left for word in self.words)
        self.right = max(word.right for word in self.words)
        self.bottom = min(word.bottom for word in self.words)
        self.top = max(word.top for word in self.words)

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True)
class Stroke:
    """A straight line that is level (`is_level`) or upright: at `place`, from `start` to `end`."""

    is_level: bool
    place: float
    start: float
    end: float


@dataclass
class Page:
    """What was found on a page, in the order in which it was drawn."""

    number: int
    height: float
    lines: list[Line]
    strokes: list[Stroke]
    has_pictures: bool = False


def page_of(document: pdfium.PdfDocument, number: int) -> Page:
    """A page by its number, from 1. Raises PdfiumError where the page is damaged."""
    page = document[number - 1]
    try:
        text_page = page.get_textpage()
        try:
            lines = list(_lines(text_page))
        finally:
            text_page.close()
        strokes, has_pictures = _drawn(page)
        return Page(number, page.get_height(), lines, strokes, has_pictures)
    finally:
        page.close()


def _lines(text_page: pdfium.PdfTextPage) -> Iterator[Line]:
    words: list[Word] = []
    first = -1
    for index, word in _words(text_page):
        if word is not None:
            first = index if not words else first
            words.append(word)
        elif words:
            yield _line(text_page, words, first)
            words = []
    if words:
        yield _line(text_page, words, first)


def _line(text_page: pdfium.PdfTextPage, words: list[Word], first: int) -> Line:
    size = sorted(word.top - word.bottom for word in words)[len(words) // 2]
    return Line(words, round(size, 1), _is_bold(text_page, first))


def _words(text_page: pdfium.PdfTextPage) -> Iterator[tuple[int, Word | None]]:
    """Words with the index of their first character; None at the end of each line."""
    box = raw.FS_RECTF()
    word: Word | None = None
    start = 0
    for index in range(min(text_page.count_chars(), CHARACTERS_MAX)):
        sign = _sign(raw.FPDFText_GetUnicode(text_page.raw, index))
        if sign.isspace():
            if word:
                yield start, word
                word = None
            if sign == "\n":
                yield index, None
        elif raw.FPDFText_GetLooseCharBox(text_page.raw, index, box):
            start = start if word else index
            word = _with(word, sign, box)
    if word:
        yield start, word


def _sign(code: int) -> str:
    return " " if code == 0 or code > 0x10FFFF else chr(code)


def _with(word: Word | None, sign: str, box: raw.FS_RECTF) -> Word:
    if word is None:
        return Word(sign, box.left, box.bottom, box.right, box.top)
    word.text += sign
    word.left, word.right = min(word.left, box.left), max(word.right, box.right)
    word.bottom, word.top = min(word.bottom, box.bottom), max(word.top, box.top)
    return word


def _is_bold(text_page: pdfium.PdfTextPage, index: int) -> bool:
    name, flags = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text_page.raw, index, name, _NAME_BYTES, flags)
    return any(mark in name.value.decode("utf-8", "replace").lower() for mark in _BOLD)


def _drawn(page: pdfium.PdfPage) -> tuple[list[Stroke], bool]:
    strokes: list[Stroke] = []
    has_pictures = False
    room = SEGMENTS_MAX
    for index in range(min(raw.FPDFPage_CountObjects(page.raw), SEGMENTS_MAX)):
        drawn = raw.FPDFPage_GetObject(page.raw, index)
        kind = raw.FPDFPageObj_GetType(drawn)
        has_pictures = has_pictures or kind == raw.FPDF_PAGEOBJ_IMAGE
        if kind == raw.FPDF_PAGEOBJ_PATH and room > 0:
            room -= raw.FPDFPath_CountSegments(drawn)
            strokes += _strokes(drawn, min(raw.FPDFPath_CountSegments(drawn), SEGMENTS_MAX))
    return strokes if room > 0 else [], has_pictures


def _strokes(path: raw.FPDF_PAGEOBJECT, count: int) -> Iterator[Stroke]:
    """The straight segments of a path that are level or upright."""
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(path, matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    begin = here = (0.0, 0.0)
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        kind = raw.FPDFPathSegment_GetType(segment)
        there = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begin = there
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield from _stroke(here, there)
        here = there
        if raw.FPDFPathSegment_GetClose(segment):
            yield from _stroke(here, begin)
            here = begin


def _stroke(here: tuple[float, float], there: tuple[float, float]) -> Iterator[Stroke]:
    across, up = abs(there[0] - here[0]), abs(there[1] - here[1])
    if up <= STRAIGHT < across:
        yield Stroke(True, (here[1] + there[1]) / 2, *sorted((here[0], there[0])))
    elif across <= STRAIGHT < up:
        yield Stroke(False, (here[0] + there[0]) / 2, *sorted((here[1], there[1])))
