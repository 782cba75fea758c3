"""What a search was about is marked in the texts that it found."""

from __future__ import annotations

import pytest

from memory.web.highlight import excerpt, whole
from tests.cast import Person
from tests.memory.web.filed import file, home, new_archive


def marked(text: str, query: str) -> list[str]:
    assert "".join(each.text for each in whole(text, query)) == text
    return [each.text for each in excerpt(text, query) if each.is_match]


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("The harbour is closed.", "harbours", ["harbour"]),
        ("The harbour is closed.", "closed harb", ["harbour", "closed"]),
        ("The harbour is closed.", "harb ", []),
        ("我爱老虎。", "老虎", ["老虎"]),
        ("我爱老虎。", "虎", ["老虎"]),
        ("我爱老虎。", "猫", []),
        ("Nothing.", "", []),
    ],
)
def test_words_are_marked_and_what_begins_like_the_last_one(text: str, query: str, marks: list[str]) -> None:
    assert marked(text, query) == marks


@pytest.mark.parametrize("page", ["search/", "archive/"])
def test_a_page_finds_and_marks_a_word_while_it_is_typed(alice: Person, page: str) -> None:
    file(alice, new_archive(alice), "The harbour is closed.", "It rains.")

    shown = alice.browser.get(home(alice, f"{page}?q=harb")).content.decode()

    assert "<mark>harbour</mark>" in shown
