"""The plain search that ours is compared with is BM25, and finds what shares words."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from evaluation.plain import PlainSearch, answers, terms
from evaluation.samples import Chat, Line, Question, Sample


def lines(*texts: str) -> tuple[Line, ...]:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    return tuple(Line(f"m{number}", "s", at, "Ann", text) for number, text in enumerate(texts, 1))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我养了猫", ["我养", "养了", "了猫"]),
        ("猫", ["猫"]),
        ("一只 Cat, E42!", ["一只", "cat", "e42"]),
        ("?!", []),
    ],
)
def test_han_is_read_by_pairs_and_other_words_whole(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_a_line_with_the_rarer_word_comes_first() -> None:
    search = PlainSearch(lines("the dog", "the cat", "the fish", "the bird"))
    assert search.find("the cat", 10) == ("m2", "m1", "m3", "m4")
    assert search.find("the cat", 1) == ("m2",)


def test_the_shorter_of_two_lines_comes_first_and_what_shares_nothing_not_at_all() -> None:
    search = PlainSearch(lines("a cat that sleeps for most of the day", "cat", "rain"))
    assert search.find("cat", 10) == ("m2", "m1")


def test_a_word_that_stands_twice_counts_more_but_not_twice() -> None:
    search = PlainSearch(lines("cat cat dog", "cat eel dog", "ant bee fly"))
    # Equal lengths: the norm is K1 for each. Twice: 2 * 2.2 / 3.2 of the rarity; once: 1.
    twice = 2 * 2.2 / 3.2
    assert search.find("cat", 2) == ("m1", "m2")
    # "eel" is rarer than "cat" by more than that.
    assert math.log(1 + 2.5 / 1.5) > twice * math.log(1 + 1.5 / 2.5)
    assert search.find("cat eel", 2) == ("m2", "m1")


def test_each_question_is_answered_from_all_chats_of_a_sample() -> None:
    chats = (Chat("one", lines("a cat")[:1]), Chat("two", (lines("x", "a dog")[1],)))
    sample = Sample("s", chats, (Question("dog?", "name", frozenset({"m2"})),))
    (found,) = answers(sample, sample.questions, 5)
    assert found.found == ("m2",)


def test_nothing_is_found_in_nothing() -> None:
    assert PlainSearch(()).find("cat", 5) == ()
    assert PlainSearch(lines("!!")).find("cat", 5) == ()
