"""One window as pages draw it: a stacked bar, and a list of its parts with what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from agents.context.parts import PartKind
from agents.context.recording import RESERVE
from agents.inspector.comparing import PartChange
from agents.inspector.searches import Found, Search
from agents.inspector.seen import Seen, SeenPart
from agents.inspector.timeline import Moment
from memory.models import IndexEntry
from memory.web.diff import Run, runs
from memory.web.reasons import NAMES

WIDTH = 1000  # of the drawings, in their own units
REMEMBERED = (PartKind.BLOCK, PartKind.SUMMARY)


def titles() -> dict[str, str]:
    """What each kind of part is called."""
    return {
        PartKind.SYSTEM: _("Instructions"),
        PartKind.TOOLS: _("Tool definitions"),
        PartKind.SKILLS: _("Skills"),
        PartKind.CORE: _("Frame of core memory"),
        PartKind.BLOCK: _("Memory block"),
        PartKind.SUMMARY: _("Summary"),
        PartKind.QUEUE: _("Messages"),
        PartKind.STATUS: _("Status and warnings"),
        RESERVE: _("Kept free for the answer"),
    }


def break_words(name: str) -> str:
    """Why the front of a prompt is not that of the one before."""
    if name.startswith("block:"):
        return _("Block %(label)s changed") % {"label": name.removeprefix("block:")}
    return {
        "summary": _("A new summary"),
        "eviction": _("Messages left the window"),
        "editing": _("Old tool results became placeholders"),
        "system": _("The instructions changed"),
        "tools": _("The tools changed"),
        "skills": _("The skills changed"),
        "core": _("The core memory changed"),
        "settings": _("The settings changed"),
        "documents": _("Attached documents changed"),
        "clipping": _("Texts were shortened to fit"),
    }.get(name, name)


@dataclass(frozen=True)
class Segment:
    """A piece of the stacked bar."""

    kind: str
    title: str
    tokens: int
    start: float
    width: float


def bar(window: Seen) -> list[Segment]:
    """The stacked bar of a window: what is sent, then what is free for the answer."""
    whole = max(window.size, window.used) or 1
    named = titles()
    shown = [part for part in window.parts if part.tokens]
    starts = accumulate((part.tokens for part in shown), initial=0)
    return [
        Segment(
            part.kind,
            part.label or named.get(part.kind, part.kind),
            part.tokens,
            start * WIDTH / whole,
            part.tokens * WIDTH / whole,
        )
        for part, start in zip(shown, starts, strict=False)
    ]


def named_parts(window: Seen) -> list[tuple[str, SeenPart]]:
    """The parts with what they are called."""
    named = titles()
    return [
        (named.get(part.kind, part.kind), part)
        for part in window.parts
        if part.tokens or part.label or part.kind == PartKind.QUEUE
    ]


@dataclass(frozen=True)
class Card:
    """A block or a summary that stood in a window at a moment; `before` is the version that the block had a
    step earlier, where that is another one, and `is_new` says that it was not there."""

    title: str
    part: SeenPart
    before: int | None = None
    is_new: bool = False


def cards(parts: Sequence[tuple[str, SeenPart]], moment: Moment) -> list[Card]:
    """What memory was at a moment: the blocks, those that changed first, and the summary."""
    found = [_card(title, part, moment) for title, part in parts if part.kind in REMEMBERED]
    return sorted(found, key=lambda card: card.before is None and not card.is_new)


def _card(title: str, part: SeenPart, moment: Moment) -> Card:
    before = moment.changed.get(part.label) if part.kind == PartKind.BLOCK else None
    return Card(title, part, before or None, is_new=before == 0)


@dataclass(frozen=True)
class ShownFound:
    """A record that was found: what it is, where it is as far as one gets there, and its score in parts."""

    found: Found
    kind: Any
    address: str
    parts: tuple[tuple[Any, float], ...]


def searched(search: Search) -> dict[str, Any]:
    """A search as pages show it."""
    return {"search": search, "found": [_shown(each) for each in search.found]}


def _shown(found: Found) -> ShownFound:
    known = [(name, found.parts.get(key)) for key, name in NAMES.items()]
    kind = IndexEntry.Kind(found.kind)
    parts = tuple((name, value) for name, value in known if value)
    return ShownFound(found, kind.label, _address(found), parts)


def _address(found: Found) -> str:
    pages = {IndexEntry.Kind.MESSAGE: "message", IndexEntry.Kind.PASSAGE: "passage"}
    if found.workspace_id is None or found.kind not in pages:
        return ""
    return reverse(pages[IndexEntry.Kind(found.kind)], args=[found.workspace_id, found.id])


@dataclass(frozen=True)
class ShownChange:
    """A part in two windows: what it is called, and what is different in its text where both have one."""

    title: str
    change: PartChange
    runs: list[Run]


def changed(change: PartChange) -> ShownChange:
    """A part of a comparison as pages show it. Definitions of tools are too long to be read side by side."""
    before, after = (part.text if part else None for part in (change.before, change.after))
    is_told = not change.is_same and change.kind != PartKind.TOOLS and None not in (before, after)
    title = titles().get(change.kind, change.kind)
    return ShownChange(title, change, runs(before or "", after or "") if is_told else [])
