"""What one line says: about whom, which property, which way. Used for facts, lines in memory and findings."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from agents.llm.offline.dates import DATED, VALUE_NUMBER
from agents.llm.offline.people import names_speaker, stranger_of
from agents.llm.offline.sentences import HAN, is_chinese
from agents.llm.offline.slots import slot_of
from agents.llm.offline.subjects import holder_of, subject_terms
from agents.llm.offline.terms import terms, tokens

_NO_ENGLISH = re.compile(
    r"(?i)\b(?:not|never|no|none|nothing|without|cannot|avoid\w*|hates?|dislikes?|can't|no longer|quit|"
    r"stopped|"
    r"gave up|given up|(?:cancell?ed|terminated) (?:my|our)|"
    r"dropped|ditched|abandoned|scrapped|(?:got|gotten) rid of|(?:moved|migrated|switched) "
    r"(?:away from|off))\b|n't\b"
)
_NO_HAN = re.compile(
    r"不(?!错|但|过(?!敏)|仅|同|断|久|管|论|得不|然|锈)|没|从不|别(?!人|的)|讨厌|反感|厌恶|受不了|戒|"
    r"忌|避免|禁止|无法|恨|拒绝|弃用|放弃|停用|抛弃|废弃|告别|淘汰"
)
_DOUBLE_NO = re.compile(
    r"不得不|不是不|没有不|离不开|忍不住|差不多|没错|没问题|要不|说不定|对不起|不好意思|不见不散"
)


@dataclass(frozen=True)
class Meaning:
    """What one line says. `holder` is whose property it is (empty: the person's own or the team's);
    `stranger` is set where the subject is somebody that is not theirs; `slot` names a property which has
    one value at a time; `things` are the words that are peculiar to the line, numbers apart."""

    text: str
    tokens: frozenset[str]
    things: frozenset[str]
    numbers: frozenset[str]
    relations: frozenset[str]
    holder: frozenset[str]
    holder_kinds: frozenset[str]
    stranger: str
    slot: frozenset[str]
    negative: bool

    @property
    def dated(self) -> bool:
        return bool(DATED.search(self.text))

    def without_numbers(self) -> str:
        """The line with every number blanked: lines that differ only there are values of one thing."""
        return normal(VALUE_NUMBER.sub("#", self.text.lower()))


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Meaning:
    """Read one line of either language."""
    subject = subject_terms(text)
    holder = holder_of(subject)
    found = terms(text)
    everything = tokens(text) | ({"name"} if names_speaker(text) else frozenset())
    return Meaning(
        text=text,
        tokens=everything,
        things=frozenset(token for term in found if term.role == "thing" for token in term.tokens),
        numbers=frozenset(token for term in found if term.role == "number" for token in term.tokens),
        relations=frozenset(token for term in found if term.role == "relation" for token in term.tokens),
        holder=holder,
        holder_kinds=frozenset(kind for term in subject for kind in term.kinds),
        stranger=stranger_of(text),
        slot=slot_of(text, subject, everything, holder),
        negative=is_negative(text),
    )


def is_negative(text: str) -> bool:
    """Whether a line denies something. 不得不 and the like are no denial."""
    if is_chinese(text):
        return bool(_NO_HAN.search(_DOUBLE_NO.sub("", text)))
    return bool(_NO_ENGLISH.search(text))


def normal(text: str) -> str:
    """A text without case, punctuation and spaces around Han: for telling whether two are the same."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"[^\w\s#'+]", " ", text)
    text = re.sub(rf"(?<=[{HAN}])\s+|\s+(?=[{HAN}])", "", text)
    return " ".join(text.split())
