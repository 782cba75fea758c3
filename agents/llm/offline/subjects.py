"""The noun that a line begins with, and whose thing it is."""

from __future__ import annotations

import re

from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.terms import Term, terms
from agents.llm.offline.wording import listed

_ANIMATE_KINDS = listed("pet family child sibling parent spouse")
_ANIMATE = _ANIMATE_KINDS | listed("friend boss colleague client roommate neighbour")
_GROUP = listed(
    "project team company employer app product system website site server code client 公司 系统 产品 网站 "
    "服务器 服务 平台 car house flat 房子"
)
VERB = (
    r"(?:is|are|was|were|'s|isn't|aren't|has|have|hasn't|had|does|doesn't|don't|do|did|can|can't|"
    r"cannot|will|won't|"
    r"must|should|shall|needs?|uses?|runs?|lives?|works?|likes?|loves?|hates?|eats?|drinks?|wants?|prefers?|"
    r"speaks?|plays?|studies|supports?|starts?|ends?|moved|changed|got|died|became|stores?|goes|goes by|"
    r"targets?|costs?|weighs?|belongs?|barks?|meets?|ships?|takes?|gets?|turns?|turned|comes?|writes?|"
    r"slipped|slid|shifted|knows?|reads?|owns?|drives?|rides?)"
)
_ENGLISH_SUBJECT = re.compile(
    rf"(?i)^(my|our|the|this)\s+(.{{1,60}}?)(?:\s+(?={VERB}\b)|'s\s+(?=[a-z ]*$)|\s*[:=：])"
)
_ENGLISH_OWNER = re.compile(r"(?i)^(my|our|the)\s+((?:\w+\s){0,1}?\w+)'s?\s")
_HAN_VERB = (
    r"(?:是|为|叫|名叫|姓|在|有|不|没|也|都|喜欢|爱|讨厌|对|今年|每|住|(?<![周例晨站开布享示讨论谈辩证审览介讲年])会(?!议)|吃|喝|"
    r"必须|应该|需要|要|得|用|使用|采用|定在|定于|改|推迟|提前|延|挪|顺延|换|增加|减少|涨|降|上调|下调|缩减|"
    r"提高|"
    r"已|现在|目前|很|比较|最|：|:|=|(?<![第\d一二三四五六七八九十两])[\d一二三四五六七八九十两]+"
    r"(?:岁|月|号|点|个|万))"
)
_HAN_SUBJECT = re.compile(
    rf"^(?:我们家|咱们家|我家|咱家|我们|咱们|我|咱|俺|本人|本)?(?:的|"
    rf"家)?(?P<noun>[^，,。：:=]{{1,14}}?)(?={_HAN_VERB})"
)
_IS_MY = re.compile(
    r"(?i)^(?!he|she|it|this|that|they)[\w' ]{1,30} is my (?P<who>(?:\w+ )?(?:dog|cat|wife|husband|son|"
    r"daughter|brother|sister|friend|boss|parrot|puppy|mother|father|"
    r"partner|colleague|roommate|neighbou?r|manager|girlfriend|boyfriend))$|"
    r"^[^，,我他她它你这那]{1,8}是我(?:家|们)?的?(?P<whom>[^，,。]{1,6})$"
)
_FAVOURITE_HAN = re.compile(r"^我?最(?:喜欢|爱|喜爱)的(?P<noun>.{1,8}?)(?=是|为)")


def subject_terms(text: str) -> tuple[Term, ...]:
    """The terms of the noun that a line begins with: my DOG is ..., 我老婆..., the DEADLINE is ..."""
    if match := _IS_MY.match(text):
        return terms(match["who"] or match["whom"])
    if not is_chinese(text):
        match = _ENGLISH_SUBJECT.match(text) or _ENGLISH_OWNER.match(text)
        bare = re.match(rf"^([\w -]{{1,40}}?)(?:\s*[:：=]|\s+(?={VERB}\b))", text)
        noun = (
            match.group(2)
            if match
            else (bare.group(1) if bare and not re.match(r"(?i)i\b|we\b", text) else "")
        )
        return terms(noun)
    match = _FAVOURITE_HAN.match(text) or _HAN_SUBJECT.match(text)
    found = terms(match["noun"]) if match else ()
    return () if any(term.role == "relation" for term in found) else found


def holder_of(subject: tuple[Term, ...]) -> frozenset[str]:
    """Whose property a line is: the person, pet or group that its subject names; empty for the speaker."""
    return frozenset(
        token
        for term in subject
        if (term.tokens | term.kinds) & _ANIMATE or term.tokens & _GROUP
        for token in term.tokens
    )
