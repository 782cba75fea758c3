"""Word files: what Word shows, and nothing that only looks like a document."""

from typing import Any

import pytest

from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format
from memory.documents.pieces import PieceKind, text_of
from tests.memory.documents.making import (
    TYPES,
    WORD_SPACE,
    paragraph,
    pieces,
    raw_word,
    texts,
    word,
    zipped,
)

NOTE = (
    f'<w:footnotes xmlns:w="{WORD_SPACE}"><w:footnote w:type="separator">{{}}</w:footnote>{{}}</w:footnotes>'
)


def write(document: Any) -> None:
    document.add_heading("Report", 0)
    document.add_heading("Money", 1)
    document.add_paragraph("We earned it.\nAll of it.")
    document.add_paragraph("tea", style="List Bullet")
    document.add_paragraph("rice", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    document.add_paragraph("second", style="List Number")
    document.add_heading("Detail", 2)
    table = document.add_table(2, 3)
    for row, cells in enumerate((("Name", "Town", "Sum"), ("Ann", "Ghent", "7"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text


def test_a_word_file_is_read_by_its_structure() -> None:
    assert [(piece.kind, piece.text, piece.headings) for piece in pieces(word(write), Format.WORD)] == [
        (PieceKind.HEADING, "Report", ("Report",)),
        (PieceKind.HEADING, "Money", ("Money",)),
        (PieceKind.PARAGRAPH, "We earned it.\nAll of it.", ("Money",)),
        (PieceKind.LIST, "- tea\n- rice\n1. first\n2. second", ("Money",)),
        (PieceKind.HEADING, "Detail", ("Money", "Detail")),
        (
            PieceKind.TABLE,
            "| Name | Town | Sum |\n| --- | --- | --- |\n| Ann | Ghent | 7 |",
            ("Money", "Detail"),
        ),
    ]


def test_headings_of_a_chinese_word_are_known_by_their_outline() -> None:
    body = paragraph("第一章", '<w:outlineLvl w:val="0"/>') + paragraph("正文")
    assert pieces(raw_word(body), Format.WORD)[1].headings == ("第一章",)


def test_joined_cells_keep_the_columns() -> None:
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("ab")}</w:tc>'
    cell = "<w:tc>{}</w:tc>".format
    rows = (wide + cell(paragraph("c")), "".join(cell(paragraph(text)) for text in "def"))
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    assert texts(raw_word(body), Format.WORD) == ["| ab |  | c |\n| --- | --- | --- |\n| d | e | f |"]


def test_a_table_within_a_cell_and_a_box_within_a_paragraph_are_read() -> None:
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('in')}</w:tc></w:tr></w:tbl>"
    outer = f"<w:tbl><w:tr><w:tc>{paragraph('a')}{inner}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    box = f"<w:p><w:r><w:t>around</w:t><w:txbxContent>{paragraph('boxed')}</w:txbxContent></w:r></w:p>"
    text = text_of(pieces(raw_word(outer + box), Format.WORD))
    assert "| a in | b |" in text
    assert {"boxed", "around"} <= set(text.split())


@pytest.mark.parametrize(
    "hidden",
    [
        paragraph("sesame", run="<w:vanish/>"),
        f"<w:p><w:del>{paragraph('sesame')}</w:del></w:p>",
        "<w:p><w:r><w:instrText>sesame</w:instrText></w:r></w:p>",
        "<w:p><w:r><w:delText>sesame</w:delText></w:r></w:p>",
    ],
)
def test_what_word_does_not_show_is_not_read(hidden: str) -> None:
    shown = "<w:p><w:r><w:t>sesame</w:t></w:r></w:p>"
    assert texts(raw_word(paragraph("seen") + shown), Format.WORD) == ["seen", "sesame"]
    assert texts(raw_word(paragraph("seen") + hidden), Format.WORD) == ["seen"]


def test_what_was_inserted_with_changes_tracked_is_read() -> None:
    body = "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>" + paragraph("x", run='<w:vanish w:val="0"/>')
    assert texts(raw_word(body), Format.WORD) == ["new", "x"]


def test_text_of_a_hidden_style_is_not_read() -> None:
    style = '<w:style w:styleId="S"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>'
    based = '<w:style w:styleId="T"><w:basedOn w:val="S"/></w:style>'
    styles = f'<w:styles xmlns:w="{WORD_SPACE}">{style}{based}</w:styles>'
    body = paragraph("seen") + paragraph("sesame", '<w:pStyle w:val="T"/>')
    assert texts(raw_word(body), Format.WORD) == ["seen", "sesame"]
    assert texts(raw_word(body, **{"word/styles.xml": styles}), Format.WORD) == ["seen"]


def test_notes_come_after_the_text() -> None:
    notes = NOTE.format(paragraph("line"), f'<w:footnote w:id="2">{paragraph("a note")}</w:footnote>')
    assert texts(raw_word(paragraph("text"), **{"word/footnotes.xml": notes}), Format.WORD) == [
        "text",
        "a note",
    ]


def refused(data: bytes) -> str:
    with pytest.raises(UnreadableDocument) as fault:
        pieces(data, Format.WORD)
    return fault.value.code


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    body = zipped({"[Content_Types].xml": TYPES, "word/document.xml": b" " * 60_000_000})
    assert len(body) < 100_000
    assert refused(body) == "zip_bomb"


def test_many_parts_that_are_large_together_are_refused() -> None:
    part = b"<a>" + bytes(range(256)) * 15_000
    assert refused(zipped({f"word/media/{number}.xml": part for number in range(60)})) == "zip_bomb"


def test_so_are_more_parts_than_a_document_has() -> None:
    assert refused(zipped({f"word/{number}": "x" for number in range(5_001)})) == "zip_bomb"


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "https://example.org/x.dtd">',
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
        "<!DOCTYPE x>",
    ],
)
def test_entities_are_refused_where_they_are_declared(declared: str) -> None:
    assert texts(raw_word(paragraph("x")), Format.WORD) == ["x"]
    assert refused(raw_word(paragraph("&e;"), before=declared)) == "external_entity"


def test_a_damaged_file_is_said_to_be_damaged() -> None:
    whole = word(write)
    assert refused(whole[: len(whole) // 2]) == "damaged"
    assert refused(raw_word("<w:p>")) == "damaged"
    assert refused(zipped({"[Content_Types].xml": TYPES, "other.xml": "<a/>"})) == "damaged"


def test_elements_may_be_nested_deeply() -> None:
    deep = "<w:sdt>" * 20_000 + paragraph("bottom") + "</w:sdt>" * 20_000
    assert texts(raw_word(deep), Format.WORD) == ["bottom"]
