"""Whom a Chinese clause is about, for the one after it that has no subject: 我的朋友叫小明，住在北京."""

from __future__ import annotations

import re

from agents.llm.offline.chinese import forms, words
from agents.llm.offline.chinese.clauses import presented
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.people import stranger_of
from agents.llm.offline.subjects import holder_of
from agents.llm.offline.terms import terms

SPEAKER, SOMEBODY = "我", "他"
_MINE = re.compile(
    rf"^(?:{words.TIME_PREFIX})*?(?P<subject>{words.FIRST}(?:的|家)?|(?:本|这个|"
    rf"该)?{words.NUMBERED}?{words.PROJECT_NOUN})(?P<noun>[^，,是在有叫不没]{{1,12}}?(?=是|叫|姓|在|有|不|今年|住|喜欢|对|"
    rf"也|的))?"
)
_OF_IT = re.compile(r"的(?P<noun>[^，,是在有叫不没的]{1,8}?)(?=是|叫|姓|在|有|不|没|今年|住|喜欢|对|也|很)")
"""我们公司的老板: whoever is of what stands before."""
_PRONOUN = re.compile(r"他|她|它|[你您](?:叫|是|的)|(?:大家|别人)(?!.*我)")
_NAMED = re.compile(
    r"^(?!名字|姓名|本名|全名|大名|小名|网名|笔名|[英中]文名|昵称|外号)"
    r"(?P<who>[^，,]{1,12}?)(?:姓|名叫|(?<!都)叫)(?!我|做|不)"
)
"""老婆姓王, 隔壁的叫老王: somebody, whatever they are to the person."""
_OTHER = re.compile(
    r"^(?P<who>[^，,]{1,12}?)(?=是|叫|姓|住|在|有|不|没|也|都|很|爱|喜欢|讨厌|对|今年|每|会|要|已|现在|吃|喝|用)"
)


def is_mine(bare: str) -> bool:
    """Whether a clause names the speaker, their thing or their project as what it is about."""
    return bool(_MINE.match(bare))


def subject_after(clause: str, before: str) -> str:
    """Whom the next clause is about if it does not say; `before` is whom this one would be about so."""
    for part in re.split("[，,]", clause):
        before = _subject_of(part.strip()) or before
    return f"我的{noun}" if (noun := presented(clause)) else before


def _subject_of(part: str) -> str:
    """The subject of a part of a clause; "" where it has none of its own."""
    if own := _MINE.match(part):
        noun = own["noun"] or ""
        is_other = bool(noun and (meaning_of(part).holder or re.search(words.NUMBERED, noun)))
        further = _OF_IT.match(part, own.end()) if noun else None
        if further and holder_of(terms(further["noun"])):
            return own["subject"] + noun + further.group()
        return (own["subject"] + noun * is_other).removesuffix("的")
    if forms.DROPPED.match(part):
        return ""
    if _PRONOUN.match(part):
        return SOMEBODY
    if forms.FRONTED.match(part) or re.match("你|您|大家|别人", part):
        return SPEAKER
    if match := _NAMED.match(part):
        return match["who"]
    match = _OTHER.match(part)
    if match and (meaning_of(part).holder or stranger_of(part)):
        return match["who"]
    return ""
