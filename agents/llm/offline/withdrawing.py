"""Messages that take something back, or want nothing kept: forget that, off the record, just kidding."""

from __future__ import annotations

import re

from agents.llm.offline import requests
from agents.llm.offline.chinese import doubts as chinese_doubts
from agents.llm.offline.english import doubts as english_doubts

_POINTS = re.compile(
    r"(?i)\b(?:that|this|it|those|these|please|was|is|the|last|one|thing|what|i|said|just|sorry|haha|"
    r"lol|of|ok|down)\b|这个|那个|这条|那条|这|那|它|刚才|的话|的|了|啦|啊|是|我|说|哈|请|你|吧|下来|"
    r"住|[\s，,。.!！?？~～…:：]"
)
_RULES = (
    ("declined", (english_doubts.DECLINED, chinese_doubts.DECLINED)),
    ("joke", (english_doubts.JOKE, chinese_doubts.JOKE)),
)


def withdrawal(bare: str) -> tuple[str, bool] | None:
    """Why nothing of a message is to be kept, and whether it means the message before; None for neither."""
    if any(pattern.match(bare) for pattern in requests.FORGET_LAST):
        return "", True
    for reason, patterns in _RULES:
        if any(pattern.search(bare) for pattern in patterns):
            return reason, _alone(bare, patterns)
    return None


def _alone(bare: str, patterns: tuple[re.Pattern[str], ...]) -> bool:
    """Whether the words are all that the message has, so that it speaks of the message before."""
    for pattern in patterns:
        bare = pattern.sub("", bare)
    return not _POINTS.sub("", bare)
