"""Two people's changes of one text, beside each other and in one."""

from __future__ import annotations

from dataclasses import dataclass

from memory.merge import three_way
from memory.web import diff
from memory.web.diff import Run


@dataclass(frozen=True)
class Clash:
    """Theirs and mine, each as what it changed; `text` holds both, `typed` is mine as it was written."""

    theirs: list[Run]
    mine: list[Run]
    is_clean: bool
    typed: str
    text: str


def clash(base: str, theirs: str, mine: str) -> Clash:
    """What to show somebody who was not the first to save."""
    merged = three_way(base, theirs, mine)
    return Clash(
        theirs=diff.folded(diff.runs(base, theirs)),
        mine=diff.folded(diff.runs(base, mine)),
        is_clean=merged.is_clean,
        typed=mine,
        text=merged.text,
    )
