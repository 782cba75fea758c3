"""Whom a Chinese clause is about, for the one after it that has no subject: 我的朋友叫小明，住在北京."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
_ONE_WHO_DOES = re.compile(
    rf"{words.NUMBERED}(?:.*(?:{words.KNOWN_PEOPLE}|孩子|宝宝|[狗猫鸟娃])|(?<=[个位只名号]))$"
)
"""第二个大学同学 does something; 第二外语 and 第一份工作 are done by the person."""
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
    *_, subject = subjects_after(re.split("[，,]", clause), before)
    return subject


def subjects_after(parts: Iterable[str], before: str = "") -> Iterator[str]:
    """For each part of a text, whom the part after it is about if that does not say."""
    last = ""
    for part in map(str.strip, parts):
        noun = presented(last, part)
        before = f"我的{noun}" if noun else _subject_of(part) or before
        yield before
        last = part


def _subject_of(part: str) -> str:
    """The subject of a part of a clause; "" where it has none of its own."""
    if own := _MINE.match(part):
        return _of_mine(part, own)
    if forms.DROPPED.match(part):
        return ""
    if forms.CALLED_BY_OTHERS.match(part):
        return SPEAKER
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


def _of_mine(part: str, own: re.Match[str]) -> str:
    """The speaker, or whoever or whatever is theirs and does something of its own."""
    noun = own["noun"] or ""
    is_other = bool(noun and (meaning_of(part).holder or _ONE_WHO_DOES.search(noun)))
    further = _OF_IT.match(part, own.end()) if noun else None
    if further and holder_of(terms(further["noun"])):
        return own["subject"] + noun + further.group()
    return (own["subject"] + noun * is_other).removesuffix("的")
