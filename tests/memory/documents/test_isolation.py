"""The process that reads: what it gives, what it may not do, and how it ends."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from fpdf import FPDF

from memory.documents import wire
from memory.documents.faults import UnreadableDocument
from memory.documents.isolation import _ENDS, ROOT, Reading, read_document
from memory.documents.kinds import Format, Kind
from memory.documents.limits import CPU_SECONDS, FILE_BYTES
from memory.documents.pieces import Part, PieceKind, Progress
from memory.documents.reader import seconds_for
from tests.memory.documents.making import headed, pdf, raw_word, said, scanned_pdf, word, zipped

SLOW = b"<a " + b" ".join(b"a%d" % number for number in range(200_000)) + b">"
"""More than its parser can take in a minute: each attribute asks for all those before it."""


def read(data: bytes, name: str, seconds: float = 120) -> Reading:
    return read_document(data, name, on_progress=lambda done, total: True, seconds=seconds)


def refused(data: bytes, name: str, seconds: float = 120) -> str:
    with pytest.raises(UnreadableDocument) as fault:
        read(data, name, seconds)
    return fault.value.code


def book(pages: int) -> bytes:
    def draw(document: FPDF) -> None:
        for number in range(1, pages + 1):
            if number > 1:
                document.add_page()
            headed(document, 20, f"Chapter {number}")
            said(document, f"This is what chapter {number} says.")

    return pdf(draw)


def every_child() -> list[int]:
    me = os.getpid()
    found = Path(f"/proc/{me}/task").glob("*/children")
    return [int(number) for path in found for number in path.read_text().split()]


# Other tests of this process keep a worker and a web server for all.
others: set[int] = set()


@pytest.fixture(autouse=True)
def remember_others() -> None:
    others.clear()
    others.update(every_child())


def children() -> list[int]:
    """The processes that a test has started and not yet buried."""
    return [child for child in every_child() if child not in others]


def test_what_is_read_comes_with_its_places_and_pages() -> None:
    reading = read(book(3), "book.pdf")
    assert (reading.kind.format, reading.pages, reading.empty_pages) == (Format.PDF, 3, 0)
    assert reading.title == "Chapter 1"
    assert [reading.text[piece.start : piece.end] for piece in reading.pieces] == [
        piece.text for piece in reading.pieces
    ]
    assert reading.pieces[-1].page == 3
    assert reading.pieces[-1].headings == ("Chapter 3",)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"tea for two", "notes.txt"),
        ("我们都喜欢喝茶 tea".encode("gb18030"), "notes.txt"),
        (b"# Drinks\n\ntea", "notes.md"),
        (b"<!doctype html><p>tea", "notes.html"),
        (b"def tea():\n    return 1\n", "notes.py"),
        (b"class Tea {}", "Notes.java"),
        (b"local tea = 1", "notes.lua"),
        (word(lambda document: document.add_paragraph("tea")), "notes.docx"),
        (pdf(lambda document: document.cell(text="tea")), "notes.pdf"),
        (pdf(lambda document: document.cell(text="tea")), "notes.txt"),
    ],
)
def test_every_format_is_read_in_it(data: bytes, name: str) -> None:
    assert "tea" in read(data, name).text.lower()


def test_pages_without_text_are_counted() -> None:
    def draw(document: FPDF) -> None:
        said(document, "Enough text that it can be read.")
        document.add_page()
        document.add_page()
        said(document, "More text that can be read.")

    assert read(pdf(draw), "book.pdf").empty_pages == 1


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "notes.txt", "empty"),
        (b" \n\n ", "notes.txt", "no_text"),
        (scanned_pdf(), "scan.pdf", "scanned"),
        (b"%PDF-1.7\nnothing", "broken.pdf", "damaged"),
        (zipped({"word/document.xml": b" " * 60_000_000}), "bomb.docx", "zip_bomb"),
        (raw_word("", before="<!DOCTYPE x>"), "entity.docx", "external_entity"),
        (b"x" * 5_000_001, "long.txt", "too_long"),
        (SLOW, "slow.html", "took_too_long"),
        (b"<div>" * 200_000, "deep.html", "too_deep"),
        (b"# Title\n\n" + b"<div>" * 200_000, "deep.md", "too_deep"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, name: str, code: str) -> None:
    assert refused(data, name, seconds=3 if code == "took_too_long" else 120) == code
    assert children() == []


def test_progress_is_told_and_grows() -> None:
    told: list[tuple[int, int]] = []
    read_document(book(400), "book.pdf", on_progress=lambda *far: told.append(far) is None)
    assert told
    assert told == sorted(told)
    assert {total for _, total in told} <= {0, 400}


def test_a_false_cancels_and_the_process_is_gone() -> None:
    seen: list[int] = []

    def stop(done: int, total: int) -> bool:
        seen.extend(children())
        return len(seen) < 2

    with pytest.raises(UnreadableDocument) as fault:
        read_document(SLOW, "slow.html", on_progress=stop)
    assert fault.value.code == "cancelled"
    assert seen
    assert children() == []


def test_it_is_gone_when_whoever_waits_fails() -> None:
    def fail(done: int, total: int) -> bool:
        raise KeyError("the database is away")

    with pytest.raises(KeyError):
        read_document(SLOW, "slow.html", on_progress=fail)
    assert children() == []


def test_it_is_killed_from_outside_and_that_is_heard() -> None:
    def kill(done: int, total: int) -> bool:
        for child in children():
            os.kill(child, 9)
        return True

    with pytest.raises(UnreadableDocument) as fault:
        read_document(SLOW, "slow.html", on_progress=kill)
    assert fault.value.code == "too_much_memory"


def test_it_knows_no_secrets_and_stands_in_an_empty_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSITE_TEST_SECRET", "sesame")
    known: dict[str, object] = {}

    def look(done: int, total: int) -> bool:
        for child in children():
            known["environment"] = Path(f"/proc/{child}/environ").read_bytes()
            known["folder"] = os.listdir(f"/proc/{child}/cwd")
        return b"PYTHONPATH" not in known.get("environment", b"")

    with pytest.raises(UnreadableDocument):
        read_document(SLOW, "slow.html", on_progress=look)
    assert b"PYTHONPATH" in known["environment"]
    assert b"sesame" not in known["environment"]
    assert b"DATABASE" not in known["environment"]
    assert known["folder"] == []


GIVES_UP = "from memory.documents.reader import limit, close_everything; limit(); close_everything()"
ATTEMPTS = {
    "a file": "open('/etc/hostname').read()",
    "a socket": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "a pipe": "os.pipe()",
    "a file to write": "open(os.environ['HOME'] + '/x', 'w').write('x')",
    "memory": "mmap.mmap(-1, 2_000_000_000)",
}


@pytest.mark.parametrize("what", sorted(ATTEMPTS))
def test_it_gives_up_what_a_tricked_parser_could_use(what: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        attempt = ATTEMPTS[what].replace("PORT", str(server.getsockname()[1]))
        assert runs(f"import mmap, os, socket; {attempt}", tmp_path)
        assert not runs(f"import mmap, os, socket; {GIVES_UP}; {attempt}", tmp_path)
        assert runs(f"import mmap, os, socket; {GIVES_UP}", tmp_path)


def test_it_ends_when_its_time_is_used_up() -> None:
    code = (
        "import sys; from memory.documents import reader; reader.seconds_for = lambda kind, size: 1;"
        "reader.main(sys.stdin.buffer, sys.stdout.buffer)"
    )
    given = wire.asked(Kind(Format.HTML)) + SLOW
    environment = {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", code], input=given, env=environment).returncode
    assert _ENDS[ended] == "took_too_long"


def test_a_small_text_gets_less_time_than_a_large_one_and_a_pdf_all_of_it() -> None:
    page, book = Kind(Format.HTML), Kind(Format.PDF)
    small, large, largest = (seconds_for(page, size) for size in (1_000_000, 5_000_000, FILE_BYTES))
    assert (small, large) == (15, 35)
    assert largest == seconds_for(book, 1_000) == CPU_SECONDS


def runs(code: str, home: Path) -> bool:
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(home)}
    return (
        subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL).returncode
        == 0
    )


def test_the_web_process_loads_none_of_its_libraries() -> None:
    code = (
        "import sys, memory.documents.isolation, memory.documents.chunking;"
        "print(*(name for name in ('pypdfium2', 'selectolax', 'tree_sitter', 'markdown_it', 'django') "
        "if name in sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True)
    assert (said.returncode, said.stdout.split()) == (0, [])


def test_what_it_says_comes_through_as_it_was_said() -> None:
    part = Part(PieceKind.TABLE, "| a |\n茶", 0, 3, 4, "| a |", ("class A:",), "\n")
    assert wire.heard(wire.line(part)) == part
    assert wire.heard(wire.line(Progress(3, 120))) == Progress(3, 120)
    fault = wire.heard(wire.line(UnreadableDocument("scanned")))
    assert isinstance(fault, UnreadableDocument)
    assert fault.code == "scanned"
    assert isinstance(wire.heard(wire.line(wire.End())), wire.End)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"7",
        b'["shout"]',
        b'["part", "paragraph", 7, 0, null, null, "", [], ""]',
        b'["part", "spell", "text", 0, null, null, "", [], ""]',
        b'["part", "paragraph", "text", 0, "page", null, "", [], ""]',
        b'["part", "paragraph", "text", 0, null, null, "", [7], ""]',
        b'["part", "paragraph"]',
        b'["progress", -1, 3]',
        b'["fault", "made_up"]',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_nonsense_that_it_says_is_not_believed(line: bytes) -> None:
    with pytest.raises(wire.Nonsense):
        wire.heard(line)
