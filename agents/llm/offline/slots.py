"""Properties that have one value at a time: a name, an age, a deadline, a favourite colour."""

from __future__ import annotations

import re

from agents.llm.offline import lexicon
from agents.llm.offline.dates import DATED
from agents.llm.offline.people import names_speaker
from agents.llm.offline.terms import Term, terms, tokens
from agents.llm.offline.wording import listed

# By the form of the line; the first that fits counts.

_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "nickname",
        re.compile(
            r"(?i)^(?!.*(?:\b(?:don't|do not|never|stop)\b|别(?!人)|不要|请勿|不喜欢))"
            r".*(?:\bcall(?:s|ed)? me\b|\bgo(?:es)? by\b|nickname|叫我|称呼我|喊我|昵称|外号|小名)"
        ),
    ),
    (
        "name",
        re.compile(
            r"(?i)^(?:my |the )?(?:\w+ )?(?:name)\b|^i'm called|^(?:我的?|本人)?(?:名字|姓名|全名|大名|"
            r"本名)|^我(?:现在)?叫|^我改名|^叫(?!我)|^我(?:现在)?姓"
        ),
    ),
    (
        "age",
        re.compile(
            r"(?i)^i(?:'m| am)?\s.*\b\d+ years? old|^i(?:'m| am|'ve turned| turned|(?: just)? "
            r"turned)(?: now)? \d{1,3}(?: now| already)?$|^my age|^我?(?:今年|现在|已经|都|"
            r"快)*[\d一二三四五六七八九十]+岁|年龄"
        ),
    ),
    (
        "residence",
        re.compile(
            r"(?i)^(?:i|we)\b.*\b(?:live[sd]?|living|reside|based)\b.* (?:in|at|near) (?!a |an |the "
            r"(?:city|country|suburb))|^(?:i|we)\b.*\b(?:moved|relocated|moving) (?:back )?to (?!a |an "
            r"|the )(?!\w+ team|another)|^lives in|^我们?.*(?:住在|住到|定居|搬到|搬去|搬来|搬回|"
            r"居住在|搬家到)|^住在|^(?:我)?(?:现居|常驻)|^我.{0,3}住(?=.)(?!院|校|宿舍|得|着)"
        ),
    ),
    (
        "birthday",
        re.compile(
            r"(?i)^(?:my )?(?:birthday|date of birth|birth date)\b|^i was born on|^(?:我的?)?(?:生日|"
            r"出生日期)|^我(?:是)?(?:生于|出生于|在)?\s*\d{2,4}\s*年.*(?:出生|生的?)$"
        ),
    ),
    (
        "origin",
        re.compile(
            r"(?i)^i(?:'m| am| come) (?:originally )?from\b|^my hometown|^(?:我的?)?(?:老家|家乡|籍贯|"
            r"故乡)|^我来自"
        ),
    ),
    (
        "employer",
        re.compile(
            r"(?i)^i\b.*\bwork(?:ing|s)? (?:at|for) (?!home|night|myself)|^i\b.*\bjoined (?!the|a )|"
            r"^my employer|^(?:我|目前|现在|已经|不)*在(?!家|这|那|北京|上海|广州|深圳|杭州|成都|南京|"
            r"武汉|西安|苏州|天津|重庆|香港|台北|东京|柏林|伦敦|巴黎|纽约|国外|外地|海外|"
            r"本地).{1,16}(?:工作|上班|任职|就职)了?$|^我.*(?:入职|跳槽|就职于|任职于|供职于)"
        ),
    ),
    (
        "job",
        re.compile(
            r"(?i)^i\b.*\b(?:became|become) (?:a|an) (?!father|mother|parent|dad|mom|vegetarian|vegan|"
            r"member|citizen|grand|uncle|aunt|fan)|^i\b.*\bwork(?:ing|s)? as\b|^my (?:job|profession|"
            r"occupation) is|^(?:我的?)?(?:职业|工作)(?:是|：|:)"
        ),
    ),
)
_DOES_FOR_A_LIVING = re.compile(
    r"^我(?:[^，,]{1,10}[，,]我?)?(?:现在|目前|如今)?是?(?:做|干|搞)[^，,]{1,10}的$|"
    r"^我(?:已经|最近|刚)?(?:转行|改行|转岗)了?[，,]?我?(?:现在|目前|如今)?(?:去|是|在)?(?:做|干|搞|当|是)"
)
_IS_A = re.compile(
    r"(?i)^i(?:'m| am) (?:now |currently |actually )?an? (?:[\w-]+ ){0,2}[\w-]+(?: now)?"
    r"(?: (?:at|in|for|from|with|by)\b.*)?$|"
    r"^我(?:[^，,]{1,10}[，,]我?)?(?:现在|目前|如今)?(?:是|当|做)了?(?:一名|一位|一个|个|名)?[^，,是]{2,10}$"
)
ALTERNATIVES = listed("database framework editor code system cloud vcs colour theme indent car season zodiac")
"""Kinds of things of which one at a time is used."""
MAYBE_TWO = frozenset({"employer:", "trade:"})
"""Slots of which somebody may have two: I'm a nurse, and I'm a painter."""
_ONE_AT_A_TIME = frozenset(lexicon.ATTRIBUTES) - listed(
    "employer food beverage fruit music sport film series book game instrument format friend client "
    "pet family "
    "disease car answer season report colleague spouse members neighbour roommate parent sibling "
    "language"
)
_NO_PART = listed("project team new current real correct old 新 最新")
_RESIDES = re.compile(
    r"(?i)\b(?:lives?|living|based|moved|relocated) (?:in|at|to|near) (?!a |an |the )|住在|搬到|搬去|定居"
)
_FAVOURITE = re.compile(r"(?i)\bfavou?rite\b|最(?:喜欢|爱|喜爱)的")
_SAYS_VALUE = re.compile(
    r"(?i)\s(?:is|are|was|will be|has been|must be|should be|moved|changed|got|comes|ends|isn't|has|"
    r"have)\b|'s\s|[:=：]|是|为|定在|定于|改|推迟|提前|延|换|增加|减少|涨|降|上调|下调|缩减|提高|"
    r"在|\d"
)


