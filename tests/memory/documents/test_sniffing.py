"""What a file is: by its content first, by its name second."""

import pytest

from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format, Kind
from memory.documents.limits import FILE_BYTES
from memory.documents.sniffing import sniff
from tests.memory.documents.making import pdf, raw_word, zipped

PDF = pdf(lambda document: document.cell(text="Hello"))
WORD = raw_word("<w:p/>")
PAGE = b"<!doctype html><title>x</title><p>Hello"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(200)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"Hello", "notes.txt", Kind(Format.TEXT)),
        (b"Hello", "", Kind(Format.TEXT)),
        (b"Hello", "notes.unheard-of", Kind(Format.TEXT)),
        (b"a,b", "sums.csv", Kind(Format.TEXT, "csv")),
        (b"# Hello", "NOTES.MD", Kind(Format.MARKDOWN)),
        (PAGE, "page.htm", Kind(Format.HTML)),
        (PDF, "report.pdf", Kind(Format.PDF)),
        (WORD, "report.docx", Kind(Format.WORD)),
        (b"x = 1", "a/b/module.py", Kind(Format.CODE, "python")),
        (b"func main() {}", "main.go", Kind(Format.CODE, "go")),
        (b"all: x", "Makefile", Kind(Format.CODE, "make")),
        (b"#!/usr/bin/env python3\nx = 1", "tool", Kind(Format.CODE, "python")),
        (b"#!/bin/sh\nls", "tool", Kind(Format.CODE, "shell")),
        ("中文".encode("utf-16"), "notes.txt", Kind(Format.TEXT)),
        ("中文内容".encode("gb18030"), "notes.txt", Kind(Format.TEXT)),
    ],
)
def test_it_tells_what_a_file_is(data: bytes, name: str, kind: Kind) -> None:
    assert sniff(data, name) == kind


@pytest.mark.parametrize(
    ("data", "name", "format"),
    [
        (PDF, "report.txt", Format.PDF),
        (PDF, "report.docx", Format.PDF),
        (WORD, "report.pdf", Format.WORD),
        (PAGE, "report.pdf", Format.HTML),
        (b"Hello", "report.pdf", Format.TEXT),
        (b"Hello", "report.docx", Format.TEXT),
    ],
)
def test_a_wrong_ending_is_noticed_and_the_content_believed(data: bytes, name: str, format: Format) -> None:
    found = sniff(data, name)
    assert (found.format, found.misnamed) == (format, True)


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "notes.txt", "empty"),
        (b"x" * (FILE_BYTES + 1), "notes.txt", "too_large"),
        (bytes(range(256)) * 40, "notes.txt", "unknown_type"),
        (b"MZ\x90\x00\x03" + bytes(100), "setup.md", "unknown_type"),
        (PICTURE, "notes.txt", "picture"),
        (PICTURE, "photo.png", "picture"),
        (zipped({"a.txt": "x"}), "report.docx", "archive"),
        (zipped({"a.txt": "x"}), "all.zip", "archive"),
        (b"\x1f\x8b\x08" + bytes(50), "all.tar.gz", "archive"),
        (zipped({"xl/workbook.xml": "x"}), "sums.xlsx", "office"),
        (zipped({"ppt/presentation.xml": "x"}), "slides.pptx", "office"),
        (zipped({"a.txt": "x"})[:40], "report.docx", "damaged"),
        (OLE + "WordDocument".encode("utf-16-le"), "report.doc", "legacy_word"),
        (OLE + "WordDocument".encode("utf-16-le"), "report.docx", "legacy_word"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "report.docx", "encrypted"),
        (OLE + "Workbook".encode("utf-16-le"), "sums.xls", "office"),
        (rb"{\rtf1 Hello}", "letter.rtf", "rich_text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(data: bytes, name: str, code: str) -> None:
    with pytest.raises(UnreadableDocument, match=r"\w[^.]*\. |text in the file|picture|archive") as refused:
        sniff(data, name)
    assert refused.value.code == code


def test_a_page_of_nothing_but_comments_is_not_puzzled_over() -> None:
    assert sniff(b"<!-- a -->" * 6000, "page.txt") == Kind(Format.TEXT)
