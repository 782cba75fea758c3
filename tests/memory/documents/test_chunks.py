"""Chunks: what is found as one. Whole where it fits, never too long, and each knows its place."""

import pytest

from memory.documents.chunking import MOST_TOKENS, Chunk, chunks
from memory.documents.kinds import Format
from memory.documents.pieces import Piece, text_of
from memory.tokens import count
from tests.memory.documents.making import pdf, pieces, tabled

ENGLISH = "The committee met on Tuesday, as it does each month; nobody of its members was absent. "
CHINESE = "项目的截止日期是十二月三日，负责人是李雷。请在本周五之前提交所有的文件！"
ROWS = "\n".join(f"| bolt {number} | {number} |" for number in range(400))
TABLE = f"# Prices\n\n| Part | Price |\n| --- | --- |\n{ROWS}"
SECTIONS = "\n\n".join(f"## Section {number}\n\n{ENGLISH * 25}" for number in range(4))
CODE = "\n\n".join(
    f"def function_{number}(a):\n    b = a + {number}\n    return b * 2\n" for number in range(90)
)

DOCUMENTS = {
    "paragraphs": ("\n\n".join([ENGLISH * 6] * 30), Format.TEXT),
    "chinese": ((CHINESE * 200), Format.TEXT),
    "table": (TABLE, Format.MARKDOWN),
    "wide rows": (
        "| a | b |\n| --- | --- |\n" + "\n".join(f"| {ENGLISH * 30} | {CHINESE * 20} |" for _ in range(3)),
        Format.MARKDOWN,
    ),
    "long header": (f"| {ENGLISH * 30} | b |\n| --- | --- |\n| c | d |", Format.MARKDOWN),
    "list": ("\n".join(f"- {ENGLISH * 2}" for _ in range(60)), Format.MARKDOWN),
    "sections": (f"# All\n\n{SECTIONS}", Format.MARKDOWN),
    "headings only": ("\n\n".join(f"# {ENGLISH}{number}" for number in range(200)), Format.MARKDOWN),
    "code": (CODE, Format.CODE),
    "one long line": ("word " * 20_000, Format.TEXT),
    "one long word": ("x" * 50_000, Format.TEXT),
    "signs": ("." * 50_000 + "!?" * 20_000 + "…" * 9_000, Format.TEXT),
    "pictures": ("👩‍👩‍👧‍👦🏳️‍🌈" * 3_000, Format.TEXT),
    "deep": ("\n".join(f"{'  ' * depth}- {ENGLISH}" for depth in range(40)), Format.MARKDOWN),
}


def read(name: str) -> tuple[list[Piece], str]:
    text, kind = DOCUMENTS[name]
    found = pieces(text.encode(), kind, "python")
    return found, text_of(found)


@pytest.mark.parametrize("most", [60, MOST_TOKENS])
@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_no_chunk_is_over_the_limit_and_nothing_is_lost(name: str, most: int) -> None:
    found, text = read(name)
    made = chunks(found, most_tokens=most)
    assert made
    assert all(chunk.tokens == count(chunk.text) <= most for chunk in made)
    assert all(chunk.text.endswith(text[chunk.start : chunk.end]) for chunk in made)
    assert all(before.end <= after.start for before, after in zip(made, made[1:], strict=False))
    kept = "".join(text[chunk.start : chunk.end] for chunk in made)
    assert "".join(kept.split()) == "".join(text.split())


@pytest.mark.parametrize("name", ["paragraphs", "chinese", "list", "code", "sections", "one long line"])
def test_chunks_are_of_a_useful_size(name: str) -> None:
    sizes = [chunk.tokens for chunk in chunks(read(name)[0])]
    assert min(sizes) >= MOST_TOKENS / 2 * 0.7


def test_sentences_stay_whole_in_both_languages() -> None:
    for name, end in (("paragraphs", "."), ("chinese", "！")):
        assert all(chunk.text[-1] in (end, "。") for chunk in chunks(read(name)[0]))


def test_a_name_with_a_point_does_not_end_a_sentence() -> None:
    text = "It was Dr. Who, e.g. the one of Fig. 3, who saw J. R. Smith there. " * 20
    made = chunks(pieces(text.encode(), Format.TEXT), most_tokens=30)
    assert {chunk.text for chunk in made} == {text[:67].strip()}


def test_the_parts_of_a_table_have_its_header() -> None:
    made = chunks(read("table")[0])
    assert len(made) > 3
    assert all("| Part | Price |\n| --- | --- |\n| bolt" in chunk.text for chunk in made)
    assert all(chunk.headings == ["Prices"] for chunk in made)
    assert all(chunk.kind == "table" for chunk in made)


def test_a_table_over_three_pages_has_its_header_and_pages_in_each_part() -> None:
    rows = [("Name", "Sum")] + [(f"Person {number}", str(number)) for number in range(120)]
    made = chunks(pieces(pdf(lambda document: tabled(document, rows)), Format.PDF))
    assert all(chunk.text.startswith("| Name | Sum |\n| --- | --- |\n| Person") for chunk in made)
    assert made[0].page == 1
    assert (made[-1].last_page or 0) >= 3
    assert all((chunk.page or 0) <= (chunk.last_page or 0) for chunk in made)


def test_a_chunk_carries_the_path_of_its_headings_and_ends_at_the_next() -> None:
    made = chunks(read("sections")[0])
    assert {tuple(chunk.headings) for chunk in made} == {("All", f"Section {number}") for number in range(4)}


def test_small_sections_beside_one_another_are_put_together() -> None:
    text = "# Questions\n\n" + "\n\n".join(f"## Q{number}\n\nAnswer {number}." for number in range(6))
    (only,) = chunks(pieces(text.encode(), Format.MARKDOWN))
    assert only.headings == ["Questions"]
    assert "Q5\n\nAnswer 5." in only.text


def test_sections_of_different_chapters_are_not() -> None:
    chapter = "# {0}\n\n## {0}.1\n\n" + ENGLISH * 5
    text = "\n\n".join(chapter.format(name) for name in ("Tea", "Rice"))
    made = chunks(pieces(text.encode(), Format.MARKDOWN))
    assert [chunk.headings for chunk in made] == [["Tea", "Tea.1"], ["Rice", "Rice.1"]]


def test_a_heading_does_not_end_a_chunk() -> None:
    text = "\n\n".join(f"## Section {number}\n\n{ENGLISH * 12}" for number in range(12))
    for chunk in chunks(pieces(text.encode(), Format.MARKDOWN)):
        assert not chunk.text.splitlines()[-1].startswith("Section")


def test_functions_stay_whole() -> None:
    for chunk in chunks(read("code")[0]):
        assert chunk.text.startswith("def ")
        assert chunk.text.endswith("return b * 2")


def test_a_document_of_a_hundred_thousand_tokens_is_cut() -> None:
    text = "\n\n".join(f"# Part {number}\n\n{ENGLISH * 40}" for number in range(140))
    assert count(text) > 100_000
    made = chunks(pieces(text.encode(), Format.MARKDOWN))
    assert sum(chunk.tokens for chunk in made) > 100_000
    assert max(chunk.tokens for chunk in made) <= MOST_TOKENS


def test_nothing_makes_no_chunks() -> None:
    empty: list[Chunk] = []
    assert chunks([]) == empty
