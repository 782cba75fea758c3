"""What a chat's window holds, part by part, for the side panel: as it was sent last, or would be sent now
where nothing was sent yet. The shares sum to the total."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _

from agents import archives
from agents.context import recording, window
from agents.context.parts import PartKind
from agents.context.window import WindowTooSmall
from agents.models import MainContext

WIDTH = 1000  # of the drawing, in its own units


@dataclass(frozen=True)
class Share:
    """One part of a window: `kind` names its colour; `start` and `width` place it in the drawing."""

    kind: str
    title: str
    tokens: int
    start: float
    width: float


@dataclass(frozen=True)
class Meter:
    """How full a window is, and with what. `is_sent` says whether that is the last call's, or the first one's
    that is to come."""

    used: int
    size: int
    shares: tuple[Share, ...]
    evicted: int
    passages: int
    is_sent: bool


def meter(context: MainContext) -> Meter:
    """The window of a chat (with its agent and model)."""
    size = context.agent.window_size
    last = recording.last_sent(context)
    tokens = _tokens(last or _now(context))
    most = max(size, sum(tokens.values()))
    starts = accumulate(tokens.values(), initial=0)
    titles = {
        PartKind.SYSTEM: _("Instructions"),
        PartKind.TOOLS: _("Tool definitions"),
        PartKind.SKILLS: _("Skills"),
        PartKind.CORE: _("Memory blocks"),
        PartKind.SUMMARY: _("Summary"),
        PartKind.QUEUE: _("Messages and status"),
    }
    shares = (
        Share(kind, titles[kind], count, start * WIDTH / most, count * WIDTH / most)
        for (kind, count), start in zip(tokens.items(), starts, strict=False)
        if count
    )
    return Meter(
        used=sum(tokens.values()),
        size=size,
        shares=tuple(shares),
        evicted=max(context.queue_from - 1, 0),
        passages=archives.passage_count(context.agent),
        is_sent=bool(last),
    )


# Drawn as one: a block with the frame of core memory, the status with the messages before it.
_DRAWN_AS = {PartKind.BLOCK: PartKind.CORE, PartKind.STATUS: PartKind.QUEUE}
_ORDER = [kind for kind in PartKind if kind not in _DRAWN_AS]


def _tokens(sent: recording.Reference) -> dict[PartKind, int]:
    """Tokens of each kind of part, as the provider counts them."""
    found: Counter[PartKind] = Counter()
    for part in sent.get("parts", ()):
        if part["kind"] != recording.RESERVE:
            kind = PartKind(part["kind"])
            found[_DRAWN_AS.get(kind, kind)] += math.ceil(part["tokens"] * sent["ratio"])
    return {kind: found[kind] for kind in _ORDER}


def _now(context: MainContext) -> recording.Reference:
    """What would be sent now; nothing where it cannot be."""
    try:
        return recording.described(window.preview(context))
    except WindowTooSmall:
        return {}
