"""Which lines answer a question. Nothing is inferred: a line is quoted where it is about what was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.llm.offline import lexicon
from agents.llm.offline.meaning import Meaning, meaning_of
from agents.llm.offline.questions import Ask, Group
from agents.llm.offline.sentences import HAN, is_chinese
from agents.llm.offline.slots import ALTERNATIVES
from agents.llm.offline.subjects import holder_of, subject_terms
from agents.llm.offline.terms import terms
from agents.llm.offline.wording import listed

_ENOUGH = 0.66
_LIKE_LINES = 5
_STRONG = listed("use drive play study work speak listen read watch")
_ONE_OBJECT = listed("drive live marry")
_ON_ME = re.compile(
    r"(?i)\b(?:do|am|are|is|can|have|don't|aren't|isn't) (?:i|we|my|our|the)\b(?! \w+ \w+s\b)"
)
_EITHER = ALTERNATIVES | listed("dog cat")
"""Kinds of which a thing is one and not another: a beagle is no poodle."""
_ASKS_ON = re.compile(r"(?i)^(?:is|are|was|does|do|has|have|can) (?:my|our) (?P<noun>\w+)")
_DENIES = listed("allergy")
_NO_GROUP = listed("project team company app product system website site server code client")
_ANYBODYS = listed("responsible must")
_WORDS_OF_ATTRIBUTES = frozenset(lexicon.ATTRIBUTES)
_NUMBER = re.compile(
    r"(?i)\d|[一二两三四五六七八九十百千万]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|no|a|"
    r"an|several)\b"
)
_PERSON_ONLY = listed("name age birthday live origin")


@dataclass(frozen=True)
class Answer:
    """A line that answers, and how well, from 0 to about 1."""

    line: str
    score: float


def answers(ask: Ask, lines: Iterable[str]) -> list[Answer]:
    """The lines that answer, best first; the order of equals stays."""
    scored = [Answer(line, _score(ask, meaning_of(line))) for line in lines]
    good = sorted((one for one in scored if one.score > 0), key=lambda one: -one.score)
    best = good[0].score if good else 0.0
    return [one for one in good if one.score >= best - 0.15][:_LIKE_LINES]


def _score(ask: Ask, line: Meaning) -> float:
    if not ask.groups or not _same_holder(ask, line):
        return 0.0
    covered = [group for group in ask.groups if _covers(group, line)]
    total = sum(group.weight for group in ask.groups)
    share = sum(group.weight for group in covered) / total
    if not _right_way(ask, line, covered):
        return 0.0
    if share < _ENOUGH and not _speaks_of_it(ask, line, covered):
        return 0.0
    if not any(group.weight >= 0.5 for group in covered) or not _fits(ask, line, covered):
        return 0.0
    return share + _bonus(ask, line)


def _fits(ask: Ask, line: Meaning, covered: list[Group]) -> bool:
    """What is love? is not about what somebody loves; how many? wants a number; when? is not answered by a
    line that has neither a day nor the word."""
    if not ask.own and ask.kind == "memory" and all(group.role == "relation" for group in covered):
        return any(group.tokens & _ANYBODYS for group in covered)
    if ask.counts and not _NUMBER.search(line.text):
        return False
    said = line.things | line.relations | (line.tokens & _WORDS_OF_ATTRIBUTES)
    return ask.wants != "date" or line.dated or any(group.tokens & said for group in covered)


def _covers(group: Group, line: Meaning) -> bool:
    if group.tokens & line.tokens:
        return True
    word = group.word
    if re.match(f"[{HAN}]", word) and len(word) > 1:
        pairs = [word[place : place + 2] for place in range(len(word) - 1)]
        return sum(pair in line.text for pair in pairs) * 2 > len(pairs)
    return word in line.text if re.match(f"[{HAN}]", word) else False


def _same_holder(ask: Ask, line: Meaning) -> bool:
    """My dog's name is no answer to what my name is; what Bob eats is none to what I eat."""
    asked = frozenset().union(*(group.tokens for group in ask.groups))
    wider = line.holder_kinds | ({"marry"} if "spouse" in line.holder_kinds else set())
    begins = any(
        line.text.lower().startswith(group.word.lower()) for group in ask.groups if group.role == "thing"
    )
    begins = begins or any(token in group.word for token in line.holder for group in ask.groups)
    begins = begins or _names_holder(ask, line)
    if line.holder and not begins and not (line.holder | wider) & asked:
        only_project = line.holder <= _NO_GROUP
        if not only_project or asked & _PERSON_ONLY:
            return False
    if line.stranger and ask.kind == "memory":
        named = any(
            group.word.lower() in (line.stranger, *line.text.lower().split()[:2])
            or group.word in line.text[:4]
            for group in ask.groups
            if group.role == "thing"
        )
        return named or not ask.own
    return True


