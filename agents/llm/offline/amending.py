"""A message that only gives another value for what the message before stated: sorry, it's July 15."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.llm.offline.facts import Fact
from agents.llm.offline.keeping import tidy

_SHORT = 60
_VALUE_ONLY = (
    re.compile(
        r"^(?:(?:sorry|no|nope|wait|oops|correction|actually|i meant?(?: to say)?|scratch that|my "
        r"mistake|not that|make that|make it|that should be|it should be|should be|i "
        r"mean)\b[\s,.:!—-]*)+"
        r"(?:(?:it|that)(?:'s| is| should be)|make (?:that|it)|i meant?)?\s*(?P<value>[^.?!]{1,40})$",
        re.I,
    ),
    re.compile(
        r"^(?:(?:不对|不是|说错了|我说错了|写错了|打错了|口误|更正(?:一下)?|纠正(?:一下)?|抱歉|"
        r"不好意思|对不起|我是说|我是想说|应该|其实)[\s，,：:。！]*)+(?:应该)?(?:是|叫|"
        r"在)?(?P<value>[^，,。？?]{1,20})$"
    ),
)
_SPLIT_VALUE = (
    re.compile(
        r"^(?P<head>.*\b(?:is|are|am|in|at|on|to|called|for|named|me|use|prefer|i'm)\s+)(?P<old>.+)$", re.I
    ),
    re.compile(r"^(?P<head>.*?(?:是|叫我|叫|住在|在|到|用|为|：|:)\s*)(?P<old>.+)$"),
)


def amended(text: str, fact: Fact) -> Fact | None:
    """The fact of the message before with the value that this one gives; None where it gives none."""
    if len(text) > _SHORT:
        return None
    for form, split in zip(_VALUE_ONLY, _SPLIT_VALUE, strict=True):
        match, parts = form.match(text), split.match(fact.text)
        if match and parts and match["value"].strip():
            line = parts["head"] + match["value"].strip()
            return replace(fact, text=tidy(line), changed=True, wrong=parts["old"])
    return None
