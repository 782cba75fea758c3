"""After ranking: which texts say the same, which say otherwise, and what fits a budget.

Both are judged by words alone and carefully: what is not sure stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory import lexical
from memory.retrieval.records import Hit, LeftOut

ALIKE = 0.9
"""Two texts say the same where so large a share of their words is the same, and none of those that tell."""
AKIN = 0.5
"""Two texts speak of the same thing where so large a share of their words is the same, and all the others
tell: numbers, names, a no."""
COMPARED_WORDS, COMPARED_LETTERS = 80, 2_000
"""Longer texts are neither: they hold more than one statement."""
NO = frozenset({"no", "not", "never", "none", "nothing", "without"})
_NOT = re.compile(r"(?<=\bcan)(?:not|['’]t)\b|(?<!\bca)n['’]t\b")
_HELPING = frozenset({"do", "does", "did"})
_NO_EAST = re.compile("[不没沒无無未别別非]")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*|[零一二三四五六七八九十百千万两]+(?=[点月日号年个块元岁次天人])")
_NAME = re.compile(r"(?<![.!?。！？]\s)(?<!^)\b[A-Z][\w'-]+")
_EAST = f"{lexical.HAN}{lexical.KANA}{lexical.HANGUL}"
_PIECE = re.compile(rf"[{_EAST}]|[^\W{_EAST}]+")


class Statement:
    """A short text as these rules read it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> frozenset[str]:
        """Words as they stand, "don't" as "not"; single characters of Chinese and Japanese."""
        return frozenset(self.pieces) - _HELPING

    @cached_property
    def is_compared(self) -> bool:
        """Whether it has words, and is short enough to be one statement."""
        return len(self.text) <= COMPARED_LETTERS and 0 < len(self.words) <= COMPARED_WORDS

    @cached_property
    def pieces(self) -> list[str]:
        """The same in their order, all of them."""
        return _PIECE.findall(_NOT.sub(" not", self.text.casefold()))

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words that make the difference between two statements: numbers, names, a no."""
        names_and_numbers = " ".join(_NAME.findall(self.text) + _NUMBER.findall(self.text))
        no = NO & self.words | set(_NO_EAST.findall(self.text))
        return frozenset(no.union(_PIECE.findall(names_and_numbers.casefold())))


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether two texts are equal but for words that tell nothing."""
    return _share(one, other, ALIKE) >= ALIKE and one.telling == other.telling


def says_otherwise(one: Statement, other: Statement) -> bool:
    """Whether two texts are equal but for numbers, names or a no."""
    if not AKIN <= _share(one, other, AKIN) < 1:
        return False
    return one.words ^ other.words <= one.telling | other.telling


def _share(one: Statement, other: Statement, least: float) -> float:
    """The share of two texts' words that both have; 0 where it is plainly under `least`, or one text is not
    to be compared."""
    if not (one.is_compared and other.is_compared):
        return 0.0
    few, many = sorted((len(one.words), len(other.words)))
    if few < many * least:
        return 0.0
    both = len(one.words & other.words)
    return both / (few + many - both)


@dataclass(frozen=True)
class Budget:
    """How many tokens the texts of a page may have together, and how a text's are counted."""

    tokens: int
    count: Callable[[str], int]


def within(hits: Sequence[Hit], budget: Budget | None) -> tuple[list[Hit], list[LeftOut]]:
    """The hits that fit a budget, in their order, and the names of the others. Without one, all fit."""
    if budget is None:
        return list(hits), []
    kept: list[Hit] = []
    left_out: list[LeftOut] = []
    room = budget.tokens
    for hit in hits:
        tokens = budget.count(hit.text)
        if tokens <= room:
            kept.append(hit)
            room -= tokens
        else:
            left_out.append(LeftOut(hit.id, hit.kind, hit.title))
    return kept, left_out
