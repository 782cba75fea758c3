"""Which one of several a line is about: the first friend, sensor 4, Ann. Judged by the words before its verb.

It only ever says that two lines are about different things; whether they tell the same property of it is
not judged here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agents.llm.offline.chinese import statements as chinese
from agents.llm.offline.dates import DATED, VALUE_NUMBER
from agents.llm.offline.english import statements as english
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.numerals import as_digits
from agents.llm.offline.sentences import is_chinese
from agents.llm.offline.subjects import VERB
from agents.llm.offline.terms import terms

_ADVERBS = re.compile(r"(?i)^(?:(?:now|actually|currently|so|and|but)\b,? |(?:现在|目前|其实|对了)[，,]?)+")
_CHANGED = (
    r"(?:was|got|bumped|pushed|postponed|switched|switches|migrated|converted|upgraded|downgraded|ported|"
    r"dropped|adopted|replaced|stopped|quit)"
)
_SPEAKER = re.compile(r"(?i)(?:i|we)\b")
_NAMED_LAST = re.compile(r"^[A-Z][\w'’-]+ is (?=(?:my|our|the)\b)|^[^，,我他她它你这那]{1,8}是(?=我)")
"""Tom is my boss: what is said is Tom, of the boss."""
_ENGLISH = re.compile(rf"(?i)^(.{{1,80}}?)(?:\s+(?=(?:{VERB}|{_CHANGED})\b)|\s*[:：=])")
_SWITCHED = re.compile(
    r"(?i)^(?:i|we)(?:'ve| have)?(?: just| now| finally)? "
    r"(?:switched|migrated|moved|converted|upgraded|ported) "
    r"(?P<what>(?!(?:from|over|back|away|to)\b)[\w' -]{1,60}?) (?:from\b.+? )?(?:over )?to\b"
)
"""We switched Project Apollo to MySQL: what is said is of the project."""
_UP_TO_NUMBER = re.compile(r"(?i)^(?!(?:on|in|at|by)\b)((?:[\w'’-]+\s+){1,4}?#?\d+)(?=\s+[a-z])")
_CHINESE = re.compile(
    r"^(.{1,30}?)(?:是|叫|姓|住|在|有|用|为|(?<!修)改|换|搬|推迟|提前|延|挪|调|变|涨|降|已|现在|目前|刚|今年|要|"
    r"会(?!议)|不|没|喜欢|爱|吃|喝|定|归|属|需|得|[:：=，,])"
)
_WHICH = re.compile(
    r"(?i)\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|other|another|"
    r"\d+(?:st|nd|rd|th))\b|第[零一二三四五六七八九十百\d]+|另(?:外)?一|最后一"
)
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*|(?<=[^\W一二三四五六七八九十])[一二三四五六七八九十]+(?=号|$|的)")
_NUMBERED = re.compile(
    r"(?<![月\d零一二三四五六七八九十百])[\d零一二三四五六七八九十百]+号(?=\w)(?![开上下交截到要会就之的前后早晚起是])"
)
"""二号仓库 is a store, 二号上线 a day."""
_LABELLED = re.compile(r"(?i)\b(?:number|no\.) ?\d+|第[零一二三四五六七八九十百\d]+(?!人称)|\d+号")
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w'-]*")
_FURTHER = re.compile(
    r"(?i)\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|other|another)\b|"
    r"\b(?!1st)\d+(?:st|nd|rd|th)\b|第(?![一1](?![\d一二三四五六七八九十百]))|另(?:外)?一"
)
_CALLED_SO = frozenset({"project", "team", "new", "date", "新"})
"""Words that a thing has now and then without being another one."""


@dataclass(frozen=True)
class Subject:
    """Of what a line speaks: `which` are the ordinals, numbers and names that tell it from others of its
    kind, `words` all that carries meaning; the speaker has neither. `is_further` is set where it is one more
    of its kind: my second car."""

    which: frozenset[str]
    words: frozenset[str]
    is_further: bool


def are_apart(new: str, old: str, *, is_named: bool, is_change: bool) -> bool:
    """Whether two lines are about different things of one kind, or may be.

    `is_named` is set where the new one names the old one's value as the former, `is_change` where its words
    mark a change.
    """
    if _is_order(new) and _is_order(old):
        return set(_LABELLED.findall(new)) != set(_LABELLED.findall(old)) or _differ_in_several_numbers(
            new, old
        )
    mine, theirs = _subject(new), _subject(old)
    if mine and theirs and _are_two(mine, theirs, is_named=is_named):
        return True
    return not is_change and _differ_in_several_numbers(new, old)


def are_of_two(new: str, old: str) -> bool:
    """Whether ordinals, numbers or names say that two lines are about two things: my first car, my second."""
    mine, theirs = _subject(new), _subject(old)
    return bool(mine and theirs and (_differ(mine, theirs) or _is_one_more(mine, theirs)))


def _are_two(new: Subject, old: Subject, *, is_named: bool) -> bool:
    """Whether the subjects of a new and an old line say that they are two things. A line that names the
    former value is of the old one, unless each has a name or number that the other has not."""
    if is_named:
        return _differ(new, old) and not (new.which < old.which or old.which < new.which)
    has_other_words = bool(new.words - old.words and old.words - new.words)
    return _differ(new, old) or _is_one_more(new, old) or has_other_words


def _differ(one: Subject, other: Subject) -> bool:
    """Whether both say which of a kind they are, and not the same: who says "my sister" may mean Ada."""
    return bool(one.which and other.which) and one.which != other.which


def _is_one_more(new: Subject, old: Subject) -> bool:
    """My second car, after: my car."""
    return new.is_further and not old.which


def _is_order(text: str) -> bool:
    return chinese.is_order(text) if is_chinese(text) else english.is_order(text)


@lru_cache(maxsize=4096)
def _subject(text: str) -> Subject | None:
    """Of what a line speaks; None where that cannot be told."""
    words = _before_verb(_NAMED_LAST.sub("", _ADVERBS.sub("", text)))
    if words is None:
        return None
    found = [*_WHICH.findall(words), *_NUMBERED.findall(words)]
    if not DATED.search(_NUMBERED.sub("", words)):
        found += [*_NUMBER.findall(words), *_NAME.findall(words)]
    which = frozenset(as_digits(each).removesuffix("'s") for each in found)
    return Subject(which, frozenset(_carrying(_NUMBERED.sub("", words))), bool(_FURTHER.search(words)))


def _before_verb(text: str) -> str | None:
    """What stands before the verb; "" where that is the speaker, None where it cannot be told."""
    if match := _SWITCHED.match(text):
        return match["what"]
    if _SPEAKER.match(text):
        return ""
    found = _CHINESE.match(text) if is_chinese(text) else _ENGLISH.match(text) or _UP_TO_NUMBER.match(text)
    return found[1] if found else None


def _carrying(words: str) -> set[str]:
    """The terms of a subject; none where a verb is among them: it was cut too late."""
    found = terms(words)
    if any(term.role == "relation" for term in found):
        return set()
    return {token for term in found for token in term.tokens} - _CALLED_SO


def _differ_in_several_numbers(new: str, old: str) -> bool:
    """I paid 300 for seat 1, beside: I paid 400 for seat 2. One of the numbers may say which."""
    mine, theirs = meaning_of(new), meaning_of(old)
    if mine.slot or mine.without_numbers() != theirs.without_numbers():
        return False
    pairs = zip(VALUE_NUMBER.findall(new), VALUE_NUMBER.findall(old), strict=False)
    different = [one for one, other in pairs if one != other]
    return len(different) > 1
