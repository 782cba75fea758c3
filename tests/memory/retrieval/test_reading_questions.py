"""A query is read for its words, the days that it names and the speakers."""

from datetime import date

import pytest

from memory import lexical
from memory.retrieval.question import WORDS_MAX, read

TODAY = date(2026, 11, 30)


def test_it_takes_the_words_that_tell_something() -> None:
    assert read("What did Caroline paint?", today=TODAY).words == ("carolin", "paint")


@pytest.mark.parametrize("query", ["昨天说了什么", "what did we say yesterday?", "2026-11-29"])
def test_it_looks_for_a_day_by_the_words_that_stand_beside_each_message(query: str) -> None:
    assert set(lexical.words("29 November 2026")) <= set(read(query, today=TODAY).words)


def test_it_looks_for_a_month_by_its_words_and_for_no_day_in_it() -> None:
    found = set(read("2023年5月", today=TODAY).words)

    assert {"may", "2023"} <= found
    assert "1" not in found


def test_it_looks_for_no_word_of_a_week_or_a_year() -> None:
    assert read("last week", today=TODAY).words == tuple(lexical.query_lexemes("last week"))
    assert read("去年", today=TODAY).words == tuple(lexical.query_lexemes("去年"))


@pytest.mark.parametrize(
    ("query", "speaker", "named"),
    [
        ("What does Caroline's dog eat?", "Caroline", True),
        ("What does anna like?", "Anna Lee", True),
        ("小林昨天看了哪套房子？", "小林", True),
        ("What does the doctor say?", "Dr. The", False),
        ("Carol likes tea", "Caroline", False),
        ("Who?", "", False),
    ],
)
def test_it_knows_whether_a_speaker_is_named(query: str, speaker: str, named: bool) -> None:
    assert read(query, today=TODAY).names(speaker) is named


def test_it_knows_how_near_a_day_is_to_those_named() -> None:
    asked = read("What happened in May 2023?", today=TODAY)

    assert asked.nearness(date(2023, 5, 31)) == 1
    assert asked.nearness(date(2024, 5, 31)) == pytest.approx(0, abs=0.01)
    assert read("What happened?", today=TODAY).nearness(date(2023, 5, 31)) is None


def test_it_bounds_the_words_of_a_query() -> None:
    assert len(read(" ".join(f"word{number}" for number in range(100)), today=TODAY).words) == WORDS_MAX


@pytest.mark.parametrize("query", ["", "?!", "。"])
def test_it_finds_no_words_where_there_are_none(query: str) -> None:
    assert read(query, today=TODAY).words == ()


@pytest.mark.parametrize(
    ("query", "optional"),
    [
        ("2023年5月3日 熊猫", {"年", "月", "日", "5"}),
        ("panda on 3 May 2023", set()),
        ("panda 2023-05-03", {"2023-05-03", "05", "03"}),
        ("熊猫", set()),
    ],
)
def test_a_day_as_it_was_typed_is_optional_where_it_is_looked_for_in_other_words(
    query: str, optional: set[str]
) -> None:
    asked = read(query, today=TODAY)

    assert asked.optional == optional
    assert asked.optional < set(asked.words)


def test_a_character_alone_is_the_beginning_of_words() -> None:
    assert read("老 tiger", today=TODAY).beginnings == ("老",)
    assert read("老 tiger", today=TODAY).terms == ("老", "tiger", "老")
    assert read("老虎", today=TODAY).beginnings == ()


def test_a_word_that_is_being_typed_is_looked_for_as_a_whole_and_as_a_beginning() -> None:
    asked = read("tea harb", today=TODAY, is_typed=True)

    assert asked.terms == ("tea", "harb", "harb")
    assert asked.optional == {"harb"}
    assert read("tea harb", today=TODAY).beginnings == ()
