"""What a document costs by format: CPU of the process that reads, of the one that waits, and of cutting."""

from __future__ import annotations

import io
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
from fpdf import FPDF

from benchmarks.site import say
from memory.documents.chunking import chunks
from memory.documents.isolation import Reading, read_document

ROUNDS = 3
PAGES, ROWS = 200, 2_000
CHARACTERS = 1_000_000
ENGLISH = "The committee met on Tuesday, as it does each month; nobody of its members was absent. " * 5
CHINESE = "项目的截止日期是十二月三日，负责人是李雷。请在本周五之前提交所有的文件，逾期不再受理。" * 3
FUNCTION = """def function_{0}(a, b):
    '''Adds what is asked for.'''
    total = a + {0}
    return total * b


"""


def measure(folder: Path) -> None:
    """Print CPU per document, per megabyte of the file, and per page."""
    say(f"\nreading documents: CPU ms, median of {ROUNDS}")
    heads = ("MB", "reads", "waits", "cuts", "chunks", "per MB", "a page")
    say(f"  {'':<26}{''.join(f'{head:>8}' for head in heads)}")
    for title, name, make in documents():
        data = make()
        rounds = [_round(data, name) for _ in range(ROUNDS)]
        reads, waits, cuts = (statistics.median(each[part] for each in rounds) for part in range(3))
        _, _, _, reading, count = rounds[0]
        size = len(data) / 1e6
        page = f"{reads / reading.pages:8.1f}" if reading.pages else ""
        figures = "".join(f"{figure:8.0f}" for figure in (reads, waits, cuts, count, reads / size))
        say(f"  {title:<26}{size:8.2f}{figures}{page}")


def documents() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """What is read: its title, its name, and what makes it."""
    yield "a few words", "a.txt", lambda: b"A few words."
    yield "text", "a.txt", lambda: _long(f"{ENGLISH}\n\n").encode()
    yield "text, Chinese, GB18030", "a.txt", lambda: _long(f"{CHINESE}\n\n").encode("gb18030")
    yield "Markdown", "a.md", lambda: _long(f"## Heading\n\n{ENGLISH}\n\n- one\n- two\n\n").encode()
    yield "HTML", "a.html", lambda: _long(f"<h2>Heading</h2><p>{ENGLISH}</p><ul><li>one<li>two</ul>").encode()
    yield (
        "code, Python",
        "a.py",
        lambda: "".join(FUNCTION.format(number) for number in range(10_000)).encode(),
    )
    yield "code, without a grammar", "a.lua", lambda: _long("function f(a)\n  return a\nend\n\n").encode()
    yield "Word", "a.docx", _word
    yield "PDF, text", "a.pdf", _pages
    yield "PDF, one long table", "a.pdf", _table


def _round(data: bytes, name: str) -> tuple[float, float, float, Reading, int]:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
    reading = read_document(data, name, on_progress=lambda done, total: True)
    waited, after = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    made = chunks(reading.pieces)
    cut = time.process_time()
    reads = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return reads * 1000, (waited - begun) * 1000, (cut - waited) * 1000, reading, len(made)


def _long(text: str) -> str:
    return text * (CHARACTERS // len(text))


def _word() -> bytes:
    document, stream = docx.Document(), io.BytesIO()
    for number in range(2_000):
        if number % 10 == 0:
            document.add_heading(f"Section {number}", 1)
        document.add_paragraph(ENGLISH)
    document.save(stream)
    return stream.getvalue()


def _pages() -> bytes:
    document = FPDF()
    document.set_font("helvetica", size=10)
    for _ in range(PAGES):
        document.add_page()
        for _ in range(9):
            document.multi_cell(0, 5, ENGLISH, new_x="LMARGIN", new_y="NEXT")
            document.ln(3)
    return bytes(document.output())


def _table() -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=9)
    with document.table() as table:
        for number in range(ROWS):
            table.row([f"cell {number}", "Ghent", "tea", str(number), "yes"])
    return bytes(document.output())
