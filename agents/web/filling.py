"""How a window filled, as pages draw it: bands that lie on one another, and below them a lane for each kind
of thing that happened."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.inspector.timeline import Moment
from agents.web.inspected import WIDTH, titles

HEIGHT, LANE = 240, 14  # of the drawing, in its own units
# From the front of the prompt to its end; blocks are drawn in the frame of core memory.
BANDS = ("system", "tools", "skills", "core", "summary", "queue", "status")
LANES = ("block", "summary", "found", "pressed", "evicted", "cleared")


@dataclass(frozen=True)
class Band:
    """One kind of part over time, as the points of a polygon."""

    kind: str
    title: str
    points: str


@dataclass(frozen=True)
class Mark:
    """Something that happened at a step, which is the `place`th from 0."""

    kind: str
    place: int
    step_id: uuid.UUID
    words: str
    x: float


@dataclass(frozen=True)
class Lane:
    """What happened of one kind, in a row from `top` to `bottom`."""

    kind: str
    title: str
    marks: tuple[Mark, ...]
    top: int
    bottom: int


@dataclass(frozen=True)
class Picture:
    """How a window filled. `edge` is where the window ends, `floor` where the lanes begin."""

    bands: tuple[Band, ...]
    lanes: tuple[Lane, ...]
    marks: tuple[Mark, ...]
    edge: float
    size: int
    width: int = WIDTH
    floor: int = HEIGHT
    height: int = HEIGHT


def picture(moments: Sequence[Moment]) -> Picture:
    """The picture of these steps, from left to right; there is at least one."""
    most = max(max(each.size, each.used) for each in moments) or 1
    marks = tuple(_marks(moments))
    lanes = tuple(_lanes(marks))
    size = moments[-1].size
    return Picture(
        bands=tuple(_bands(moments, most)),
        lanes=lanes,
        marks=marks,
        edge=HEIGHT - size * HEIGHT / most,
        size=size,
        height=HEIGHT + LANE * len(lanes),
    )


def x_of(place: int, count: int) -> float:
    """Where the `place`th of so many steps stands."""
    return place * WIDTH / max(count - 1, 1)


def _bands(moments: Sequence[Moment], most: int) -> Iterator[Band]:
    floors = [0.0] * len(moments)
    named = titles() | {"core": _("Core memory")}
    for kind in BANDS:
        tops = [floor + each.tokens.get(kind, 0) for floor, each in zip(floors, moments, strict=True)]
        if tops != floors:
            yield Band(kind, named[kind], _polygon(floors, tops, most))
        floors = tops


def _polygon(floors: Sequence[float], tops: Sequence[float], most: int) -> str:
    """Along the tops, and back along the floors. One step alone is drawn as wide as the picture."""
    if len(tops) == 1:
        floors, tops = [*floors, *floors], [*tops, *tops]
    there, back = _line(tops, most), _line(floors, most)
    return " ".join([*there, *reversed(back)])


def _line(heights: Sequence[float], most: int) -> list[str]:
    count = len(heights)
    return [f"{x_of(n, count):.1f},{HEIGHT - height * HEIGHT / most:.1f}" for n, height in enumerate(heights)]


def _marks(moments: Sequence[Moment]) -> Iterator[Mark]:
    summary = moments[0].summary
    for place, each in enumerate(moments):
        for kind, words in _happened(each, has_new_summary=each.summary != summary):
            yield Mark(kind, place, each.step_id, words, x_of(place, len(moments)))
        summary = each.summary


def _happened(moment: Moment, *, has_new_summary: bool) -> Iterator[tuple[str, str]]:
    for label in moment.changed:
        number = moment.blocks[label]
        yield "block", _("Block %(label)s changed to v%(number)s") % {"label": label, "number": number}
    if has_new_summary:
        yield "summary", _("A new summary")
    if moment.found:
        words = ngettext("%(count)s record was looked up", "%(count)s records were looked up", moment.found)
        yield "found", words % {"count": moment.found}
    if moment.is_pressed:
        yield "pressed", _("The model was told that its window is nearly full")
    if moment.left_in_background:
        yield "evicted", _("Messages left the window in the background")
    if moment.evicted:
        yield "evicted", left_words(moment.evicted["messages"])
    if moment.cleared:
        yield "cleared", cleared_words(moment.cleared["results"])


def left_words(count: int) -> str:
    """So many messages are out of the window."""
    words = ngettext("%(count)s message left the window", "%(count)s messages left the window", count)
    return words % {"count": count}


def cleared_words(count: int) -> str:
    """So many results are placeholders now."""
    words = ngettext(
        "%(count)s tool result became a placeholder", "%(count)s tool results became placeholders", count
    )
    return words % {"count": count}


def _lanes(marks: Sequence[Mark]) -> Iterator[Lane]:
    """A lane for each kind of which there is something."""
    named: dict[str, Any] = {
        "block": _("a block changes"),
        "summary": _("a new summary"),
        "found": _("records are looked up"),
        "pressed": _("the model is warned"),
        "evicted": _("messages leave"),
        "cleared": _("tool results become placeholders"),
    }
    kinds = [kind for kind in LANES if any(mark.kind == kind for mark in marks)]
    for row, kind in enumerate(kinds):
        top = HEIGHT + row * LANE
        own = tuple(mark for mark in marks if mark.kind == kind)
        yield Lane(kind, named[kind], own, top + 3, top + LANE - 1)


def place_of(moments: Sequence[Moment], step_id: uuid.UUID | None) -> int:
    """Where a step stands among these; the last place where it is none of them."""
    places = [n for n, each in enumerate(moments) if each.step_id == step_id]
    return places[0] if places else len(moments) - 1
