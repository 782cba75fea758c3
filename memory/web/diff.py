"""What changed between two texts, word by word, Chinese too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from memory.comparing import in_common, is_affordable
from memory.words import words

SAME, INSERTED, DELETED = "same", "inserted", "deleted"
WORDS_AT_MOST = 1_500
LINES_AROUND = 2
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_Change = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class Run:
    """A stretch of text that stayed, came or went."""

    kind: str
    text: str
    is_apart: bool = False
    """Whether what came in its place begins on a line of its own."""


def runs(before: str, after: str) -> list[Run]:
    """The whole of both texts as stretches; by words, or by lines where the texts are long."""
    old, new = words(before), words(after)
    if max(len(old), len(new)) > WORDS_AT_MOST or not _is_affordable(*_middles(old, new)):
        old, new = _LINE.findall(before), _LINE.findall(after)
    return _compared(old, new)


def _compared(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    found: list[Run] = []
    for operation, a, b, c, d in _changes(old, new):
        if operation == "equal":
            found.append(Run(SAME, "".join(old[a:b])))
            continue
        found += [Run(DELETED, "".join(old[a:b]))] if a < b else []
        found += [Run(INSERTED, "".join(new[c:d]))] if c < d else []
    return _smoothed(found)


def _changes(old: Sequence[str], new: Sequence[str]) -> list[_Change]:
    """How the old pieces become the new ones: what both begin and end with, and what changed between."""
    start, end = in_common(old, new)
    before, after = _middles(old, new)
    inner: list[_Change] = [("replace", 0, len(before), 0, len(after))] if before or after else []
    if before and after and _is_affordable(before, after):
        inner = list(SequenceMatcher(_is_gap, before, after, autojunk=False).get_opcodes())
    found = [(kind, a + start, b + start, c + start, d + start) for kind, a, b, c, d in inner]
    head: list[_Change] = [("equal", 0, start, 0, start)] if start else []
    tail: list[_Change] = [("equal", len(old) - end, len(old), len(new) - end, len(new))] if end else []
    return head + found + tail


def _middles(old: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    start, end = in_common(old, new)
    return old[start : len(old) - end], new[start : len(new) - end]


def _is_affordable(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a comparison ends soon; gaps are passed over in it."""
    return is_affordable(*([piece for piece in side if not _is_gap(piece)] for side in (old, new)))


def _is_gap(piece: str) -> bool:
    """Space between words is everywhere: where it stays is told by the words beside it."""
    return piece.isspace() and "\n" not in piece


def _smoothed(found: list[Run]) -> list[Run]:
    """Two changes with next to nothing between them read better as one."""
    smooth: list[Run] = []
    for position, run in enumerate(found):
        bridge = run.kind == SAME and 0 < position < len(found) - 1 and len(run.text.strip()) <= 1
        if bridge and "\n" not in run.text:
            smooth += [Run(DELETED, run.text), Run(INSERTED, run.text)]
        else:
            smooth.append(run)
    return _gathered(smooth)


def _gathered(found: list[Run]) -> list[Run]:
    """Neighbouring changes as one deletion and one insertion."""
    gathered: list[Run] = []
    deleted = inserted = ""
    for run in [*found, Run(SAME, "")]:
        if run.kind == DELETED:
            deleted += run.text
        elif run.kind == INSERTED:
            inserted += run.text
        else:
            is_apart = "\n" in deleted + inserted and not deleted.endswith("\n") and bool(inserted)
            gathered += [Run(DELETED, deleted, is_apart)] if deleted else []
            gathered += [Run(INSERTED, inserted)] if inserted else []
            gathered += [run] if run.text else []
            deleted = inserted = ""
    return gathered


def folded(found: list[Run]) -> list[Run]:
    """The same stretches with what stayed far from any change left out: two lines stay on each side."""
    last = len(found) - 1
    return [
        Run(SAME, _folded(run.text, begins=at == 0, ends=at == last)) if run.kind == SAME else run
        for at, run in enumerate(found)
    ]


def _folded(text: str, *, begins: bool, ends: bool) -> str:
    """A stretch that stayed, without its middle; without its beginning or end, where no change lies there."""
    lines = text.split("\n")
    head, tail = (0 if begins else LINES_AROUND + 1), (0 if ends else LINES_AROUND + 1)
    if len(lines) <= head + tail + 1:
        return text
    return "\n".join([*lines[:head], "…", *lines[len(lines) - tail :]])


def one_line(before: str, after: str, *, most: int = 160) -> list[Run]:
    """What changed, as one short line: what went, then what came, whole lines where lines came or went."""
    gone, come = _changed_lines(before.split("\n"), after.split("\n"))
    is_one = len(gone) == len(come) == 1
    pairs = [run for run in runs(gone[0], come[0]) if run.text.strip()] if is_one else []
    if is_one and _is_alike(pairs, gone[0], come[0]):
        return _clipped(pairs, most)
    whole = [Run(DELETED, _joined(gone)), Run(INSERTED, _joined(come))]
    return _clipped([run for run in whole if run.text], most)


def _is_alike(found: list[Run], before: str, after: str) -> bool:
    """Whether enough of a line stayed that its changed words say more than the whole line."""
    stayed = sum(len(run.text) for run in found if run.kind == SAME)
    return stayed * 3 > max(len(before), len(after))


def _changed_lines(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """The lines that went and the lines that came, without the empty ones."""
    changed = [change for change in _changes(old, new) if change[0] != "equal"]
    gone = [line for _kind, a, b, _c, _d in changed for line in old[a:b] if line.strip()]
    return gone, [line for _kind, _a, _b, c, d in changed for line in new[c:d] if line.strip()]


def _joined(lines: list[str]) -> str:
    return " · ".join(line.strip() for line in lines)


def _clipped(found: list[Run], most: int) -> list[Run]:
    clipped: list[Run] = []
    left = most
    for run in found:
        text = run.text.replace("\n", " ")
        if run.kind == SAME and len(text) > 24:
            text = f"{text[:10]}…{text[-10:]}"
        if len(text) > left:
            return [*clipped, Run(run.kind, f"{text[: max(left, 1)]}…")]
        clipped.append(Run(run.kind, text))
        left -= len(text)
    return clipped
