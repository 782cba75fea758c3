"""How much of a prompt stood at the front of the one before it, byte for byte, and what broke it off there:
that much a provider can have in its cache.

Both are told by what a step keeps (`agents.context.recording`), so it costs nothing to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from agents.context.parts import PartKind
from agents.context.writing import Queued

Reference = Mapping[str, Any]


@dataclass(frozen=True)
class Shared:
    """Tokens of the shared prefix, and the names of what changed before the new messages."""

    tokens: int = 0
    breaks: tuple[str, ...] = ()


def shared(before: Sequence[Reference], parts: Sequence[Reference], queue: Sequence[Queued]) -> Shared:
    """What a prompt shares with the one before it. `before` and `parts` are the references of their parts;
    nothing is shared where there was none before."""
    if not before:
        return Shared()
    stable = [part for part in parts if part["kind"] not in _LAST]
    known = [part for part in before if part["kind"] not in _LAST]
    tokens, is_whole = _front(known, stable)
    of_queue = _of_queue(_queue(before), _queue(parts), queue)
    if is_whole:
        tokens += of_queue.tokens
    return Shared(tokens, (*_changed(known, stable), *of_queue.breaks))


_LAST = frozenset({PartKind.QUEUE, PartKind.STATUS, "reserve"})


def _front(known: Sequence[Reference], stable: Sequence[Reference]) -> tuple[int, bool]:
    """Tokens of the parts that are the same from the front on, and whether all of them are."""
    tokens = 0
    for one, other in zip(known, stable, strict=False):
        if _face(one) != _face(other):
            return tokens, False
        tokens += other["tokens"]
    return tokens, len(known) == len(stable)


def _face(part: Reference) -> tuple[Any, ...]:
    """What tells whether a part is the same text: its digest, or where that is not kept, its version."""
    return (part["kind"], part.get("text"), part.get("content"), *_version(part))


def _version(part: Reference) -> tuple[Any, ...]:
    is_kept = bool(part.get("text") or part.get("content"))
    return () if is_kept else (part.get("block"), part.get("version"), part.get("kept"))


def _changed(known: Sequence[Reference], stable: Sequence[Reference]) -> list[str]:
    """Names of the parts that came, went or changed, in the order of the prompt."""
    faces, others = {_face(part) for part in known}, {_face(part) for part in stable}
    changed = [part for part in stable if _face(part) not in faces]
    changed += [part for part in known if _face(part) not in others]
    return list(dict.fromkeys(map(_name, changed))) or _moved(known, stable)


def _moved(known: Sequence[Reference], stable: Sequence[Reference]) -> list[str]:
    """Blocks that only changed places."""
    pairs = zip(known, stable, strict=False)
    return list(dict.fromkeys(_name(other) for one, other in pairs if _face(one) != _face(other)))


def _name(part: Reference) -> str:
    return f"block:{part['label']}" if part["kind"] == PartKind.BLOCK else str(part["kind"])


def _queue(parts: Sequence[Reference]) -> Reference:
    return next((part for part in parts if part["kind"] == PartKind.QUEUE), {})


# What shows every message of a queue differently, or may, and what only some.
_SETTINGS = ("clip", "tokenizer", "exclude", "clears_inputs")
_EVICTION, _EDITING, _CLIPPING = "eviction", "editing", "clipping"


def _of_queue(old: Reference, new: Reference, queue: Sequence[Queued]) -> Shared:
    """What the queue shares with the one before it, where all that stands before the queue is the same."""
    breaks = [_EVICTION] if old["from"] != new["from"] else []
    if any(old[name] != new[name] for name in _SETTINGS):
        breaks.append("settings")
    if old["cleared_to"] > new["cleared_to"]:
        breaks.append(_EDITING)
    known = [each for each in queue if (each.message.position or 0) <= old["to"]]
    if not breaks and len(known) != old["count"]:
        breaks.append(_CLIPPING)
    why = [_why(each, old, new) for each in known]
    tokens = 0
    if not breaks:
        same = takewhile(lambda pair: not pair[1], zip(known, why, strict=True))
        tokens = sum(each.tokens for each, _ in same)
    return Shared(tokens, tuple(dict.fromkeys([*breaks, *filter(None, why)])))


def _why(queued: Queued, old: Reference, new: Reference) -> str:
    """Why a message is not shown as it was before; empty where it is."""
    key = str(queued.message.id)
    if _in("attached", old, key) != _in("attached", new, key):
        return "documents"
    if _in("hard", old, key) != _in("hard", new, key) or _left_out(queued, old) != _left_out(queued, new):
        return _CLIPPING
    # A placeholder that is older than this stood there before; so did one that a turn in need had made.
    is_new = (queued.message.position or 0) > old["cleared_to"] and _in("hard", old, key) != 0
    return _EDITING if queued.is_cleared and is_new else ""


def _in(name: str, reference: Reference, key: str) -> Any:
    return reference.get(name, {}).get(key)


def _left_out(queued: Queued, reference: Reference) -> set[str]:
    """The calls of a message that are not shown."""
    return {call["id"] for call in queued.message.tool_calls} & set(reference.get("left_out", ()))
