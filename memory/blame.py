"""Which line of a block came with which version, by whose hand, and from which message."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher

from memory.actors import Actor, ActorKind
from memory.comparing import in_common, is_affordable
from memory.models import Block, BlockVersion, Source
from memory.versions import RETURNS
from tenants.people import names_of

VERSIONS_AT_MOST = 2_000
WINDOW = 100
"""So many versions are read at a time: most lines are found in the newest ones."""


@dataclass(frozen=True)
class Line:
    """One line of a block; one older than the versions looked at has no version, and nothing that follows.

    `who` is the name of a person; names of agents are known above this floor. `approved_by` is the person
    who allowed a change that was proposed.
    """

    text: str
    version: int | None = None
    actor: Actor | None = None
    who: str = ""
    source: Source | None = None
    message_id: uuid.UUID | None = None
    at: datetime | None = None
    approved_by: uuid.UUID | None = None


OLDER = Line("")


def blame(block: Block) -> list[Line]:
    """The lines of a block's newest version, from at most 2,000 versions: 20 queries where the text is old.

    A line that an undo or a restore brought back is told of the version that it came with before.
    """
    lines = _lines(block.value)
    origins = _origins(block, lines)
    told = _told(block, set(origins.values()))
    return [replace(told.get(origins.get(place, 0), OLDER), text=text) for place, text in enumerate(lines)]


def _origins(block: Block, lines: list[str]) -> dict[int, int]:
    """The number of its version by the place of a line: the oldest one since which it stands there."""
    origins: dict[int, int] = {}
    places: list[int | None] = list(range(len(lines)))
    number = looked = since = 0
    sought: str | None = None
    for number, operation, value in _newest_first(block):
        looked += 1
        if sought is not None and value != sought:
            continue  # what an undo or restore passed over
        if since and sought is None:
            older = _lines(value)
            came, places = _carried(older, lines, places)
            origins |= dict.fromkeys(came, since)
            lines = older
        since = number
        sought = value if operation in RETURNS else None
        if not any(place is not None for place in places):
            return origins
    if looked < VERSIONS_AT_MOST or number == 1:
        origins |= dict.fromkeys((place for place in places if place is not None), since)
    return origins


def _carried(
    older: list[str], newer: list[str], places: list[int | None]
) -> tuple[list[int], list[int | None]]:
    """Places of the lines that are new in `newer`, and those of the lines that stood in `older` before."""
    before: list[int | None] = [None] * len(older)
    for start, since, size in _matches(older, newer):
        before[start : start + size] = places[since : since + size]
    stayed = set(before)
    return [place for place in places if place is not None and place not in stayed], before


def _matches(older: list[str], newer: list[str]) -> Iterator[tuple[int, int, int]]:
    """Stretches of lines that both have: where in the one, where in the other, how many."""
    start, end = in_common(older, newer)
    yield 0, 0, start
    yield len(older) - end, len(newer) - end, end
    old, new = older[start : len(older) - end], newer[start : len(newer) - end]
    if old and new and is_affordable(old, new):
        for match in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            yield match.a + start, match.b + start, match.size


def _newest_first(block: Block) -> Iterator[tuple[int, str, str]]:
    """Number, operation and text of the newest versions whose content was not erased."""
    rows = BlockVersion.objects.filter(block=block, erased_at=None).order_by("-number")
    below = block.version + 1
    for _ in range(VERSIONS_AT_MOST // WINDOW):
        found = list(rows.filter(number__lt=below).values_list("number", "operation", "value")[:WINDOW])
        yield from found
        if len(found) < WINDOW:
            return
        below = found[-1][0]


def _told(block: Block, numbers: set[int]) -> dict[int, Line]:
    """What is told of a line, by the number of its version."""
    rows = BlockVersion.objects.filter(block=block, number__in=numbers).select_related("source")
    found = list(rows.defer("value"))
    names = names_of(row.actor_id for row in found if row.actor_kind == ActorKind.USER)
    return {
        row.number: Line(
            text="",
            version=row.number,
            actor=Actor(row.actor_kind, row.actor_id),
            who=names.get(row.actor_id, ""),
            source=row.source,
            message_id=_message(row.source),
            at=row.valid_from,
            approved_by=row.approved_by,
        )
        for row in found
    }


def _message(source: Source | None) -> uuid.UUID | None:
    is_message = source is not None and source.kind == Source.Kind.MESSAGE
    return uuid.UUID(source.reference) if source is not None and is_message else None


def _lines(value: str) -> list[str]:
    return value.split("\n") if value else []
