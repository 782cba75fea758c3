"""Days that a text names are read, in English and Chinese."""

import random
from datetime import date

import pytest

from memory.days import Span, day_words, named_in, without_days

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2023-05-07", date(2023, 5, 7), date(2023, 5, 8)),
        ("on 7 May 2023", date(2023, 5, 7), date(2023, 5, 8)),
        ("on May 7th, 2023", date(2023, 5, 7), date(2023, 5, 8)),
        ("Dec. 2022", date(2022, 12, 1), date(2023, 1, 1)),
        ("what happened in 2023?", date(2023, 1, 1), date(2024, 1, 1)),
        ("yesterday", date(2026, 11, 29), date(2026, 11, 30)),
        ("last Monday", date(2026, 11, 23), date(2026, 11, 24)),
        ("last week", date(2026, 11, 23), date(2026, 11, 30)),
        ("two weeks ago", date(2026, 11, 16), date(2026, 11, 23)),
        ("a year ago", date(2025, 1, 1), date(2026, 1, 1)),
        ("last month", date(2026, 10, 1), date(2026, 11, 1)),
        ("我们2023年5月7日说了什么", date(2023, 5, 7), date(2023, 5, 8)),
        ("二〇二三年十二月", date(2023, 12, 1), date(2024, 1, 1)),
        ("昨天", date(2026, 11, 29), date(2026, 11, 30)),
        ("前天", date(2026, 11, 28), date(2026, 11, 29)),
        ("十五天前", date(2026, 11, 15), date(2026, 11, 16)),
        ("上周五", date(2026, 11, 27), date(2026, 11, 28)),
        ("上个星期天", date(2026, 11, 29), date(2026, 11, 30)),
        ("上个月", date(2026, 10, 1), date(2026, 11, 1)),
        ("去年", date(2025, 1, 1), date(2026, 1, 1)),
    ],
)
def test_it_reads_a_day_a_week_a_month_or_a_year(text: str, start: date, end: date) -> None:
    assert named_in(text, MONDAY) == [Span(start, end)]


@pytest.mark.parametrize("text", ["on May 7", "on the 7th of May", "5月7号", "五月七日"])
def test_it_takes_a_day_without_a_year_for_that_of_every_year(text: str) -> None:
    (span,) = named_in(text, MONDAY)

    assert span.nearness(date(2019, 5, 7)) == span.nearness(date(2023, 5, 7)) == 1
    assert span.nearness(date(2023, 8, 7)) < 0.01


def test_it_takes_the_last_of_february_for_a_day_that_a_year_does_not_have() -> None:
    (span,) = named_in("on February 29", MONDAY)

    assert span.nearness(date(2023, 2, 28)) == span.nearness(date(2024, 2, 29)) == 1


@pytest.mark.parametrize(
    "text", ["May I ask", "第99月", "2023-13-45", "0000年0月0日", "99999 years ago", "march on"]
)
def test_it_reads_no_day_where_none_is_meant(text: str) -> None:
    assert [span for span in named_in(text, MONDAY) if (span.end - span.start).days < 300] == []


def test_it_reads_each_day_of_several() -> None:
    assert len(named_in("between 3 May 2023 and 9 May 2023, not in June 2024", MONDAY)) == 3


def test_what_is_told_soon_after_is_nearer_than_what_was_said_long_before() -> None:
    day = Span(date(2023, 5, 7), date(2023, 5, 8))

    nearness = [day.nearness(date(2023, 5, number)) for number in (7, 8, 20, 5)]

    assert nearness[0] == 1
    assert 1 > nearness[1] > nearness[2] > 0
    assert nearness[3] < nearness[1]


def test_a_day_reads_as_it_is_written_beside_a_message() -> None:
    assert day_words(date(2023, 5, 7)) == "7 May 2023"
    assert named_in(day_words(date(2023, 5, 7)), MONDAY) == [Span(date(2023, 5, 7), date(2023, 5, 8))]


def test_it_takes_anything_without_a_fault() -> None:
    dice = random.Random(7)
    signs = [
        "1二月",
        "十十",
        "号",
        "年",
        "2023",
        "-",
        "99",
        "前",
        "天",
        "个",
        "周五",
        "上",
        " ",
        "May",
        "ago",
        "days",
        "٣",
        "零",
    ]
    read = 0
    for _round in range(3000):
        spans = named_in("".join(dice.choices(signs, k=8)), MONDAY)
        read += len(spans)
        assert all(0 <= span.nearness(day) <= 1 for span in spans for day in (date.min, MONDAY, date.max))
    assert read > 100


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("panda on 3 May 2023", "panda on           "),
        ("2023年5月3日 熊猫", "          熊猫"),
        ("昨天说了什么", "  说了什么"),
        ("on 2023-13-45 we met", "on 2023-13-45 we met"),
        ("no day at all", "no day at all"),
    ],
)
def test_a_text_is_left_without_the_days_that_it_names(text: str, left: str) -> None:
    assert without_days(text, MONDAY) == left
