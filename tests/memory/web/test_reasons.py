"""Why a hit stands where it does: the points of its parts are those of its score."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from memory.retrieval import Hit, Parts
from memory.retrieval.filters import ABANDONED, CURRENT
from memory.retrieval.fusion import COMPANY, DATE, FIRSTHAND, LEFT, SPEAKER
from memory.web.reasons import on_left_branch, reasons_of


def hit(score: float, state: str = CURRENT, /, **parts: float | None) -> Hit:
    return Hit(
        state=state,
        id=uuid.UUID(int=1),
        kind="passage",
        container_id=uuid.UUID(int=2),
        workspace_id=uuid.UUID(int=3),
        text="The roof leaks.",
        role="user",
        occurred_at=timezone.now(),
        score=score,
        parts=Parts(**parts),  # type: ignore[arg-type]
    )


def points(found: Hit) -> dict[str, tuple[int, int]]:
    return {str(each.name): (each.points, each.most) for each in reasons_of(found)}


def test_words_alone_are_measured_without_meaning() -> None:
    found = points(hit(1.25 / 1.4, lexical=1.0, recency=1.0, importance=0.5))
    assert found == {"Words": (71, 71), "Importance": (11, 21), "New or used lately": (7, 7)}


def test_every_part_that_the_question_has_is_named() -> None:
    whole = 1.0 + 0.7 + 0.3 + 0.1 + SPEAKER + DATE
    score = (0.5 + 0.7 * 0.5 + 0.3 * 0.5 + 0.1 * 0.5 + SPEAKER + DATE * 0.5) / whole
    found = points(hit(score, lexical=0.5, vector=0.5, importance=0.5, recency=0.5, speaker=1.0, date=0.5))
    assert set(found) == {"Words", "Meaning", "Importance", "New or used lately", "Person", "Date"}
    assert sum(each for each, _most in found.values()) == round(score * 100)


def test_what_was_found_beside_it_comes_last_however_much_it_gave() -> None:
    own = (0.2 + 0.7 * 0.1 + FIRSTHAND) / (1.7 + FIRSTHAND)
    score = (own + COMPANY * 0.9) / (1 + COMPANY)
    found = points(hit(score, lexical=0.2, vector=0.1, firsthand=1.0, company=0.9))
    assert list(found) == ["Words", "Not said by a model", "Meaning", "What else was found beside it"]
    assert found["What else was found beside it"] == (30, 33)
    assert sum(each for each, _most in found.values()) == round(score * 100)


def test_what_no_model_has_read_yet_counts_as_much_as_the_others_on_average() -> None:
    score = (1.0 + 0.7 * 0.4 + 0.3 * 0.5 + 0.1) / 2.1
    found = points(hit(score, lexical=1.0, importance=0.5, recency=1.0))
    assert found["Meaning"] == (13, 33)
    assert sum(each for each, _most in found.values()) == round(score * 100)


@pytest.mark.parametrize("score", [0.0, 0.004, 0.333, 0.5, 0.996, 1.0])
def test_the_points_sum_to_the_score_however_it_is_rounded(score: float) -> None:
    found = points(hit(score, lexical=score, vector=score, importance=score, recency=score))
    assert sum(each for each, _most in found.values()) == round(score * 100)


def test_on_a_branch_that_was_left_each_part_gives_its_share_and_the_page_says_so() -> None:
    parts = {"lexical": 1.0, "vector": 0.4, "recency": 1.0, "importance": 0.5}
    whole = (1.0 + 0.7 * 0.4 + 0.1 + 0.3 * 0.5) / 2.1
    stands, left = hit(whole, **parts), hit(whole * LEFT, ABANDONED, **parts)
    assert points(stands) == {
        **{"Words": (48, 48), "Meaning": (13, 33)},
        **{"Importance": (7, 14), "New or used lately": (5, 5)},
    }
    assert points(left) == {
        **{"Words": (24, 24), "Meaning": (7, 17)},
        **{"Importance": (3, 7), "New or used lately": (2, 2)},
    }
    assert on_left_branch(stands) == ""
    assert "branch that was left, and counts 50 %" in on_left_branch(left)
