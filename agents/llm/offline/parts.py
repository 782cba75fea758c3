"""The parts of a line that answer by themselves. What goes on about somebody else says nothing alone: "works
at Philips", of "my sister lives in Leiden and works at Philips"."""

from __future__ import annotations

import re

from agents.llm.offline.chinese import words as chinese_words
from agents.llm.offline.chinese.clauses import goes_on
from agents.llm.offline.chinese.whose import subjects_after
from agents.llm.offline.english.clauses import spoken_of
from agents.llm.offline.english.words import FINITE
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.terms import terms

_CUT = re.compile(r"[，,;；]\s*|\s(?:and|but)\s")
_SHORTEST = 4
_VERB = re.compile(rf"(?i)(?:(?:also|now|then|still|even) )*{FINITE}\b")
_SPEAKER = re.compile(r"(?i)(?:i|we)\b")
_MY_THING = re.compile(r"(?i)(?:my|our)\b")
_OWN = re.compile(rf"(?:{chinese_words.FIRST}|{chinese_words.PROJECT_NOUN})?")


def parts(line: str) -> list[str]:
    """The parts of a line, without those that go on about somebody else than the speaker; none of a line that
    has one only."""
    pieces = [piece.strip() for piece in _CUT.split(line)]
    if len(pieces) < 2:
        return []
    found, begun = [], ""
    for piece, subject in zip(pieces, subjects_after(pieces), strict=True):
        going_on = _goes_on(piece)
        begun = begun if going_on else piece
        if len(piece) >= _SHORTEST and (not going_on or _is_of_speaker(piece, subject, begun)):
            found.append(piece)
    return found


def _goes_on(piece: str) -> bool:
    """Whether a part has no subject of its own."""
    if is_chinese(piece):
        return goes_on(piece)
    first = next(iter(terms(piece)), None)
    is_verb = bool(first and first.role == "relation" and piece.startswith(first.word))
    return is_verb or bool(_VERB.match(piece))


def _is_of_speaker(piece: str, subject: str, begun: str) -> bool:
    """Whether a part that goes on is about the speaker, or about a thing of theirs: `subject` is whom a
    Chinese one is about, `begun` the last part that names its subject."""
    if is_chinese(piece):
        return bool(_OWN.fullmatch(subject))
    words = spoken_of(begun)
    if _MY_THING.match(words):
        return not meaning_of(words).holder
    return not words or bool(_SPEAKER.match(words))
