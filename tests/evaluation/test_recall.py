"""Recall, worked out by hand."""

from __future__ import annotations

import pytest

from evaluation.metrics import Answer, by_kind, by_standing, figures, percent, recall, session_recall
from evaluation.samples import Question


def answer(found: str, evidence: str, kind: str = "single-hop") -> Answer:
    return Answer(Question("?", kind, frozenset(evidence.split())), tuple(found.split()))


SESSIONS = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c"}


@pytest.mark.parametrize(
    ("found", "evidence", "cut", "share"),
    [
        ("a1 b1 b2", "a1", 1, 1.0),
        ("b1 a1 b2", "a1", 1, 0.0),
        ("b1 a1 b2", "a1", 2, 1.0),
        ("b1 a1 b2", "a1 c1", 3, 0.5),
        ("", "a1", 50, 0.0),
        # A message that is found twice is found once.
        ("a1 a1 a1", "a1 c1", 3, 0.5),
    ],
)
def test_it_is_the_share_of_the_evidence_that_was_found(
    found: str, evidence: str, cut: int, share: float
) -> None:
    assert recall(found.split(), evidence.split(), cut) == share


def test_sessions_are_counted_by_what_holds_evidence() -> None:
    # a2 is not evidence, but its session holds some.
    assert session_recall(answer("a2 b1", "a1 c1"), SESSIONS) == 0.5
    assert session_recall(answer("b2", "a1"), SESSIONS) == 0.0


def test_only_the_first_ten_count_for_sessions() -> None:
    # Ids repeat here only to fill places.
    assert session_recall(answer("b1 " * 9 + "a1", "a2"), SESSIONS) == 1.0
    assert session_recall(answer("b1 " * 10 + "a1", "a2"), SESSIONS) == 0.0


def test_the_mean_is_over_questions_not_over_pieces_of_evidence() -> None:
    # One question with 1 of 1, one with 0 of 3: half, not a quarter.
    answers = [answer("a1", "a1"), answer("b1", "a1 a2 c1")]
    found = figures(answers, SESSIONS)
    assert found["questions"] == 2
    assert found["recall"] == {"5": 50.0, "10": 50.0, "25": 50.0, "50": 50.0}
    assert found["sessions"] == 50.0


def test_each_cut_is_its_own() -> None:
    late = answer("b1 " * 5 + "a1", "a1")
    assert figures([late], SESSIONS)["recall"] == {"5": 0.0, "10": 100.0, "25": 100.0, "50": 100.0}


def test_kinds_are_told_apart() -> None:
    answers = [
        answer("a1", "a1", "temporal"),
        answer("b1", "a1", "temporal"),
        answer("c1", "c1", "multi-hop"),
    ]
    found = by_kind(answers, SESSIONS)
    assert list(found) == ["multi-hop", "temporal"]
    assert found["temporal"]["recall"]["5"] == 50.0
    assert found["multi-hop"]["questions"] == 1


def test_evidence_that_stands_alone_is_told_apart_where_that_is_known() -> None:
    alone = Answer(Question("?", "name", frozenset({"a1"}), stands_alone=True), ("a1",))
    not_alone = Answer(Question("?", "name", frozenset({"b1"}), stands_alone=False), ("a1",))
    found = by_standing([alone, not_alone, not_alone], SESSIONS)
    assert {name: each["questions"] for name, each in found.items()} == {
        "stands alone": 1,
        "needs context": 2,
    }
    assert found["needs context"]["recall"]["5"] == 0.0
    assert by_standing([answer("a1", "a1")], SESSIONS) == {}


def test_nothing_has_no_mean() -> None:
    assert percent([]) is None
    assert percent([1 / 3]) == 33.33
