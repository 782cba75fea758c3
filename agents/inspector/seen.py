"""One window as people read it: every part with its tokens and its text, past or next.

It is built from the typed parts that a step keeps, never from a finished prompt. What one may not see is not
there: the texts of past prompts lie where what they show lies.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.context import recording, window
from agents.context.parts import PartKind
from agents.context.recording import RESERVE
from agents.context.writing import Queued
from agents.inspector.versions import text_of, versions_in
from agents.models import MainContext, Step
from memory.models import Message

EVICTION = "eviction"  # the name of this break in `Step.window`

Reference = Mapping[str, Any]


@dataclass(frozen=True)
class SeenMessage:
    """A message of the queue as the model saw it; `tokens` as the provider counts, `is_cached` where it stood
    in the prompt before."""

    message: Message
    text: str
    calls: tuple[tuple[str, str], ...]
    tokens: int
    is_clipped: bool
    is_cleared: bool
    is_cached: bool


@dataclass(frozen=True)
class SeenPart:
    """A part of a window. `text` is None where it is not kept, was erased, or is out of sight.

    `label`, `block`, `version` and `workspace` are a block's, `summary` a summary's. `missing` counts
    messages that stood here and are not there any more, or not in sight; `kept` is how many characters of a
    block's value were shown, None where all were.
    """

    kind: str
    tokens: int
    text: str | None = None
    messages: tuple[SeenMessage, ...] = ()
    label: str = ""
    block: uuid.UUID | None = None
    version: int | None = None
    workspace: uuid.UUID | None = None
    summary: uuid.UUID | None = None
    is_cached: bool = False
    missing: int = 0
    kept: int | None = None

    @property
    def is_out_of_sight(self) -> bool:
        """Whether there was a text that is not shown."""
        return self.text is None and self.kind not in {PartKind.QUEUE, RESERVE}


@dataclass(frozen=True)
class Seen:
    """A window, past (`step`) or next (None). All tokens are as the provider counts them, as far as that is
    known; those of the parts sum to `used`. `is_exact` says whether the texts are what was sent, byte for
    byte; None of the next one.
    """

    parts: tuple[SeenPart, ...]
    size: int
    capacity: int
    room: int
    step: Step | None = None
    is_exact: bool | None = None
    is_pressed: bool = False
    evicted: Mapping[str, Any] | None = None
    cleared: Mapping[str, Any] | None = None
    clipped: tuple[str, ...] = ()
    shared: int = 0
    breaks: tuple[str, ...] = ()
    ms: float = 0.0

    @property
    def used(self) -> int:
        """Tokens of the prompt."""
        return sum(part.tokens for part in self.parts if part.kind != RESERVE)

    @property
    def left_in_background(self) -> bool:
        """Whether messages had left the queue since the step before, while nobody waited."""
        return has_left_in_background(self.breaks, self.evicted)

    @property
    def queue(self) -> tuple[SeenMessage, ...]:
        """The messages in it."""
        return next((part.messages for part in self.parts if part.kind == PartKind.QUEUE), ())


def seen(step: Step) -> Seen:
    """The window of a past step (with its turn), as far as the present scope sees it."""
    sent = recording.read(step)
    known = versions_in(sent.parts)
    parts = [_Given(part.reference, text_of(part, known), part.queue) for part in sent.parts]
    is_whole = all(given.text == part.text for given, part in zip(parts, sent.parts, strict=True))
    return _seen(step.window, parts, step=step, is_exact=is_whole and sent.is_exact)


def seen_next(context: MainContext) -> Seen:
    """What would be sent if the present person spoke now; `context` has its agent, model and summary.

    Raises WindowTooSmall.
    """
    made = window.preview(context)
    held = recording.described(made)
    texts = [part.text for part in made.parts]
    given = [
        _Given(reference, text, made.queue if reference["kind"] == PartKind.QUEUE else ())
        for reference, text in zip(held["parts"], texts, strict=False)
    ]
    return _seen(held, given)


def step_of(message: Message) -> Step | None:
    """The step in which a message was made, or that answered it; None where no model ever saw it."""
    steps = Step.objects.select_related("turn__message").exclude(window={}).order_by("id")
    if message.role == Message.Role.USER:
        return steps.filter(turn__message=message).first()
    if message.turn_id is None:
        return None
    made = steps.filter(turn_id=message.turn_id)
    return made.filter(created_at__lte=message.created_at).last() or made.first()


@dataclass(frozen=True)
class _Given:
    """A part as it is kept, with its text or its messages."""

    reference: Reference
    text: str | None
    queue: Sequence[Queued] = ()


def _seen(held: Mapping[str, Any], given: Iterable[_Given], **more: Any) -> Seen:
    ratio = held.get("ratio", 1.0)
    cached = _Cached(int(held.get("shared_tokens", 0)))
    parts = [_part(each, ratio, cached) for each in given]
    reserve = next((each["tokens"] for each in held.get("parts", ()) if each["kind"] == RESERVE), 0)
    return Seen(
        parts=(*parts, SeenPart(RESERVE, in_theirs(reserve, ratio))),
        size=held.get("size", 0),
        capacity=in_theirs(held.get("capacity", 0), ratio),
        room=in_theirs(held.get("room", 0), ratio),
        is_pressed=bool(held.get("is_pressed")),
        evicted=held.get("evicted"),
        cleared=held.get("cleared"),
        clipped=tuple(held.get("clipped", ())),
        shared=in_theirs(held.get("shared_tokens", 0), ratio),
        breaks=tuple(held.get("breaks", ())),
        ms=held.get("ms", 0.0),
        **more,
    )


@dataclass
class _Cached:
    """How many tokens of the shared front are left: parts are asked in the order of the prompt."""

    left: int

    def takes(self, tokens: int) -> bool:
        """Whether a part of so many tokens stands in the front as a whole."""
        self.left -= tokens
        return self.left >= 0


def _part(given: _Given, ratio: float, cached: _Cached) -> SeenPart:
    kept = given.reference
    if kept["kind"] == PartKind.QUEUE:
        messages = tuple(_message(each, ratio, cached) for each in given.queue)
        missing = max(int(kept.get("count", 0)) - len(messages), 0)
        return SeenPart(PartKind.QUEUE, in_theirs(kept["tokens"], ratio), messages=messages, missing=missing)
    return SeenPart(
        kind=kept["kind"],
        tokens=in_theirs(kept["tokens"], ratio),
        text=given.text,
        label=kept.get("label", ""),
        block=_id(kept.get("block")),
        version=kept.get("version"),
        workspace=_id(kept.get("workspace")),
        summary=_id(kept.get("summary")),
        is_cached=cached.takes(kept["tokens"]),
        kept=kept.get("kept"),
    )


def _message(queued: Queued, ratio: float, cached: _Cached) -> SeenMessage:
    calls = [call["function"] for call in queued.shown.get("tool_calls", ())]
    return SeenMessage(
        message=queued.message,
        text=queued.shown.get("content") or "",
        calls=tuple((call["name"], call["arguments"]) for call in calls),
        tokens=in_theirs(queued.tokens, ratio),
        is_clipped=queued.is_clipped,
        is_cleared=queued.is_cleared,
        is_cached=cached.takes(queued.tokens),
    )


def has_left_in_background(breaks: Iterable[str], evicted: Mapping[str, Any] | None) -> bool:
    """Whether the front of a prompt tells of an eviction that its own turn did not make."""
    return EVICTION in breaks and not evicted


def in_theirs(tokens: int, ratio: float) -> int:
    """Our tokens in those of the provider, who counts `ratio` of them for one of ours; rounded up."""
    return tokens if ratio == 1 else math.ceil(tokens * ratio)


def _id(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None
