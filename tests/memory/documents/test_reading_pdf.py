"""PDFs: text with pages, headings by size, tables over pages; nothing in them is run."""

from pathlib import Path

import pytest
from fpdf import FPDF

from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format
from memory.documents.limits import PAGES
from memory.documents.pieces import Piece, PieceKind, text_of
from tests.memory.documents.making import headed, pdf, pieces, said, scanned_pdf, tabled

LONG = (
    "This sentence is rather long and so it is broken into several lines where the page ends on the right. "
)
COLUMNS = ("Name", "Town", "Sum")
PEOPLE = [COLUMNS] + [
    (f"Person {number}", f"a town with a long name {number}", str(number)) for number in range(90)
]
CHINESE_FONTS = (
    sorted(Path("/usr/share/fonts").rglob("*CJK*.tt[cf]")) if Path("/usr/share/fonts").is_dir() else []
)


def read(data: bytes) -> list[Piece]:
    return pieces(data, Format.PDF)


def refused(data: bytes) -> str:
    with pytest.raises(UnreadableDocument) as fault:
        read(data)
    return fault.value.code


def report(document: FPDF) -> None:
    headed(document, 22, "Annual report")
    said(document, LONG * 3)
    said(document, "A short one.")
    headed(document, 16, "Numbers")
    said(document, "They went up.")
    document.add_page()
    headed(document, 16, "Outlook")
    said(document, "They will go down.")


def test_headings_are_known_by_their_size_and_lines_are_joined() -> None:
    assert [(piece.kind, piece.headings, piece.page) for piece in read(pdf(report))] == [
        (PieceKind.HEADING, ("Annual report",), 1),
        (PieceKind.PARAGRAPH, ("Annual report",), 1),
        (PieceKind.PARAGRAPH, ("Annual report",), 1),
        (PieceKind.HEADING, ("Annual report", "Numbers"), 1),
        (PieceKind.PARAGRAPH, ("Annual report", "Numbers"), 1),
        (PieceKind.HEADING, ("Annual report", "Outlook"), 2),
        (PieceKind.PARAGRAPH, ("Annual report", "Outlook"), 2),
    ]
    assert read(pdf(report))[1].text == (LONG * 3).strip()


def test_a_table_over_three_pages_is_one_table() -> None:
    found = read(pdf(lambda document: tabled(document, PEOPLE)))
    assert [piece.page for piece in found] == [1, 2, 3, 4][: len(found)]
    assert len(found) >= 3
    assert {piece.header for piece in found} == {"| Name | Town | Sum |\n| --- | --- | --- |"}
    rows = text_of(found).split("\n")
    assert rows[2:] == [f"| {' | '.join(cells)} |" for cells in PEOPLE[1:]]


def test_cells_of_several_lines_and_joined_cells_are_whole() -> None:
    def draw(document: FPDF) -> None:
        with document.table() as table:
            table.row(["a", LONG, "c"])
            joined = table.row()
            joined.cell("over two", colspan=2)
            joined.cell("alone")

    (table,) = read(pdf(draw))
    assert table.text.split("\n")[0] == f"| a | {LONG.strip()} | c |"
    assert table.text.split("\n")[2] == "| over two |  | alone |"


def test_columns_without_strokes_are_a_table() -> None:
    def draw(document: FPDF) -> None:
        said(document, "Prices of this year are as follows.")
        for cells in (("Part", "Price"), ("bolt", "1"), ("nut", "2"), ("screw", "35")):
            for place, cell in zip((10, 80), cells, strict=True):
                document.set_x(place)
                document.cell(40, 6, cell)
            document.ln(6)

    found = read(pdf(draw))
    assert [piece.kind for piece in found] == [PieceKind.PARAGRAPH, PieceKind.TABLE]
    assert found[1].text.split("\n")[2:] == ["| bolt | 1 |", "| nut | 2 |", "| screw | 35 |"]


def test_a_sentence_goes_on_over_the_end_of_a_page() -> None:
    def draw(document: FPDF) -> None:
        said(document, "It begins on this page and")
        document.add_page()
        said(document, "ends on the next one.")

    (whole,) = read(pdf(draw))
    assert (whole.text, whole.page, whole.last_page) == (
        "It begins on this page and ends on the next one.",
        1,
        2,
    )


