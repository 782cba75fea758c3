"""What a model wrote as a summary, before it counts: instructions are ours, and nothing is taken on trust.

Instructions for good stand word for word as they were said; one that nobody gave spoils the whole answer.
What was done is known by the tool calls. A line is left out of which most words are not in the source, and
one with a number, an e-mail address or a URL that nobody said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agents.context.summaries.choosing import Room, text_of
from agents.context.summaries.lines import Kind, Line, read
from agents.context.summaries.standing import is_standing
from agents.llm.offline.sentences import sentences
from memory import lexical

Count = Callable[[str], int]
TOLD = 0.7
"""So large a share of a line's words in another text says that the text has it too."""
AKIN = 0.5
FOUNDED = 0.4
"""A summary, or a line of it, of which a smaller share of the words stands in its source is none of it."""
OF_THE_MODEL = 0.75
"""The share of the room that a model's own lines take before those that it left out are added."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{4}年\d{1,2}月\d{1,2}日")
_ADDRESS = re.compile(
    r"(?ai)[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[\w.:-]+(?:/[^\s<>()\"'，。；）」]*)?"
    r"|(?-i:\b[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,24}|[A-Z]{2,24})\b(?:/[^\s<>()\"'，。；）」]*)?)"
)
_HEAD = re.compile(r"^(?:https?://)?(?:www\.)?")
_SPEAKERS = frozenset(lexical.words("person user speaker says said wants 用户 对方 表示 希望"))
"""Words by which a model tells who said something."""
_REFUSES = re.compile(
    r"(?i)^\W*(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry|i (?:can(?:no|['’])t|cannot|won['’]t)|"
    r"as an ai|unfortunately,? i)"
    r"|^\W*(?:抱歉|对不起|很遗憾|我(?:无法|不能|没办法)|作为(?:一个)?(?:AI|人工智能))"
)


class SummaryFailed(Exception):
    """A model could not be had to write a summary."""

    def __init__(self, fault: str) -> None:
        """`fault` is a ModelError's kind, or: empty, refused, too_long, unfounded, instructions."""
        super().__init__(f"{SummaryFailed.__doc__} ({fault})")
        self.fault = fault


def checked(
    answer: str, source: Sequence[str], wanted: Sequence[Line], most: int, count: Count, language: str
) -> str:
    """The summary that an answer becomes. `source` is what the model was shown, `wanted` are the lines that
    would make up the extractive one. Raises SummaryFailed."""
    if not answer.strip():
        raise SummaryFailed("empty")
    if _REFUSES.match(answer):
        raise SummaryFailed("refused")
    given = "\n".join(source)
    if count(answer) > count(given):
        raise SummaryFailed("too_long")
    lines = read(answer)
    known = _words(given)
    if _share(_words(" ".join(line.text for line in lines)), known) < FOUNDED:
        raise SummaryFailed("unfounded")
    room = Room(most, count, language)
    return text_of(_put_together(_own(lines, wanted, given, known), wanted, room), most, count, language)


def _own(lines: Iterable[Line], wanted: Sequence[Line], given: str, known: frozenset[str]) -> list[Line]:
    """The lines of an answer that are the model's to write. Raises SummaryFailed."""
    standing = [_words(line.text) for line in wanted if line.kind == Kind.STANDING]
    kept = []
    for line in lines:
        if line.kind == Kind.STANDING or _orders(line.text):
            words = _words(line.text)
            if any(_share(words, each) >= AKIN for each in standing):
                continue  # it stands there word for word
            if _share(words, known) < TOLD:
                raise SummaryFailed("instructions")
            line = replace(line, kind=Kind.FACT)
        if line.kind != Kind.DONE:
            kept.append(line)
    return _founded(kept, given, known)


def _founded(lines: Iterable[Line], given: str, known: frozenset[str]) -> list[Line]:
    """The lines that the source bears out, each by itself: its words, numbers and addresses."""
    numbers, addresses = _numbers(given), _addresses(given)
    addresses |= {_host(each) for each in addresses}
    return [
        line
        for line in lines
        if _share(_words(line.text) - _SPEAKERS, known) >= FOUNDED
        and _numbers(line.text) <= numbers
        and _addresses(line.text) <= addresses
    ]


def _orders(text: str) -> bool:
    return any(is_standing(sentence) for sentence in sentences(text))


def _put_together(own: list[Line], wanted: Sequence[Line], room: Room) -> list[Line]:
    """Instructions, then the model's lines, then what they leave out, as far as there is room."""
    room.put_standing(wanted)
    rest = room.left * (1 - OF_THE_MODEL)
    later = []
    for place, line in enumerate(own):
        line = replace(line, place=place)
        if room.left <= rest or not room.put(line):
            later.append(line)
    told = " ".join(line.text for line in own)
    words, numbers = _words(told), _numbers(told)
    left_out = [
        replace(line, place=len(own) + line.place)
        for line in wanted
        if _share(_words(line.text), words) < TOLD or not _numbers(line.text) <= numbers
    ]
    room.fill(left_out)
    for line in later:
        room.put(line)
    return room.lines


def _share(some: frozenset[str], of: frozenset[str]) -> float:
    """The share of some words that others have too; 1 for none."""
    return len(some & of) / len(some) if some else 1.0


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in lexical.words(text) if not lexical.is_stop(word))


def _numbers(text: str) -> frozenset[str]:
    """Numbers of two digits and more; days may be worked out from others."""
    found = _NUMBER.findall(_DAY.sub(" ", text))
    return frozenset(number for each in found if len(number := each.replace(",", "").rstrip(".:")) > 1)


def _addresses(text: str) -> frozenset[str]:
    """E-mail addresses, URLs without what they begin with, and names of hosts."""
    found = _ADDRESS.findall(text)
    return frozenset(_HEAD.sub("", each.casefold()).rstrip("/.,;:!?") for each in found)


def _host(address: str) -> str:
    return address.split("/")[0].rpartition("@")[2]
