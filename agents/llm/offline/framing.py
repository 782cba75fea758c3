"""Two lines that are the same but for one value, and things that are done in one way at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.llm.offline.meaning import normal
from agents.llm.offline.numerals import in_digits
from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.terms import terms
from agents.llm.offline.wording import listed

_LONGEST_VALUE = {"words": 2, "han": 3}
_LOOSE = re.compile(
    r"(?i)\b(?:about|around|roughly|only|just|now|really|still|actually|currently|nowadays|these days|"
    r"instead)\b|打算|计划|准备|决定|改成|改为|改在|改到|换成|现在|目前|还是|一般|平时|通常|大概|只|了$"
)
_SEVERAL_RELATIONS = listed("like fear allergy speak own learned eat play study exercise read watch listen")
"""What somebody may do with any number of things: another one is one more."""
_SEVERAL_THINGS = listed(
    "pet dog cat family child sibling friend colleague client roommate neighbour parent language meeting "
    "sport instrument music"
)
_ONE_MORE = re.compile(r"(?i)\b(?:also|too|as well|another|second)\b|也|还(?!是)|又|另")
_COMMUTE = re.compile(
    r"(?i)(?:坐|乘|搭|骑|开|走|打|步行)[^，,]{0,6}?(?P<han>上班|上学|通勤)|"
    r"\b(?:drive|cycle|bike|walk|commute|ride|take the \w+|go by \w+)\b.*\bto (?:the )?"
    r"(?P<place>work|office|school|university)\b"
)


def differs_in_one_value(new: str, old: str) -> bool:
    """We host the app on Azure, beside: we host the app on Heroku. What is shared must say something."""
    han = is_chinese(new)
    one_more = set(_ONE_MORE.findall(new.lower())) - set(_ONE_MORE.findall(old.lower()))
    if han != is_chinese(old) or one_more:
        return False
    mine, theirs = _units(new, han), _units(old, han)
    before = _shared(mine, theirs)
    after = _shared(mine[before:][::-1], theirs[before:][::-1])
    values = [one[before : len(one) - after] for one in (mine, theirs)]
    most = _LONGEST_VALUE["han" if han else "words"]
    if not all(0 < len(value) <= most for value in values):
        return False
    space = "" if han else " "
    frame = space.join([*mine[:before], "，" if han else ",", *mine[len(mine) - after :]])
    return not _names_several(new) and not _names_several(old) and _says_something(frame)


def other_way_there(new: str, old: str) -> bool:
    """I drive to work, beside: I take the bus to work."""
    one, other = _COMMUTE.search(new), _COMMUTE.search(old)
    return bool(one and other and one.groups() == other.groups())


def _units(text: str, han: bool) -> list[str]:
    bare = normal(_LOOSE.sub(" ", in_digits(text)))
    return list(bare.replace(" ", "")) if han else bare.split()


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many units two texts have in common from their start."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _names_several(text: str) -> bool:
    """Whether a line is on what somebody may have or do several of: sports, pets, meetings."""
    about = frozenset().union(*(term.tokens | term.kinds for term in terms(text)))
    return bool(about & (_SEVERAL_THINGS | _SEVERAL_RELATIONS))


def _says_something(frame: str) -> bool:
    found = terms(frame)
    return any(term.role in ("thing", "attribute") or len(found) > 1 for term in found)
