"""What a question is after: which kind of question, whose thing, and the words that an answer has to have."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agents.llm.offline import documents, requests, talk
from agents.llm.offline.chinese import asking as chinese_asking
from agents.llm.offline.meaning import is_negative
from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.terms import Term, terms
from agents.llm.offline.wording import listed

_WEAK = {"use": 0.5, "own": 0.5, "pay": 0.5, "goal": 1.0, "must": 1.0, "travel": 1.0}
_LEADS = (
    re.compile(
        r"^(?:(?:and|but|so|ok|okay|hey|hi|hello|well|then|now|please|sorry|by the way|btw|one "
        r"question|quick question|just|can you|could you|would you|will you|do you|did you|"
        r"still|happen to|remember|recall|know|tell me|remind me|say|again|if|whether|that|i asked|i "
        r"wonder|i was wondering|any idea|you (?:still )?(?:remember|know))\b[\s,:]*)+",
        re.I,
    ),
    re.compile(
        r"^(?:(?:请问|那么|那|对了|嗯|你好|你|您|还|是否|能不能|可不可以|可以|能|会不会|到底|究竟|现在|"
        r"记不记得|记得不|记得|知不知道|知道不|知道|告诉我|说说|说一下|提醒我|帮我|想想|回忆一下|"
        r"有没有记住|"
        r"还有印象|记住了|麻烦|问一下|我想知道|我想问|话说|顺便问一下)[\s，,：:]*)+"
    ),
)
_TAIL = re.compile(
    r"(?:[，,]\s*)?(?:(?:你|您)?(?:还)?(?:记得|知道|记住了?)(?:吗|(?<![什怎])么|吧)?|来着|呢|吗|"
    r"(?<![什怎])么|啊|呀|吧|嘛|可以告诉我吗|是吗|对吗|对吧|是不是|[，,]|, (?:do|don't|can|could) you "
    r"(?:remember|know|recall|tell me)|, (?:right|correct|remember)|"
    r"(?<=\w) (?:again|exactly|once more|please|by the way|btw|(?:right )?now))+$"
)
_OPEN = re.compile(
    r"(?i)^\W*(?:what|who|whom|whose|when|where|which|why|how)\b|\b(?:what|who|when|where|which|"
    r"how)(?:'s| is| are| do| does| did| was| am| many| much| old)\b"
)
_WANTS = (
    (
        "date",
        re.compile(
            r"(?i)\bwhen\b|\bwhat (?:time|date|day|year)\b|\bhow long\b|什么时候|何时|哪天|几号|几月|"
            r"哪一天|几点|时间|日期|哪年|星期几|周几|多久"
        ),
    ),
    (
        "number",
        re.compile(r"(?i)\bhow (?:many|much|old|tall|often|big|large)\b|多少|几(?!乎)|多大|多高|多重"),
    ),
)
_OWN = re.compile(r"(?i)\b(?:i|i'm|me|my|mine|myself|we|our|us)\b|我|咱|俺")
_PAST = re.compile(
    r"(?i)\bused to\b|\bdid (?:i|we) (?:once |use to )?(?:live|work|have|own|eat|drink|study|use)\b|"
    r"\bwas (?:i(?! born)|my)\b|\bbefore (?:that|now)\b|\bformerly\b|\bpreviously\b|以前|曾经|过去|"
    r"之前(?=住|在|用|吃)|小时候"
)
_WHAT_I_DO = re.compile(
    r"(?i)\bwhat do(?:es)? (?:i|we|my \w+) do$|我是?(?:做|干)(?:什么|啥)(?:的|工作|职业)?$"
)
_ASKED_KIND = listed(
    "city town country place village date day time year address 城市 国家 地方 日期 时间 日子 地点 省 区 镇"
)
"""What kind of answer is wanted; a line seldom has the word itself."""
_HOW = re.compile(r"(?i)^how\b|怎么|怎样")
_COUNTS = re.compile(r"(?i)\bhow many\b|几(?!乎|年级)|多少")
_CHOICE = re.compile(r"(?i)\bor\b|还是|或者")


@dataclass(frozen=True)
class Group:
    """Words of which a line has to have one to answer; `weight` is how much that counts."""

    tokens: frozenset[str]
    role: str
    word: str
    weight: float


@dataclass(frozen=True)
class Ask:
    """A question, read. `kind` is "memory" for whatever is to be looked up, "file" for what documents say;
    `query` is what to search for."""

    kind: str
    text: str
    query: str = ""
    groups: tuple[Group, ...] = ()
    negative: bool = False
    open: bool = False
    wants: str = ""
    counts: bool = False
    own: bool = False
    past: bool = False
    archive: bool = False
    message_id: str = ""


def read_question(text: str) -> Ask:
    """Read one question of either language."""
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return Ask(kind, text)
    if what := documents.asked_about(text):
        return replace(_looking_up(what), kind="file", text=text)
    if match := requests.READ_MESSAGE.search(text):
        return Ask("read", text, message_id=match["id"])
    for pattern in requests.FIND:
        if match := pattern.search(text):
            return _finding(text, match["what"])
    return _looking_up(text)


_KINDS = (
    ("about", talk.ABOUT_ME),
    ("first", talk.FIRST_SAID),
    ("last", talk.LAST_SAID),
    ("now", talk.NOW),
    ("how", talk.HOW_ARE_YOU),
    ("opinion", talk.OPINION),
    ("who", talk.WHO_ARE_YOU),
    ("can", talk.CAN_DO),
)


def _finding(text: str, what: str) -> Ask:
    what = re.sub(
        r"(?i)^(?:the word|the name|something about|about|that|关于|有关)\s*|[\"“”'「」]", "", what
    ).strip(" ?？.。!！，,")
    what = re.sub(
        r"(?i) (?:for me|please|again|before|earlier|in (?:the|our|my) (?:chats?|conversations?|"
        r"history|archive|past))$",
        "",
        what,
    )
    return Ask(
        "find",
        text,
        query=what,
        groups=_groups(what),
        archive=bool(requests.IN_ARCHIVE.search(text)),
        own=True,
    )


def _looking_up(text: str) -> Ask:
    core = stripped(text)
    negative = is_negative(_without_a_not_a(core))
    groups = _wider(core, _groups(core), negative)
    return Ask(
        "memory",
        text,
        query=_query(core, groups),
        groups=groups,
        negative=negative,
        open=bool(
            _OPEN.search(core)
            or chinese_asking.ASK_WORD.search(_without_a_not_a(core))
            and not re.search(r"是不是|有没有|能不能|会不会", core)
        ),
        wants=next((name for name, pattern in _WANTS if pattern.search(core)), ""),
        counts=bool(_COUNTS.search(core)),
        own=bool(_OWN.search(core)),
        past=bool(_PAST.search(core)),
    )


def _wider(core: str, groups: tuple[Group, ...], negative: bool) -> tuple[Group, ...]:
    """What I cannot eat is also what I am allergic to; what I do is my work."""
    if _WHAT_I_DO.search(core):
        return (*groups, Group(listed("work"), "relation", "work", 2.0))
    groups = tuple(_born(core, one) for one in groups)
    if any(one.role == "thing" and one.weight >= 2.0 for one in groups if not _names_kind(one)):
        groups = tuple(replace(one, weight=0.5) if _names_kind(one) else one for one in groups)
    if negative:
        groups = tuple(
            replace(one, tokens=one.tokens | {"allergy"}) if one.tokens & {"eat", "food"} else one
            for one in groups
        )
    if _HOW.search(core):
        groups = tuple(replace(one, weight=0.5) if one.tokens & {"like"} else one for one in groups)
    return groups


def _names_kind(group: Group) -> bool:
    return bool({group.word.lower(), *group.tokens} & _ASKED_KIND)


def _born(core: str, group: Group) -> Group:
    """Where was I born? asks for a place, when was I born? for a day."""
    if not {"birthday", "origin"} <= group.tokens:
        return group
    place = re.search(r"(?i)\bwhere\b|哪里|哪儿|什么地方|哪个(?:城市|省|国家)", core)
    return replace(group, tokens=frozenset(["origin" if place else "birthday"]))


def stripped(text: str) -> str:
    """A question without "do you remember" before and after it."""
    core = text.strip(" ?？.。!！")
    for lead in _LEADS:
        if (match := lead.match(core)) and match.end() < len(core):
            core = core[match.end() :]
    return _TAIL.sub("", core) or text


def _without_a_not_a(text: str) -> str:
    return re.sub(r"([一-龥])[不没]\1", r"\1", text)


def _groups(core: str) -> tuple[Group, ...]:
    found = [_group(term) for term in terms(_without_a_not_a(core))]
    merged: list[Group] = []
    for group in found:
        if not any(group.tokens == other.tokens for other in merged):
            merged.append(group)
    if _CHOICE.search(core):
        return _joined(merged)
    return tuple(merged)


def _group(term: Term) -> Group:
    weight = 2.0
    if term.role == "relation":
        weight = min((_WEAK.get(token, 2.0) for token in term.tokens), default=2.0)
    if term.tokens & {"project"} or (len(term.word) == 1 and term.tokens == {term.word}):
        weight = 0.25
    return Group(term.tokens, term.role, term.word, weight)


def _joined(groups: list[Group]) -> tuple[Group, ...]:
    """Tabs or spaces?: either word will do."""
    things = [group for group in groups if group.role != "relation"]
    if len(things) < 2:
        return tuple(groups)
    either = Group(frozenset().union(*(group.tokens for group in things)), "thing", things[0].word, 2.0)
    return (*[group for group in groups if group.role == "relation"], either)


def _query(core: str, groups: tuple[Group, ...]) -> str:
    """What to search for: the words that count; Chinese as it stands, without the question words."""
    if is_chinese(core):
        plain = re.sub(
            r"什么时候|为什么|是什么|什么|哪(?:个|些|里|儿|种|位|天|家|款|门)?|谁|"
            r"几(?=[个只岁点号月口位])|多少|怎么样|怎么|怎样|如何|是不是|有没有|能不能|会不会|"
            r"[吗呢吧啊了]$",
            " ",
            core,
        )
        return " ".join(plain.split()) or core
    return " ".join(group.word for group in groups) or core
