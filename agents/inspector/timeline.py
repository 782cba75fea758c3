"""How a chat's window filled, step by step: what stood in it, what left it, what memory became."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from agents.context.parts import PartKind
from agents.context.recording import RESERVE
from agents.inspector.seen import has_left_in_background, in_theirs
from agents.models import MainContext, Step
from memory.models import Message

STEPS_MOST = 400
# Drawn as one: a block with the frame of core memory.
_DRAWN_AS = {PartKind.BLOCK: PartKind.CORE}


@dataclass(frozen=True)
class Moment:
    """One step of a chat. `tokens` by kind of part, as the provider counts them; `blocks` the version of each
    block by its label; `changed` the versions before of those that are others than in the step before, 0 for
    a new one. `found` is how many hits of searches the model was shown since the step before;
    `left_in_background` says that messages had left meanwhile, while nobody waited."""

    step_id: uuid.UUID
    turn_id: uuid.UUID
    number: int
    at: datetime
    size: int
    tokens: Mapping[str, int]
    is_pressed: bool
    evicted: Mapping[str, Any] | None
    cleared: Mapping[str, Any] | None
    summary: str | None
    blocks: Mapping[str, int]
    changed: Mapping[str, int]
    found: int = 0
    left_in_background: bool = False

    @property
    def used(self) -> int:
        """Tokens of the prompt."""
        return sum(count for kind, count in self.tokens.items() if kind != RESERVE)


@dataclass(frozen=True)
class Timeline:
    """Steps of a chat on its live branch, oldest first: at most 400 of them. `earlier` and `later` count
    those before and after, and `before` is the last of those before."""

    moments: tuple[Moment, ...]
    earlier: int = 0
    later: int = 0
    before: uuid.UUID | None = None


def steps_of(context: MainContext) -> QuerySet[Step]:
    """The steps of a chat on its live branch."""
    rows = Step.objects.filter(turn__conversation_id=context.conversation_id, turn__is_abandoned=False)
    return rows.exclude(window={})


def timeline(context: MainContext, step_id: uuid.UUID | None = None) -> Timeline:
    """The last steps of a chat; where `step_id` is an older one, those up to it."""
    rows = steps_of(context)
    shown = _last(rows, STEPS_MOST + 1)
    if not shown:
        return Timeline(())
    if step_id and step_id < shown[1 if len(shown) > STEPS_MOST else 0].id:
        shown = _last(rows.filter(id__lte=step_id), STEPS_MOST + 1) or shown
    before = shown.pop(0) if len(shown) > STEPS_MOST else None
    return Timeline(
        moments=tuple(_moments(shown, before)),
        earlier=rows.filter(id__lt=shown[0].id).count() if before else 0,
        later=rows.filter(id__gt=shown[-1].id).count(),
        before=before.id if before else None,
    )


def moment_of(context: MainContext, step: Step) -> Moment:
    """One step of a chat, beside the one before it."""
    before = _last(steps_of(context).filter(id__lt=step.id), 1)
    return next(_moments([step], before[0] if before else None))


def _last(rows: QuerySet[Step], most: int) -> list[Step]:
    """The last of some steps, oldest first, with what a moment is made of."""
    return list(rows.only("turn", "number", "created_at", "window").order_by("-id")[:most])[::-1]


def _moments(steps: Sequence[Step], before: Step | None) -> Iterator[Moment]:
    earlier: Mapping[str, int] = _blocks(before or steps[0])
    found = _found(steps)
    for step in steps:
        moment = _moment(step, earlier, found[step.id])
        earlier = moment.blocks
        yield moment


def _moment(step: Step, earlier: Mapping[str, int], found: int) -> Moment:
    held, blocks = step.window, _blocks(step)
    return Moment(
        step_id=step.id,
        turn_id=step.turn_id,
        number=step.number,
        at=step.created_at,
        size=held.get("size", 0),
        tokens=_tokens(held),
        is_pressed=bool(held.get("is_pressed")),
        evicted=held.get("evicted"),
        cleared=held.get("cleared"),
        summary=next((part.get("summary") for part in held["parts"] if part["kind"] == "summary"), None),
        blocks=blocks,
        changed={
            label: earlier.get(label, 0) for label, number in blocks.items() if earlier.get(label) != number
        },
        found=found,
        left_in_background=has_left_in_background(held.get("breaks", ()), held.get("evicted")),
    )


def _blocks(step: Step) -> dict[str, int]:
    """The version of each block in a step's window, by label."""
    parts = step.window.get("parts", ())
    return {part["label"]: part.get("version") or 0 for part in parts if part["kind"] == PartKind.BLOCK}


def _tokens(held: Mapping[str, Any]) -> dict[str, int]:
    ratio = held.get("ratio", 1.0)
    found: Counter[str] = Counter()
    for part in held["parts"]:
        kind = part["kind"]
        found[str(_DRAWN_AS.get(kind, kind))] += in_theirs(part["tokens"], ratio)
    return dict(found)


def _found(steps: Iterable[Step]) -> Counter[uuid.UUID]:
    """How many hits the searches of a turn had shown its model since the step before, by step. One query."""
    by_turn: dict[uuid.UUID, list[Step]] = defaultdict(list)
    for step in steps:
        by_turn[step.turn_id].append(step)
    results = Message.objects.filter(turn_id__in=by_turn, role=Message.Role.TOOL, detail__has_key="hits")
    found: Counter[uuid.UUID] = Counter()
    for result in results.only("turn_id", "created_at", "detail"):
        steps_of_turn = by_turn[result.turn_id] if result.turn_id else []
        after = next((step for step in steps_of_turn if step.created_at >= result.created_at), None)
        if after:
            found[after.id] += sum(1 for hit in result.detail["hits"] if hit["is_shown"])
    return found
