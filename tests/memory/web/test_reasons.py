"""Why a hit stands where it does: the points of its parts are those of its score."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from memory.retrieval import Hit, Parts
from memory.retrieval.fusion import DATE, SPEAKER
from memory.web.reasons import reasons_of


def hit(score: float, **parts: float | None) -> Hit:
    return Hit(
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


def test_what_no_model_has_read_yet_counts_as_much_as_the_others_on_average() -> None:
    score = (1.0 + 0.7 * 0.4 + 0.3 * 0.5 + 0.1) / 2.1
    found = points(hit(score, lexical=1.0, importance=0.5, recency=1.0))
    assert found["Meaning"] == (13, 33)
    assert sum(each for each, _most in found.values()) == round(score * 100)


@pytest.mark.parametrize("score", [0.0, 0.004, 0.333, 0.5, 0.996, 1.0])
def test_the_points_sum_to_the_score_however_it_is_rounded(score: float) -> None:
    found = points(hit(score, lexical=score, vector=score, importance=score, recency=score))
    assert sum(each for each, _most in found.values()) == round(score * 100)
