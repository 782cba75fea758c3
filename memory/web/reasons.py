"""Why a search found something: how many of the points of its score each part gave."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import IndexEntry
from memory.retrieval import Hit, Weights
from memory.retrieval.fusion import COMPANY, DATE, FIRSTHAND, LEFT, SPEAKER

# The parts of a score, by the names of `retrieval.Parts`.
NAMES = {
    "lexical": gettext_lazy("Words"),
    "context": gettext_lazy("Words around it"),
    "vector": gettext_lazy("Meaning"),
    "speaker": gettext_lazy("Person"),
    "firsthand": gettext_lazy("Not said by a model"),
    "date": gettext_lazy("Date"),
    "recency": gettext_lazy("New or used lately"),
    "importance": gettext_lazy("Importance"),
    "company": gettext_lazy("What else was found beside it"),
}


HALF_A_POINT = 0.5


@dataclass(frozen=True)
class Reason:
    """One part of a score: it gave so many points, of so many that it could."""

    name: Any
    points: int
    most: int


def reasons_of(hit: Hit) -> list[Reason]:
    """What spoke for a hit, the most first, and its company after that: what it has of its own says more. The
    points of all parts are those of the score, out of 100."""
    weights = asdict(Weights()) | {
        "speaker": SPEAKER,
        "date": DATE,
        "firsthand": FIRSTHAND,
        "context": Weights().lexical,
    }
    values = {name: getattr(hit.parts, name) for name in NAMES}
    kept = LEFT if hit.is_abandoned else 1.0
    shared = _shared(hit.score / kept, weights, values)
    given, most = ({name: kept * value for name, value in each.items()} for each in shared)
    rounded = _rounded(given, round(hit.score * 100))
    names = sorted((name for name in given if rounded[name]), key=lambda name: _order(name, rounded[name]))
    return [Reason(NAMES[name], rounded[name], max(round(most[name]), rounded[name])) for name in names]


def _order(name: str, points: int) -> tuple[bool, int]:
    return name == "company", -points


def _shared(
    score: float, weights: dict[str, float], values: Mapping[str, float | None]
) -> tuple[dict[str, float], dict[str, float]]:
    """What each part gave and could give, in points."""
    counted = {name for name, value in values.items() if value is not None}
    given, most = _points(counted, weights, values)
    if abs(100 * score - sum(given.values())) < HALF_A_POINT:
        return given, most
    # No model has read this row yet: it was taken to mean as much as the others do on average.
    given, most = _points(counted | {"vector"}, weights, values)
    return given | {"vector": max(0.0, 100 * score - sum(given.values()))}, most


def _points(
    counted: Set[str], weights: dict[str, float], values: Mapping[str, float | None]
) -> tuple[dict[str, float], dict[str, float]]:
    # Its own words and those around it are one signal in two parts; its company counts beside all others.
    alone = sum(weights[name] for name in counted - {"context", "company"}) or 1.0
    whole = alone * (1 + COMPANY) if "company" in counted else alone
    most = {name: 100 * (weights | {"company": COMPANY * alone})[name] / whole for name in counted}
    return {name: most[name] * (values[name] or 0.0) for name in counted}, most


def _rounded(given: Mapping[str, float], total: int) -> dict[str, int]:
    """Whole points that sum to the total: the largest remainders are rounded up."""
    whole = {name: int(value) for name, value in given.items()}
    left = max(0, total - sum(whole.values()))
    for name in sorted(given, key=lambda each: whole[each] - given[each])[:left]:
        whole[name] += 1
    return whole


def on_left_branch(hit: Hit) -> str:
    """That a hit lies on a branch which was left, and how much of its score that leaves it; "" elsewhere."""
    if not hit.is_abandoned:
        return ""
    said = _("It was said on a branch that was left, and counts %(share)s of what it would elsewhere.")
    return said % {"share": f"{round(LEFT * 100)} %"}


def around(hit: Hit) -> str:
    """Where the query's words stand, if not in the hit itself; "" where they do, or nowhere near it."""
    if hit.parts.words or not hit.parts.context:
        return ""
    if hit.kind == IndexEntry.Kind.MESSAGE:
        return _("Your words are not in it, but in what was said around it.")
    if hit.kind == IndexEntry.Kind.SKILL:
        return _("Your words are not in its description, but in its text.")
    return _("Your words are not in it, but in its name, headings or tags.")


def in_short(reasons: list[Reason]) -> str:
    """The two parts that gave most, in words: what a row says before it is opened."""
    return _(" and ").join(str(each.name) for each in reasons[:2])
