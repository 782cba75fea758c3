"""Which sentences are instructions for good: they stand in a summary word for word, and outlive all else."""

from __future__ import annotations

import re

from agents.llm.offline import requests
from agents.llm.offline.chinese import statements as chinese
from agents.llm.offline.chinese.clauses import bare_of as bare_of_chinese
from agents.llm.offline.chinese.clauses import clauses as chinese_clauses
from agents.llm.offline.english import statements as english
from agents.llm.offline.english.clauses import bare_of, clauses
from agents.llm.offline.sentences import Sentence

# Orders that hold on by their form: "Never share ...", "Do not mention ...", 一律..., 别再...
_ENGLISH = re.compile(
    r"(?i)^(?:and |but |also |please |just )*(?:(?:always|never|do not|don't|avoid|"
    r"make sure (?:that )?(?:you|to)|"
    r"be sure to|you (?:must|should) (?:always|never)|you must(?: not)?(?! be\b)|i want you to always|"
    r"i'd like you to always|remember to always|remember never to)\b"
    r"(?! (?:mind|worry|you|be (?:silly|sorry|sad|shy)|get me wrong|mention it|ask|know|think|have|need|want|"
    r"like|"
    r"heard|been|again|a|the|feel|care|understand|see|believe|remember|forget to (?:have|enjoy))\b))"
    r"|\b(?:from now on|from here on|going forward|at all times)\b"
)
_CHINESE = re.compile(
    r"^(?:也|还|并且|另外|请|请你|麻烦你?|记住|你)*(?:一律|务必|永远(?:不要|别|都)?|切勿|禁止|不要再?|别再?|请勿|千万(?:别|不要)|必须(?:先|用|把|在))"
    r"(?!客气|担心|急|着急|生气|难过|忘|这么|那么|说了|提了|怪|笑|意思|谢)"
)
_SELF = re.compile(
    r"(?i)^(?:i|we|he|she|they|it|my|our)\b|^(?:我|我们|他|她|它|他们|咱)(?!希望|要求|要你|想让|想要你|想请)"
)


def is_standing(sentence: Sentence) -> bool:
    """Whether a sentence asks for something from now on, rather than once."""
    if sentence.asks or any(pattern.match(sentence.text) for pattern in requests.REMIND):
        return False
    return _chinese(sentence.text) if sentence.chinese else _english(sentence.text)


def _english(text: str) -> bool:
    parts = [bare_of(part).strip(" ,;:") for part in clauses(text)]
    return any(english.is_order(part) or _holds_on(_ENGLISH, part) for part in parts if part)


def _chinese(text: str) -> bool:
    parts = [bare_of_chinese(part).strip(" ，,；：") for part in chinese_clauses(text)]
    return any(chinese.is_order(part) or _holds_on(_CHINESE, part) for part in parts if part)


def _holds_on(orders: re.Pattern[str], part: str) -> bool:
    return bool(orders.search(part)) and not _SELF.match(part)
