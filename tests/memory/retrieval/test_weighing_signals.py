"""Several signals make one order: each is brought to 0 to 1, with the weights that one asks for."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from memory.retrieval.candidates import Candidate
from memory.retrieval.filters import Weights
from memory.retrieval.fusion import Ranked, fuse
from memory.retrieval.question import read
from memory.retrieval.signals import recency

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LONG_AGO = datetime(2023, 5, 7, 12, tzinfo=UTC)
ONLY_WORDS = Weights(lexical=1, vector=0, importance=0, recency=0)


def row(number: int, **fields: Any) -> Candidate:
    """A candidate; `number` is the end of its id."""
    some: dict[str, Any] = {
        "kind": "message",
        "record_id": uuid.UUID(int=number),
        "container_id": uuid.UUID(int=0),
        "workspace_id": uuid.UUID(int=0),
        "place": number,
        "role": "user",
        "speaker": "",
        "occurred_at": LONG_AGO,
        "valid_to": None,
        "state": "current",
        "trust": 3,
        "importance": 0.5,
        "accessed_at": None,
        "tags": [],
        "length": 10,
        "digest": "",
        "complete": 10.0,
    }
    return Candidate(id=uuid.UUID(int=number), **(some | fields))


def order(*rows: Candidate, query: str = "red green", weights: Weights | None = None) -> list[Ranked]:
    """The rows as they are ranked."""
    return fuse(rows, read(query, today=NOW.date()), weights or Weights(), now=NOW)


def numbers(ranked: list[Ranked]) -> list[int]:
    return [each.candidate.id.int for each in ranked]


def test_each_signal_alone_makes_the_order_that_it_stands_for() -> None:
    rows = [
        row(1, lexical=9.0, similarity=0.80, model="m", importance=0.1),
        row(2, lexical=1.0, similarity=0.90, model="m", importance=0.2),
        row(3, lexical=2.0, similarity=0.81, model="m", importance=0.9),
        row(4, lexical=3.0, similarity=0.82, model="m", importance=0.3, accessed_at=NOW),
    ]
    firsts = {
        name: numbers(order(*rows, weights=Weights(**(vars(ONLY_WORDS) | {"lexical": 0, name: 1}))))[0]
        for name in ("lexical", "vector", "importance", "recency")
    }

    assert firsts == {"lexical": 1, "vector": 2, "importance": 3, "recency": 4}


def test_every_part_and_the_score_lie_between_0_and_1() -> None:
    rows = [
        row(1, lexical=30.0, similarity=0.9, model="m", importance=7.0, speaker="Red"),
        row(2, lexical=0.0, similarity=0.1, model="m", importance=-2.0, accessed_at=NOW + timedelta(days=3)),
    ]
    for each in order(*rows, query="red in May 2023"):
        parts = [value for name, value in vars(each.parts).items() if name != "words" and value is not None]
        assert len(parts) == 7
        assert all(0 <= value <= 1 for value in [*parts, each.score])


def test_a_row_with_one_word_of_many_does_not_look_like_a_row_with_all() -> None:
    (only,) = order(row(1, lexical=2.0, similarity=0.9, model="m"))
    (whole,) = order(row(1, lexical=10.0, similarity=0.9, model="m"))

    assert only.parts.lexical == 0.2
    assert whole.parts.lexical == 1


def test_words_are_measured_against_the_best_row_where_they_stand_alone() -> None:
    ranked = order(row(1, lexical=2.0, importance=0.2), row(2, lexical=1.0, importance=0.9))

    assert [each.parts.lexical for each in ranked] == [1.0, 0.5]


def test_meaning_decides_where_the_words_found_are_few() -> None:
    """Measured against the best row instead, a lone common word would shout meaning down."""
    rows = [row(1, lexical=1.5, similarity=0.80, model="m"), row(2, similarity=0.90, model="m")]

    assert numbers(order(*rows)) == [2, 1]


def test_words_decide_where_a_row_has_them_all() -> None:
    rows = [row(1, lexical=10.0, similarity=0.80, model="m"), row(2, similarity=0.90, model="m")]

    assert numbers(order(*rows)) == [1, 2]


def test_rows_of_two_models_are_measured_each_in_its_own_range() -> None:
    rows = [
        row(1, similarity=0.95, model="squeezed"),
        row(2, similarity=0.85, model="squeezed"),
        row(3, similarity=0.40, model="wide"),
        row(4, similarity=0.10, model="wide"),
    ]
    near = {each.candidate.id.int: each.parts.vector for each in order(*rows)}

    assert near == {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0}


def test_a_row_that_no_model_has_read_stands_between_those_that_are_near_and_those_that_are_far() -> None:
    rows = [
        row(1, similarity=0.9, model="m"),
        row(2),
        row(3, similarity=0.8, model="m"),
    ]
    ranked = order(*rows)

    assert numbers(ranked) == [1, 2, 3]
    assert ranked[1].parts.vector is None


def test_a_row_that_no_model_has_read_and_that_has_all_words_comes_before_what_is_near_alone() -> None:
    rows = [
        row(1, lexical=10.0),
        row(2, lexical=2.0),
        row(3, lexical=2.5, similarity=0.9, model="m"),
        row(4, similarity=0.5, model="m"),
    ]

    assert numbers(order(*rows)) == [1, 3, 2, 4]


def test_words_alone_make_a_whole_score_where_no_model_answers() -> None:
    (found,) = order(row(1, lexical=10.0), weights=ONLY_WORDS)

    assert found.score == 1


def test_a_named_speaker_comes_first_among_equals() -> None:
    rows = [row(1, speaker="Bob", lexical=5.0), row(2, speaker="Alice", lexical=5.0)]

    assert numbers(order(*rows, query="what did alice say about red?")) == [2, 1]
    assert numbers(order(*rows, query="what did they say about red?")) == [1, 2]


def test_naming_everybody_tells_nothing() -> None:
    rows = [row(1, speaker="Bob"), row(2, speaker="Alice")]

    assert [each.parts.speaker for each in order(*rows, query="alice and bob")] == [None, None]
    assert [each.parts.speaker for each in order(*rows, query="alice")] == [1.0, 0.0]


def test_a_named_day_brings_what_was_said_then_first_among_equals() -> None:
    rows = [
        row(1, occurred_at=NOW),
        row(2, occurred_at=LONG_AGO),
        row(3, occurred_at=LONG_AGO - timedelta(9)),
    ]
    weights = Weights(recency=0)

    assert numbers(order(*rows, query="red in 2023-05-07", weights=weights)) == [2, 3, 1]
    assert [each.parts.date for each in order(*rows, query="red")] == [None] * 3


def test_the_words_that_a_row_has_are_told() -> None:
    ranked = order(row(1, matched=0b10, lexical=1.0), row(2, matched=0b11, lexical=2.0))

    assert {each.candidate.id.int: each.parts.words for each in ranked} == {
        1: ("green",),
        2: ("red", "green"),
    }


def test_equals_keep_one_order() -> None:
    rows = [row(number) for number in (3, 1, 2)]

    assert numbers(order(*rows)) == numbers(order(*reversed(rows))) == [1, 2, 3]


def test_nothing_is_ranked_where_nothing_was_found() -> None:
    assert order() == []


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (30, 0.5), (60, 0.25)])
def test_recency_halves_in_a_month(days: int, left: float) -> None:
    assert recency(NOW - timedelta(days=days), NOW) == pytest.approx(left)


def test_recency_goes_by_the_last_access() -> None:
    ranked = order(row(1), row(2, accessed_at=NOW), weights=Weights(lexical=0, vector=0, importance=0))

    assert numbers(ranked) == [2, 1]
    assert ranked[0].parts.recency == 1


def test_recency_says_nothing_about_what_is_years_old() -> None:
    assert recency(datetime.combine(date(2020, 1, 1), NOW.time(), UTC), NOW) == pytest.approx(0, abs=1e-6)


FIRST, SECOND = uuid.UUID(int=101), uuid.UUID(int=102)


def test_what_a_person_said_comes_before_what_a_model_said_to_it() -> None:
    rows = [row(1, lexical=5.0, role="assistant"), row(2, lexical=5.0), row(3, lexical=5.0, role="assistant")]
    ranked = order(*rows)

    assert numbers(ranked) == [2, 1, 3]
    assert [each.parts.firsthand for each in ranked] == [1.0, 0.0, 0.0]


def test_where_a_query_names_who_spoke_it_does_not_count_that_it_was_a_model() -> None:
    rows = [row(1, lexical=5.0, role="assistant", speaker="Red"), row(2, lexical=5.0, speaker="Green")]

    assert [each.parts.firsthand for each in order(*rows, query="what said red")] == [None, None]
    assert [each.parts.firsthand for each in order(*rows, query="what was said")] == [1.0, 0.0]


def test_where_all_was_said_by_models_or_none_it_tells_nothing() -> None:
    assert [each.parts.firsthand for each in order(row(1), row(2))] == [None, None]
    assert order(row(1, role="assistant"))[0].parts.firsthand is None


def test_the_best_of_a_chat_speak_for_what_else_was_found_in_it() -> None:
    """The answer stands some messages away from the words of its question, in the chat that has them."""
    rows = [
        row(1, lexical=10.0, container_id=FIRST),
        row(2, lexical=2.0, container_id=FIRST),
        row(3, lexical=2.5, container_id=SECOND),
    ]
    ranked = order(*rows, weights=ONLY_WORDS)

    assert numbers(ranked) == [1, 2, 3]
    in_one = [replace(each, container_id=FIRST) for each in rows]
    assert numbers(order(*in_one, weights=ONLY_WORDS)) == [1, 3, 2]
    company = {each.candidate.id.int: each.parts.company for each in ranked}
    assert company == {1: pytest.approx(0.6), 2: pytest.approx(0.6), 3: None}
    assert ranked[1].score == pytest.approx((0.2 + 0.5 * 0.6) / 1.5)


def test_a_record_that_is_alone_in_its_chat_loses_nothing_by_it() -> None:
    """It has no company and keeps its score, so that what matches better still comes first."""
    rows = [
        row(1, lexical=8.0, container_id=SECOND),
        *(row(n, lexical=7.0, container_id=FIRST) for n in (2, 3, 4, 5)),
    ]

    ranked = order(*rows, weights=ONLY_WORDS)

    assert numbers(ranked) == [1, 2, 3, 4, 5]
    assert (ranked[0].parts.company, ranked[0].score) == (None, 1.0)


def test_in_one_chat_alone_company_is_no_part_of_a_score() -> None:
    ranked = order(row(1, lexical=9.0), row(2, lexical=1.0))

    assert [each.parts.company for each in ranked] == [None, None]


def test_what_was_said_on_a_branch_that_was_left_counts_half_for_others_of_its_chat_too() -> None:
    rows = [
        row(1, lexical=10.0, container_id=FIRST, state="abandoned"),
        row(2, lexical=2.0, container_id=SECOND),
        row(3, lexical=2.0, container_id=FIRST),
    ]
    scores = {each.candidate.id.int: each.score for each in order(*rows, weights=ONLY_WORDS)}

    company = (1.0 / 2 + 0.2) / 2
    assert scores[1] == pytest.approx((1.0 + 0.5 * company) / 1.5 / 2)
    assert scores[3] == pytest.approx((0.2 + 0.5 * company) / 1.5)
    assert scores[2] == pytest.approx(0.2)
