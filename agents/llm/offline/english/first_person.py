"""Whether what follows "I" or "we" lasts: habits, states and decisions do, events and moods do not."""

from __future__ import annotations

import re

from agents.llm.offline.dates import DATED
from agents.llm.offline.english import lasting, words
from agents.llm.offline.meaning import is_negative

FIRST = re.compile(
    r"^(?:i|we)(?:(?P<be>'m| am|'re| are|m\b)|(?P<perfect>'ve|ve\b)|(?P<would>'d| would)|(?P<will>'ll| "
    r"will| won't)|"
    r"(?P<can> can't| cannot| can not| can| could)|(?P<must> must not| mustn't| must| should not| "
    r"shouldn't| should| have to| need to| has to)|"
    r"(?P<do> don't| do not| dont| didn't| never)|)(?P<rest>\b.*)$",
    re.I,
)
_PERFECT = re.compile(
    r"^(?:have|haven't|have not|have never) (?=(?:\w+ )?(?:\w+ed|been|had|known|become|given|quit|"
    r"chosen|got|written|read|never|always|eaten|just|already|recently)\b)",
    re.I,
)
_ALL_DAY = re.compile(
    r"(?i)\ball (?:day|morning|night|week|evening|afternoon)\b|\bfor (?:the last |the past )?(?:\d+|"
    r"\w+|a few) (?:hours?|minutes?)\b|\bsince (?:this )?(?:morning|noon|breakfast)\b"
)
_OURS_NEVER = re.compile(
    r"(?i)^we (?:can't|cannot|can not|may not|must not) (?:lose|store|use|support|rely|depend|share|"
    r"afford|ship|break|drop|delete|expose|log|keep|have|change|exceed|go over)\b"
)
_ANY_DAY = re.compile(
    r"(?i)\bany (?:day|time|night)(?: of the week)?$|\bany day over\b|\b(?:'d|would) (?:always|never) "
    r"(?:eat|drink|touch|choose|pick|take|order|buy|wear|watch|go without|use|own|keep)\b"
)
_WITHOUT_OBJECT = re.compile(
    r"(?i)(?:gave up|quit|stopped|started)(?: (?:in|on|at|last|this|for good|completely|cold turkey|again|"
    r"(?:\w+ )?\w+ ago|after|since|when|because)\b.*)?$"
)
"""I gave up in spring: what was given up stands in another clause."""
_TENDS = re.compile(r"(?i)\b(?:tend to|always|never|often|usually|easily)\b")


def reason_against(match: re.Match[str], core: str) -> str:
    """Why an "I ..." is nothing lasting; "" when it is."""
    rest = match["rest"].strip()
    rest = re.sub(rf"(?i)^{words.ADVERBS}", "", rest + " ").strip()
    if lasting.PAST_MARK.search(core) and not lasting.TIED_TO_PAST.search(core):
        return "past"
    if lasting.PASSING_TIME.search(core) and not lasting.LASTING_PAST.match(rest):
        return "passing"
    if lasting.SHORT_LIVED.search(core) or not rest:
        return "passing"
    for name, rule in _RULES:
        if match[name]:
            return rule(rest, core)
    return _plain_verb(rest, core)


def _being(rest: str, core: str) -> str:
    if re.match(r"(?i)going to\b", rest):
        return "" if DATED.search(core) else "passing"
    if (
        lasting.TRANSIENT_BE.match(rest)
        and not re.match(r"(?i)in charge", rest)
        or re.match(
            r"(?i)(?:in|at) (?!charge\b|my (?:\d|twent|thirt|fort)|(?:\w+ ){0,2}(?:team|department|"
            r"marketing|sales|engineering|finance))",
            rest,
        )
    ):
        return "passing"
    if (
        re.match(r"(?i)(?:not )?\w+ing\b", rest)
        and not lasting.LASTING_ING.match(rest)
        and not DATED.search(core)
    ):
        return "passing"
    return ""


def _having_done(rest: str, core: str) -> str:
    if _ALL_DAY.search(core):
        return "passing"
    return "" if re.search(r"(?i)\bnever\b", core) or lasting.LASTING_PARTICIPLE.match(rest) else "past"


def _would(rest: str, core: str) -> str:
    """I'd prefer, and what somebody would do any day or never does, is a taste and no supposition."""
    kept = _ANY_DAY.search(core) or re.match(
        r"(?i)(?:prefer|rather|like to be (?:called|addressed)|like (?:all |the |your |my )?(?:answers|"
        r"replies|reports))\b",
        rest,
    )
    return "" if kept and not lasting.VAGUE_OBJECT.match(rest) else "hypothesis"


def _will(rest: str, core: str) -> str:
    refuses = is_negative(core) and lasting.ABILITY.match(rest)
    return "" if DATED.search(core) or refuses else "passing"


def _can(rest: str, core: str) -> str:
    if _OURS_NEVER.match(core):
        return ""
    return "" if lasting.ABILITY.match(rest) and not lasting.VAGUE_OBJECT.match(rest) else "passing"


def _must(rest: str, core: str) -> str:
    lasts = (
        lasting.ABILITY.match(rest)
        or words.EVERY.search(core)
        or DATED.search(core)
        or lasting.LASTING_WANT.match(f"need to {rest}")
    )
    ours = re.match(r"(?i)we\b", core) and not re.match(
        r"(?i)(?:talk|go|leave|run|hurry|meet|discuss|chat|stop|start|see|think|decide)\b", rest
    )
    suggested = re.search(r"(?i)\bshould\b", core)
    return "" if lasts or (ours and not suggested) else "passing"


def _do_not(rest: str, core: str) -> str:
    if re.search(r"(?i)\bdidn't\b", core):
        return "past"
    return _plain_verb(rest, core)


def _plain_verb(rest: str, core: str) -> str:
    if lasting.LASTING_WANT.match(rest):
        return ""
    if perfect := _PERFECT.match(rest):
        return _having_done(rest[perfect.end() :], core)
    if lasting.LASTING_PAST.match(rest):
        return "past" if _WITHOUT_OBJECT.match(rest) else ""
    if re.match(r"(?i)need\b", rest) and words.EVERY.search(core):
        return ""
    if (
        lasting.MENTAL.match(rest)
        and not _TENDS.search(core)
        or lasting.VAGUE_OBJECT.match(rest)
        or re.match(r"(?i)(?:want|need)\b", rest)
    ):
        return "passing"
    return "past" if lasting.PAST_VERB.match(rest) else ""


_RULES = (
    ("be", _being),
    ("perfect", _having_done),
    ("would", _would),
    ("will", _will),
    ("can", _can),
    ("must", _must),
    ("do", _do_not),
)
