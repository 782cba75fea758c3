"""Facts planted among small talk: how much of what was said still stands in a summary of so many tokens.

The sets are our own: a hundred facts in each language, instructions for good, and facts whose value changes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "planted"
LANGUAGES = ("english", "chinese")
TALK_BETWEEN = 2
FORMS = {
    "english": (
        "{fact}",
        "By the way, {lower}",
        "{talk} {fact}",
        "Oh, and {lower}",
        "{fact} {talk}",
        "Just so you know, {lower}",
    ),
    "chinese": (
        "{fact}",
        "对了，{fact}",
        "{talk}{fact}",
        "顺便说一句，{fact}",
        "{fact}{talk}",
        "跟你说一下，{fact}",
    ),
}
ANSWERS = {
    "english": ("Good to know.", "I see.", "Noted."),
    "chinese": ("知道了。", "明白。", "好的，记下了。"),
}
LOWERED = ("My ", "The ", "We ", "Our ")


@dataclass(frozen=True)
class Planted:
    """A fact as it was said, and what of it has to stand in one line for it to be there."""

    fact: str
    keys: tuple[str, ...]
    stale: str = ""

    def stands_in(self, summary: str) -> bool:
        """Whether one line has all of its keys."""
        lines = (line.casefold() for line in summary.splitlines())
        return any(all(key.casefold() in line for key in self.keys) for line in lines)


@dataclass(frozen=True)
class Plantation:
    """A conversation with what was planted in it: `exchanges` are what a person said and the answer."""

    language: str
    facts: list[Planted]
    instructions: list[Planted]
    changes: list[Planted]
    exchanges: list[tuple[str, str]]


def planted(language: str) -> Plantation:
    """The conversation of a language, always the same: each fact after two exchanges of small talk."""
    given = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    facts = [_planted(each) for each in given["facts"]]
    instructions = [_planted(each) for each in given["instructions"]]
    changes = [_planted(each) for each in given["changes"]]
    said = _with_others([each.fact for each in facts], given)
    exchanges = list(_exchanges(language, said, given["talk"], random.Random(7)))
    return Plantation(language, facts, instructions, changes, exchanges)


def _planted(row: dict[str, Any]) -> Planted:
    return Planted(row["fact"], tuple(row["keys"]), row.get("stale", ""))


def _with_others(said: list[str], given: dict[str, Any]) -> list[str]:
    """Instructions in the first half, what changes before and after the middle."""
    step = len(said) // 2 // len(given["instructions"])
    for place, each in enumerate(given["instructions"]):
        said.insert(place * step, each["fact"])
    for place, each in enumerate(given["changes"]):
        said.insert(3 + place * 7, each["before"])
        said.insert(len(said) - 3 - place * 5, each["fact"])
    return said


def _exchanges(
    language: str, said: Sequence[str], talk: Sequence[Sequence[str]], chance: random.Random
) -> Iterator[tuple[str, str]]:
    forms = FORMS[language]
    for number, fact in enumerate(said):
        for _ in range(TALK_BETWEEN):
            words, answer = chance.choice(talk)
            yield words, answer
        lower = fact[0].lower() + fact[1:] if fact.startswith(LOWERED) else fact
        words = forms[number % len(forms)].format(fact=fact, lower=lower, talk=chance.choice(talk)[0])
        yield words, chance.choice(ANSWERS[language])


def ceiling(given: Plantation, most: int, count: Callable[[str], int]) -> int:
    """How many facts fit into so many tokens when each stands there as it was said, the shortest first, after
    the instructions and what changed."""
    used = sum(count(f"{each.fact}\n") for each in [*given.instructions, *given.changes])
    number = 0
    for tokens in sorted(count(f"{each.fact}\n") for each in given.facts):
        used += tokens
        if used > most:
            break
        number += 1
    return number