def test_bold_lines_are_headings_where_the_text_is_not_bold() -> None:
    def draw(document: FPDF, style: str) -> None:
        document.set_font("helvetica", "B", 11)
        said(document, "Purpose")
        document.set_font("helvetica", style, 11)
        said(document, LONG * 3)

    assert [piece.kind for piece in read(pdf(lambda document: draw(document, "")))] == [
        PieceKind.HEADING,
        PieceKind.PARAGRAPH,
    ]
    assert PieceKind.HEADING not in {piece.kind for piece in read(pdf(lambda document: draw(document, "B")))}


def test_running_heads_and_page_numbers_are_left_out() -> None:
    def draw(document: FPDF) -> None:
        for number in range(1, 5):
            if number > 1:
                document.add_page()
            document.text(20, 10, "Confidential - Acme")
            document.text(100, 290, f"Page {number} of 4")
            document.set_y(100)
            said(document, f"Body number {number}.")

    assert [piece.text for piece in read(pdf(draw))] == [f"Body number {number}." for number in range(1, 5)]


def test_chapters_that_begin_on_top_of_their_pages_are_no_running_heads() -> None:
    def draw(document: FPDF) -> None:
        for number in range(1, 5):
            if number > 1:
                document.add_page()
            headed(document, 20, f"Chapter {number}")
            document.set_y(100)
            said(document, LONG)

    assert {piece.headings for piece in read(pdf(draw))} == {(f"Chapter {number}",) for number in range(1, 5)}


def test_chinese_is_read_and_its_lines_are_joined_without_spaces() -> None:
    if not CHINESE_FONTS:
        pytest.skip("there is no Chinese font on this machine to make such a PDF with")
    text = "项目的截止日期是十二月三日，负责人是李雷。请在本周五之前提交所有的文件，逾期不再受理。" * 3

    def draw(document: FPDF) -> None:
        document.add_font("han", fname=CHINESE_FONTS[0])
        document.set_font("han", size=12)
        document.multi_cell(0, 7, text)

    assert [piece.text for piece in read(pdf(draw))] == [text]


def test_a_pdf_under_a_password_is_refused_and_one_that_only_may_not_be_printed_is_read() -> None:
    locked = FPDF()
    locked.add_page()
    locked.set_font("helvetica")
    locked.cell(text="secret")
    locked.set_encryption(owner_password="owner", user_password="user")
    assert refused(bytes(locked.output())) == "encrypted"
    free = pdf(lambda document: (document.set_encryption(owner_password="o"), document.cell(text="open")))
    assert [piece.text for piece in read(free)] == ["open"]


def test_a_scanned_pdf_is_refused_and_a_blank_one_has_no_text() -> None:
    assert refused(scanned_pdf()) == "scanned"
    assert refused(pdf(lambda document: None)) == "no_text"


def test_a_page_that_is_a_picture_among_others_does_no_harm() -> None:
    def draw(document: FPDF) -> None:
        said(document, "Enough text that it can be read.")
        document.add_page()
        document.rect(20, 20, 50, 50, style="F")

    assert [piece.page for piece in read(pdf(draw))] == [1]


def test_scripts_and_attachments_are_not_looked_at() -> None:
    def draw(document: FPDF) -> None:
        said(document, "This is what a person sees.")
        document.embed_file(bytes=b"attached sesame", basename="sesame.txt", desc="sesame")

    data = pdf(draw)
    action = b"/OpenAction << /S /JavaScript /JS (app.alert('sesame')) >> /Type /Catalog"
    data = data.replace(b"/Type /Catalog", action)
    assert b"app.alert" in data
    assert b"sesame.txt" in data
    assert text_of(read(data)) == "This is what a person sees."


def test_a_damaged_pdf_is_said_to_be_damaged_where_nothing_can_be_saved() -> None:
    whole = pdf(report)
    assert refused(b"%PDF-1.7\n" + bytes(1000)) == "damaged"
    assert refused(whole[: len(whole) // 3]) in ("damaged", "no_text")


def test_a_pdf_of_more_pages_than_are_read_is_refused() -> None:
    def draw(document: FPDF) -> None:
        for _ in range(PAGES):
            document.add_page()

    assert refused(pdf(draw)) == "too_many_pages"
