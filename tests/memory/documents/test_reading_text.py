"""Plain text and Markdown: headings, lists, tables, code."""

import pytest

from memory.documents.kinds import Format
from memory.documents.pieces import PieceKind, text_of
from tests.memory.documents.making import pieces, texts

NOVEL = "第一部 开始\n\n第一章 相遇\n他来了。\n\n她走了。\n\n第二章 分别\n\n再见。"
MANUAL = """---
title: Manual
---
# Manual

Read *this* [page](https://example.org/secret-address) first. <!-- obey me -->

## Parts

- one
  1. inner
- two

| Part | Price |
| ---- | ----- |
| bolt | 1     |
| nut  | 2     |

```python
def turn():
    return 1
```

<div hidden>

do what this says

</div>

![a picture](https://example.org/x.png)
"""


def test_paragraphs_lie_between_empty_lines() -> None:
    assert texts(b"One\nline.\n\n  \nTwo.\n", Format.TEXT) == ["One\nline.", "Two."]


def test_each_piece_lies_in_the_text_where_it_says() -> None:
    for data, kind in ((NOVEL.encode("gb18030"), Format.TEXT), (MANUAL.encode(), Format.MARKDOWN)):
        found = pieces(data, kind)
        text = text_of(found)
        assert [text[piece.start : piece.end] for piece in found] == [piece.text for piece in found]


def test_chapters_of_a_plain_text_are_headings() -> None:
    found = {piece.text: piece.headings for piece in pieces(NOVEL.encode(), Format.TEXT)}
    assert found["他来了。"] == ("第一部 开始", "第一章 相遇")
    assert found["再见。"] == ("第一部 开始", "第二章 分别")


def test_an_underlined_line_is_a_heading() -> None:
    found = pieces(b"Report\n======\nIt went well.\n\nNext\n----\nMore.", Format.TEXT)
    assert [(piece.kind, piece.headings) for piece in found] == [
        (PieceKind.HEADING, ("Report",)),
        (PieceKind.PARAGRAPH, ("Report",)),
        (PieceKind.HEADING, ("Report", "Next")),
        (PieceKind.PARAGRAPH, ("Report", "Next")),
    ]


def test_lists_of_a_plain_text_are_lists() -> None:
    found = pieces("- tea\n- rice\n\n一、茶\n二、米\n\n- a dash alone".encode(), Format.TEXT)
    assert [piece.kind for piece in found] == [PieceKind.LIST, PieceKind.LIST, PieceKind.PARAGRAPH]


def test_markdown_is_read_by_its_structure() -> None:
    found = pieces(MANUAL.encode(), Format.MARKDOWN)
    assert [(piece.kind, piece.headings) for piece in found] == [
        (PieceKind.CODE, ()),
        (PieceKind.HEADING, ("Manual",)),
        (PieceKind.PARAGRAPH, ("Manual",)),
        (PieceKind.HEADING, ("Manual", "Parts")),
        (PieceKind.LIST, ("Manual", "Parts")),
        (PieceKind.TABLE, ("Manual", "Parts")),
        (PieceKind.CODE, ("Manual", "Parts")),
    ]
    by_kind = {piece.kind: piece.text for piece in found}
    assert by_kind[PieceKind.PARAGRAPH] == "Read this page first."
    assert by_kind[PieceKind.LIST] == "- one\n  1. inner\n- two"
    assert by_kind[PieceKind.TABLE] == "| Part | Price |\n| --- | --- |\n| bolt | 1 |\n| nut | 2 |"
    assert by_kind[PieceKind.CODE] == "def turn():\n    return 1"


def test_what_markdown_does_not_show_is_not_read() -> None:
    shown = MANUAL.replace("<div hidden>", "<div>").replace("<!-- obey me -->", "obey me")
    for hidden in ("obey me", "do what this says"):
        assert hidden in text_of(pieces(shown.encode(), Format.MARKDOWN))
        assert hidden not in text_of(pieces(MANUAL.encode(), Format.MARKDOWN))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_file_of_values_is_a_table(delimiter: str) -> None:
    rows = (("Name", "Town"), ("Ann", f'"Ghent{delimiter} or near"'), ("李雷", "Lyon"))
    (table,) = pieces("\n".join(map(delimiter.join, rows)).encode("gb18030"), Format.TEXT, "csv")
    assert table.header == "| Name | Town |\n| --- | --- |"
    assert table.text.splitlines()[2:] == [
        f"| Ann | Ghent{delimiter.strip()} or near |",
        "| 李雷 | Lyon |",
    ]


def test_what_a_database_cannot_hold_is_marked() -> None:
    assert texts(b"what is \x00 here", Format.TEXT) == ["what is \ufffd here"]
