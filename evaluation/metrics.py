"""Recall, as the LoCoMo paper counts it: found evidence / all evidence, averaged over questions.

All figures are percent, rounded to two places at the very end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evaluation.samples import Question

CUTS = (5, 10, 25, 50)
SESSIONS_AT = 10


@dataclass(frozen=True)
class Answer:
    """A question, and the ids of the messages that were found for it, best first."""

    question: Question
    found: tuple[str, ...]


def recall(found: Sequence[str], evidence: Collection[str], cut: int) -> float:
    """The share of the evidence that stands among the first `cut` found, 0 to 1."""
    return len(set(found[:cut]) & set(evidence)) / len(evidence)


def session_recall(answer: Answer, session_of: Mapping[str, str]) -> float:
    """The share of the sessions that hold evidence which are among the sessions of the first ten, 0 to 1."""
    wanted = {session_of[each] for each in answer.question.evidence}
    met = {session_of[each] for each in answer.found[:SESSIONS_AT]}
    return len(wanted & met) / len(wanted)


def figures(answers: Sequence[Answer], session_of: Mapping[str, str]) -> dict[str, Any]:
    """`questions`, `recall` by cut and `sessions`, of some answers; None where there are none."""
    return {
        "questions": len(answers),
        "recall": {
            str(cut): percent(recall(each.found, each.question.evidence, cut) for each in answers)
            for cut in CUTS
        },
        "sessions": percent(session_recall(each, session_of) for each in answers),
    }


def by_kind(answers: Sequence[Answer], session_of: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The same for each kind of question, in the order of their names."""
    kinds = sorted({each.question.kind for each in answers})
    return {
        kind: figures([each for each in answers if each.question.kind == kind], session_of) for kind in kinds
    }


def by_standing(answers: Sequence[Answer], session_of: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The same for evidence that stands alone, and that does not; nothing where it is not known."""
    groups = {"stands alone": True, "needs context": False}
    found = {
        name: [each for each in answers if each.question.stands_alone is stands]
        for name, stands in groups.items()
    }
    return {name: figures(each, session_of) for name, each in found.items() if each}


def percent(shares: Iterable[float]) -> float | None:
    """The mean of shares, in percent; None of nothing."""
    given = list(shares)
    return round(100 * fmean(given), 2) if given else None