def _names_holder(ask: Ask, line: Meaning) -> bool:
    """Freya's exam is that of my daughter Freya: a name that the line gives to its subject."""
    named = {token for group in ask.groups if group.role == "thing" for token in group.tokens}
    subject = {token for term in subject_terms(line.text) for token in term.tokens}
    return bool(named & subject - line.holder)


def _right_way(ask: Ask, line: Meaning, covered: list[Group]) -> bool:
    """What don't I eat? wants a denial, what do I like? none; a thing that is named decides by itself."""
    if not ask.open or any(group.role in ("thing", "number") for group in covered):
        return True
    if ask.negative:
        return line.negative or bool(line.tokens & _DENIES)
    relations = {token for group in ask.groups if group.role == "relation" for token in group.tokens}
    return not (
        line.negative
        and relations
        & {
            "eat",
            "drink",
            "like",
            "play",
            "smoke",
            "watch",
            "listen",
            "read",
            "use",
            "work",
            "speak",
            "drive",
        }
    )


def _speaks_of_it(ask: Ask, line: Meaning, covered: list[Group]) -> bool:
    """Do I eat coriander? is answered by any line on coriander; which framework do we use? by what we use,
    where nothing tells that it is another kind of thing."""
    things = [group for group in ask.groups if group.role in ("thing", "number")]
    if not ask.open and things and all(group in covered for group in things) and ask.kind == "memory":
        return True
    if _names_another(ask, line, covered):
        return True
    relations = [group for group in ask.groups if group.tokens & _STRONG]
    kinds = [group for group in ask.groups if group not in relations and group.role == "attribute"]
    if not relations or not kinds or things or len(kinds) > 1:
        return False
    known = line.tokens - line.things - line.relations
    return all(group in covered for group in relations) and not known and bool(line.things)


def _names_another(ask: Ask, line: Meaning, covered: list[Group]) -> bool:
    """Do I drive a Volvo? is answered by the car that I do drive: of some things there is one at a time."""
    if ask.open or ask.past or line.negative or not covered or not _same_asker(ask, line):
        return False
    relations = {token for group in covered if group.role == "relation" for token in group.tokens}
    if relations & _ONE_OBJECT and line.things:
        return True
    missing = frozenset().union(*(group.tokens for group in ask.groups if group not in covered))
    known = {kind for term in terms(line.text) for kind in term.kinds} & _EITHER
    other = [term for term in terms(ask.text) if term.tokens & missing]
    return "like" not in relations and bool(other) and all(term.kinds & known for term in other)


def _same_asker(ask: Ask, line: Meaning) -> bool:
    """Whether a question is on the person where the line is, and on nobody of theirs."""
    asked = _ASKS_ON.match(ask.text)
    holder = holder_of(terms(asked["noun"]) if asked else subject_terms(ask.text))
    return holder == line.holder and bool(is_chinese(ask.text) or line.holder or _ON_ME.search(ask.text))


def _bonus(ask: Ask, line: Meaning) -> float:
    bonus = 0.0
    if (
        ask.wants == "date"
        and line.dated
        or ask.wants == "number"
        and re.search(r"\d|[一二两三四五六七八九十]", line.text)
    ):
        bonus += 0.2
    if ask.negative == line.negative:
        bonus += 0.05
    if line.slot:
        bonus += 0.05
    return bonus


def mentions(ask: Ask, text: str) -> bool:
    """Whether a text has what is searched for: the words as they stand, or most of what they mean."""
    if ask.query.lower() in text.lower():
        return True
    line = meaning_of(text)
    weight = sum(group.weight for group in ask.groups if _covers(group, line))
    return bool(ask.groups) and weight >= _ENOUGH * sum(group.weight for group in ask.groups)
