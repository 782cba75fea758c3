"""Previews show the cells of a table with dots between them; what is stored keeps its bars."""

from __future__ import annotations

import re

import pytest

from memory.documents import pipeline
from memory.web.highlight import excerpt
from memory.web.tables import cells_apart
from tests.cast import Person
from tests.memory.web.filed import file, home, new_archive, now_of, upload

TABLE = "| City | Code |\n| --- | --- |\n| Ghent | 9000 |\n| Lille | 59000 |"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (TABLE, "City · Code\nGhent · 9000\nLille · 59000"),
        ("Where:\n\nCity | Code\n:--- | ---:\nGhent | 9000\n\nDone | here", None),
        ("|a|b|\n|-|-|\n|1|2|", "a · b\n1 · 2"),
        ("| Ghent | 9000 |\n| Lille | 59000 |", "Ghent · 9000\nLille · 59000"),
        (r"| a \| b | c |", "a | b · c"),
        ("| Ghent |  | 9000 |", "Ghent · 9000"),
        ("ls | wc -l", "ls | wc -l"),
        ("a || b", "a || b"),
        ("---\ntitle: x\n---", "---\ntitle: x\n---"),
        ("表 | 号\n--- | ---\n根特 | 9000", "表 · 号\n根特 · 9000"),
    ],
    ids=["whole", "bare", "tight", "later-part", "escaped", "gap", "pipe", "or", "rule", "chinese"],
)
def test_cells_stand_apart_and_other_bars_stay(text: str, seen: str | None) -> None:
    assert cells_apart(text) == (seen or "Where:\n\nCity · Code\nGhent · 9000\n\nDone | here")


def test_long_rows_of_bars_are_read_at_once() -> None:
    assert cells_apart("|" + " |" * 100_000).strip(" ·") == ""
    assert cells_apart("|" + "-|" * 100_000) == ""


def test_words_in_a_table_are_marked() -> None:
    pieces = excerpt(TABLE, "Lille")
    assert [each.text for each in pieces if each.is_match] == ["Lille"]
    assert "|" not in "".join(each.text for each in pieces)


@pytest.mark.parametrize("address", ["archive/?q=Ghent", "archive/", "search/?q=Ghent"])
def test_lists_show_no_bars(alice: Person, address: str) -> None:
    (passage,) = file(alice, new_archive(alice), TABLE)
    page = alice.browser.get(home(alice, address)).content.decode()
    (text,) = re.findall(r'<a class="text"[^>]*>(.*?)</a>', page, re.S)
    assert re.sub(r"</?mark>", "", text).split("\n")[:2] == ["City · Code", "Ghent · 9000"]
    assert now_of(alice, passage).content == TABLE


def test_the_parts_of_a_document_show_no_bars_and_their_passages_do(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "cities.md", f"# Cities\n\n{TABLE}\n")
    pipeline.read(document.tenant_id, document.workspace_id, document.id)
    page = alice.browser.get(home(alice, f"documents/{document.id}/")).content.decode()
    assert "Ghent · 9000" in page
    assert "| Ghent" not in page
    (passage,) = re.findall(r'href="([^"]*/passages/[^"]*)"', page)
    shown = alice.browser.get(passage).content.decode()
    assert "| Ghent | 9000 |" in shown
    assert "City | Code" not in re.findall(r"<title>(.*?)</title>", shown, re.S)[0]
