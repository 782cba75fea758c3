"""Files as people have them, made where they are needed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import docx
from fpdf import FPDF
from PIL import Image

from memory.documents.kinds import Format, Kind
from memory.documents.pieces import Part, Piece, placed
from memory.documents.reading import read

WORD_SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def pieces(data: bytes, kind: Format, language: str = "") -> list[Piece]:
    """What is read of a file in this process."""
    return list(placed(part for part in read(data, Kind(kind, language)) if isinstance(part, Part)))


def texts(data: bytes, kind: Format, language: str = "") -> list[str]:
    return [piece.text for piece in pieces(data, kind, language)]


def pdf(draw: Callable[[FPDF], Any], **output: Any) -> bytes:
    """A PDF on whose first page something was drawn."""
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=11)
    draw(document)
    return bytes(document.output(**output))


def headed(document: FPDF, size: float, text: str) -> None:
    document.set_font("helvetica", size=size)
    document.multi_cell(0, size / 2, text, new_x="LMARGIN", new_y="NEXT")
    document.set_font("helvetica", size=11)


def said(document: FPDF, text: str) -> None:
    document.multi_cell(0, 6, text, new_x="LMARGIN", new_y="NEXT")
    document.ln(4)


def tabled(document: FPDF, rows: Sequence[Sequence[str]]) -> None:
    with document.table() as table:
        for cells in rows:
            row = table.row()
            for cell in cells:
                row.cell(cell)


def scanned_pdf() -> bytes:
    """A page that is a picture."""
    return pdf(lambda document: document.image(Image.new("RGB", (200, 300), "grey"), w=100))


def word(write: Callable[[Any], Any]) -> bytes:
    """A Word file as Word makes them."""
    document = docx.Document()
    write(document)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def raw_word(body: str, *, before: str = "", **parts: str) -> bytes:
    """A Word file whose body is given in XML, with what stands before its root."""
    root = f'<w:document xmlns:w="{WORD_SPACE}"><w:body>{body}</w:body></w:document>'
    xml = f'<?xml version="1.0"?>{before}{root}'
    return zipped({"[Content_Types].xml": TYPES, "word/document.xml": xml} | parts)


def zipped(parts: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return stream.getvalue()


def paragraph(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph of one run, in XML."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"
