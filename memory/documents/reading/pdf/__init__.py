"""PDF, by PDFium (the engine of Chrome): its text with pages; nothing in it is run, opened or fetched.

Attachments, scripts and forms are never asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from memory.documents.faults import UnreadableDocument
from memory.documents.limits import CHARACTERS, PAGES
from memory.documents.pieces import Part, Progress
from memory.documents.reading.pdf.headings import repeated, sizes_of
from memory.documents.reading.pdf.layout import over_pages, parts_of
from memory.documents.reading.pdf.page import Page, page_of

SCANNED = 20
"""Pages with fewer characters than this, and a picture, are pictures of pages."""


def read(data: bytes, language: str) -> Iterator[Part | Progress]:
    """The parts of a PDF. Each page is looked at once before the first part comes."""
    document = _opened(data)
    if len(document) > PAGES:
        raise UnreadableDocument("too_many_pages")
    pages: list[Page] = []
    room = CHARACTERS
    for number in range(1, len(document) + 1):
        pages.append(_page(document, number))
        room -= _characters(pages[-1])
        if room < 0:
            raise UnreadableDocument("too_long")
        yield Progress(number, len(document))
    _refuse_pictures(pages)
    sizes = sizes_of(pages)
    running = repeated(pages, sizes)
    yield from over_pages(part for page in pages for part in parts_of(page, sizes, running))


def _opened(data: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        is_locked = raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD
        raise UnreadableDocument("encrypted" if is_locked else "damaged") from error


def _page(document: pdfium.PdfDocument, number: int) -> Page:
    """A page; one that is damaged is empty."""
    try:
        return page_of(document, number)
    except pdfium.PdfiumError:
        return Page(number, 0.0, [], [])


def _characters(page: Page) -> int:
    return sum(len(word.text) + 1 for line in page.lines for word in line.words)


def _refuse_pictures(pages: list[Page]) -> None:
    if sum(map(_characters, pages)) >= SCANNED:
        return
    if any(page.has_pictures for page in pages):
        raise UnreadableDocument("scanned")
    if not any(map(_characters, pages)):
        raise UnreadableDocument("no_text" if pages else "damaged")