def slot_of(
    text: str, subject: tuple[Term, ...], everything: frozenset[str], holder: frozenset[str]
) -> frozenset[str]:
    """The slot of a line, by its form or by the noun that it begins with; empty for a line without one."""
    if not holder and (own := _by_form(text)):
        return frozenset({f"{own}:"})
    if holder and "name" in everything:
        return holder | {"name:"}
    for due in ("deadline", "launch"):
        if due in everything and (DATED.search(text) or due in _of(subject)):
            return frozenset({f"{due}:"}) | _qualifiers(text, subject)
    return _plain_slot(text, subject, holder)


def _by_form(text: str) -> str:
    """What a line on the person themselves says by its form: their name, age, trade."""
    for name, form in _FORMS:
        if form.search(text):
            return name
    if names_speaker(text):
        return "name"
    return "trade" if _names_trade(text) else ""


def _names_trade(text: str) -> bool:
    works = _IS_A.match(text) and any("work" in term.kinds for term in terms(text))
    return bool(works or _DOES_FOR_A_LIVING.match(text))


def _of(subject: tuple[Term, ...]) -> frozenset[str]:
    return frozenset(token for term in subject for token in term.tokens)


def _qualifiers(text: str, subject: tuple[Term, ...]) -> frozenset[str]:
    """Of what the deadline is: lines on two reports are two deadlines."""
    match = re.search(
        r"(?i)\b(?:for|of) (?:the |our |my )?([a-z][\w ]*?)(?: (?:is|was|has|moved|changed|got)\b|[:：])",
        text,
    )
    named = terms(match.group(1)) if match else ()
    found = {token for term in (*subject, *named) if term.role != "number" for token in term.tokens}
    return frozenset(found - {"deadline", "project", "launch", "final", "new"})


def _plain_slot(text: str, subject: tuple[Term, ...], holder: frozenset[str]) -> frozenset[str]:
    """My favourite colour is ..., 预算是...: the noun names the slot."""
    nouns = _of(subject) - _NO_PART
    if holder and _RESIDES.search(text):
        return holder | {"residence:"}
    if not nouns or not _SAYS_VALUE.search(text):
        return frozenset()
    if _FAVOURITE.search(text):
        return nouns - {"like"} | {"favourite:"}
    if holder and "age" in tokens(text):
        return holder | {"age:"}
    own = (nouns | {kind for term in subject for kind in term.kinds}) & _ONE_AT_A_TIME
    return nouns | {"is:"} if own and not (holder and own <= holder) else frozenset()
