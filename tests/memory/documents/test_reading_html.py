"""HTML: what a person sees."""

import pytest

from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format
from memory.documents.pieces import PieceKind, text_of
from tests.memory.documents.making import pieces, texts

HIDDEN = [
    "<p hidden>{}</p>",
    "<p style='display: none'>{}</p>",
    "<p style='color:red;DISPLAY:none !important'>{}</p>",
    "<div style='visibility:hidden'><p>{}</p></div>",
    "<span style='font-size:0'>{}</span>",
    "<span style='font-size: 0px;'>{}</span>",
    "<span style='opacity:0'>{}</span>",
    "<p style='position:absolute; left:-9999px'>{}</p>",
    "<p style='text-indent:-999em'>{}</p>",
    "<p style='color:#fff'>{}</p>",
    "<script>{}</script>",
    "<style>p {{ content: '{}' }}</style>",
    "<template><p>{}</p></template>",
    "<noscript>{}</noscript>",
    "<!-- {} -->",
    "<title>{}</title>",
    "<img src='https://example.org/x.png' alt='{}'>",
    "<input type='hidden' value='{}'>",
    "<iframe srcdoc='{0}'>{0}</iframe>",
    "<svg><text>{}</text></svg>",
    "<style>.x, #y {{ display:none }}</style><p class=x>{}</p>",
    "<style>/* a */ div > p.q {{ visibility: hidden }}</style><div><p class=q>{}</p></div>",
    "<p hidden>before<p style='display:none'>{}",
]
SHOWN = [
    "<p>{}</p>",
    "<a href='https://example.org'>{}</a>",
    "<p style='opacity:0.9; font-size:10px'>{}</p>",
    "<p style='color:#fff; background:#000'>{}</p>",
    "<p hidden>before<p>{}",
    "<style>@media print {{ .x {{ display:none }} }}</style><p class=x>{}</p>",
    "<style>.y {{ display:none }} )( {{ display:none }}</style><p class=x>{}</p>",
    "<details><summary>more</summary>{}</details>",
]


@pytest.mark.parametrize("page", SHOWN)
def test_what_is_seen_is_read(page: str) -> None:
    assert "open sesame" in text_of(pieces(page.format("open sesame").encode(), Format.HTML))


@pytest.mark.parametrize("page", HIDDEN)
def test_what_is_hidden_is_not_read(page: str) -> None:
    text = text_of(pieces(f"<p>seen</p>{page.format('open sesame')}".encode(), Format.HTML))
    assert "seen" in text
    assert "sesame" not in text


def test_headings_lead_to_what_stands_under_them() -> None:
    page = b"<h1>Guide <b>2</b></h1><h2>Parts</h2><p>One<h2>Tools</h2><div>Two<br>three</div>tail"
    found = [(piece.text, piece.headings) for piece in pieces(page, Format.HTML)]
    assert found == [
        ("Guide 2", ("Guide 2",)),
        ("Parts", ("Guide 2", "Parts")),
        ("One", ("Guide 2", "Parts")),
        ("Tools", ("Guide 2", "Tools")),
        ("Two\nthree", ("Guide 2", "Tools")),
        ("tail", ("Guide 2", "Tools")),
    ]


def test_lists_keep_their_marks_and_depth() -> None:
    page = b"<ul><li>one<ol><li>first<p>more</p><li>second</ol><li>two</ul>"
    assert texts(page, Format.HTML) == ["- one\n  1. first\n    more\n  2. second\n- two"]


def test_tables_keep_their_columns_where_cells_are_joined() -> None:
    page = (
        b"<table><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<td>3<tr><td>x<td>y|z"
        b"<tr><td colspan=2>w<td>v</table>"
    )
    (table,) = pieces(page, Format.HTML)
    assert table.kind == PieceKind.TABLE
    assert table.text.splitlines() == [
        "| A | B | C |",
        "| --- | --- | --- |",
        "| 1 | 2 | 3 |",
        r"|  | x | y\|z |",
        "| w |  | v |",
    ]
    assert table.header == "| A | B | C |\n| --- | --- | --- |"


def test_a_table_of_one_column_only_lays_out() -> None:
    assert [piece.kind for piece in pieces(b"<table><tr><td>a<tr><td>b</table>", Format.HTML)] == [
        PieceKind.PARAGRAPH,
        PieceKind.PARAGRAPH,
    ]


def test_code_keeps_its_lines() -> None:
    (code,) = pieces(b"<pre><code>def f():\n    return 1\n</code></pre>", Format.HTML)
    assert (code.kind, code.text) == (PieceKind.CODE, "def f():\n    return 1")


def test_entities_are_characters_and_chinese_is_read_in_its_encoding() -> None:
    page = "<p>茶 &amp; 米饭，都是我们喜欢的。</p>".encode("gb18030")
    assert texts(page, Format.HTML) == ["茶 & 米饭，都是我们喜欢的。"]


def test_a_page_may_be_nested_as_deeply_as_browsers_show_it() -> None:
    assert texts(b"<div>" * 1000 + b"bottom", Format.HTML) == ["bottom"]


@pytest.mark.parametrize("tag", ["div", "UL", "section class='a>b'", "blockquote"])
def test_one_that_is_nested_more_deeply_is_refused_before_it_is_parsed(tag: str) -> None:
    with pytest.raises(UnreadableDocument) as fault:
        texts(f"<{tag}>".encode() * 1001 + b"bottom", Format.HTML)
    assert fault.value.code == "too_deep"


def test_an_end_without_a_beginning_makes_nothing_shallower() -> None:
    with pytest.raises(UnreadableDocument):
        texts(b"<div></ul></x>" * 1001, Format.HTML)


@pytest.mark.parametrize(
    "page",
    [
        "<div>x</div>" * 2000,
        "<ul>" + "<li><p>x" * 2000 + "</ul>",
        "<table>" + "<tr><td>x" * 2000,
        "<font size=2><b>x" * 2000,
        "<p>x<!--" + "<div>" * 2000 + "-->",
        "<p>x<script>" + "'<div>';" * 2000 + "</script>",
        "<p title='" + "<div>" * 2000 + "'>x",
    ],
)
def test_what_only_looks_deep_is_read(page: str) -> None:
    assert "x" in " ".join(texts(page.encode(), Format.HTML))
