"""Two changes of one text in one: line by line, and word by word where both touched the same lines.

The algorithm is diff3 (Khanna, Kunal and Pierce, 2007) as `merge3` has it. Where both changed the same words,
both stand in the result, and somebody has to choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Any

from merge3 import Merge3

from memory.comparing import STEPS_AT_MOST, Budget
from memory.words import words

WORDS_AT_MOST = 1_500
"""Lines of more words than this are not merged by word."""
STEPS = 4 * STEPS_AT_MOST
"""What one merge may cost, all its lines and words together: about a third of a second."""
KEPT_AT_LEAST = 0.5
"""How much of the lines has to have stayed in both hands, for their words to be merged."""
_EVERY_LINE: Any = partial(SequenceMatcher, autojunk=False)
"""Compares lines that stand in many places too; how much there is to compare is bounded before."""


@dataclass(frozen=True)
class Conflict:
    """A place that both changed, each in their own way: the lines that stood there, and those of each."""

    base: str
    theirs: str
    mine: str


@dataclass(frozen=True)
class Merged:
    """A text of both changes in pieces of whole lines: what is clear, and what somebody has to choose."""

    pieces: list[str | Conflict]

    @classmethod
    def of(cls, text: str) -> Merged:
        """A text about which nobody has to choose."""
        return cls([f"{text}\n"])

    @property
    def text(self) -> str:
        """The whole text; where both changed the same, theirs and then mine."""
        told = (each if isinstance(each, str) else each.theirs + each.mine for each in self.pieces)
        return "".join(told).removesuffix("\n")

    @property
    def conflicts(self) -> list[Conflict]:
        """The places where somebody has to choose."""
        return [each for each in self.pieces if isinstance(each, Conflict)]

    @property
    def is_clean(self) -> bool:
        """Whether nobody has to choose."""
        return not self.conflicts


def three_way(base: str, theirs: str, mine: str, budget: Budget | None = None) -> Merged:
    """What became of `base` in two hands, as one text. What is over the budget is a conflict."""
    if theirs in {base, mine}:
        return Merged.of(mine)
    if mine == base:
        return Merged.of(theirs)
    sides = [_lines(text) for text in (base, theirs, mine)]
    start = _shared(sides)
    end = _shared([lines[start:][::-1] for lines in sides])
    head, tail = sides[0][:start], sides[0][len(sides[0]) - end :]
    base_lines, ours, others = (lines[start : len(lines) - end] for lines in sides)
    middle = _merged(base_lines, ours, others, budget or Budget(STEPS))
    return Merged([piece for piece in ("".join(head), *middle, "".join(tail)) if piece])


def _lines(text: str) -> list[str]:
    """The lines of a text, each with a line break, the last one too; an empty text has none."""
    return [f"{line}\n" for line in text.split("\n")] if text else []


def _shared(sides: list[list[str]]) -> int:
    """How many lines all of them begin with."""
    rows = enumerate(zip(*sides, strict=False))
    return next((at for at, row in rows if len(set(row)) > 1), min(map(len, sides)))


def _merged(base: list[str], theirs: list[str], mine: list[str], budget: Budget) -> Iterator[str | Conflict]:
    if not (budget.allows(base, theirs) and budget.allows(base, mine)):
        yield Conflict("".join(base), "".join(theirs), "".join(mine))
        return
    for group in _groups(base, theirs, mine):
        if len(group) == 1:
            yield "".join(group[0])
        else:
            old, ours, others = map("".join, group)
            yield _by_words(old, ours, others, budget)


def _groups(base: list[str], theirs: list[str], mine: list[str]) -> Iterator[list[Sequence[str]]]:
    """Stretches of pieces: one where it is clear, and what stands in all three where it is not."""
    for _, *group in Merge3(base, theirs, mine, sequence_matcher=_EVERY_LINE).merge_groups():
        yield group


def _by_words(base: str, theirs: str, mine: str, budget: Budget) -> str | Conflict:
    """Lines that both changed, merged by word where most of them stayed in both hands; else as they are."""
    conflict = Conflict(base, theirs, mine)
    old, ours, others = (_words(text) for text in (base, theirs, mine))
    if not (_is_touched_up(old, ours, budget) and _is_touched_up(old, others, budget)):
        return conflict
    groups = list(_groups(old, ours, others))
    return (
        "".join(word for group in groups for word in group[0])
        if all(len(group) == 1 for group in groups)
        else conflict
    )


def _words(text: str) -> list[str]:
    """Words with the space after them: space alone is everywhere, and would join what does not belong."""
    found: list[str] = []
    for word in words(text):
        if found and word.isspace() and "\n" not in word:
            found[-1] += word
        else:
            found.append(word)
    return found


def _is_touched_up(old: list[str], new: list[str], budget: Budget) -> bool:
    """Whether most of the old words stand in the new ones, in their order. Who then merges compares again."""
    if max(len(old), len(new)) > WORDS_AT_MOST or not budget.allows(old, new, times=2):
        return False
    stayed: int = sum(match.size for match in _EVERY_LINE(None, old, new).get_matching_blocks())
    return stayed > len(old) * KEPT_AT_LEAST
