"""A summary's lines: what each of them keeps, under which heading it is written, and how it is read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from agents.llm.offline.saying import said_by
from agents.llm.offline.sentences import is_chinese


class Kind(StrEnum):
    """What a line keeps, in the order in which a summary has them."""

    STANDING = "instructions"
    FACT = "facts"
    DONE = "done"
    OPEN = "open"


@dataclass(frozen=True)
class Line:
    """One line. `value` is how much it matters, 0 for small talk; `place` its order among the others.

    `changed` is set where its words say that it replaces something; `wrong` is the former value, if it names
    that.
    """

    kind: Kind
    text: str
    value: float = 0.0
    place: int = 0
    changed: bool = False
    wrong: str = ""


AGENT = "agent: "
"""Before what the agent said; the other lines are of the person."""
ENGLISH, CHINESE = "en", "zh"
HEADINGS: dict[str, dict[Kind, str]] = {
    ENGLISH: {
        Kind.STANDING: "[instructions]",
        Kind.FACT: "[facts; I is the person]",
        Kind.DONE: "[done]",
        Kind.OPEN: "[open]",
    },
    CHINESE: {
        Kind.STANDING: "[指示]",
        Kind.FACT: "[事实；我指用户]",
        Kind.DONE: "[已完成]",
        Kind.OPEN: "[未决]",
    },
}
# However a model writes them: with other brackets, marks of Markdown, or a word more.
_NAMED = {
    Kind.STANDING: r"(?:standing )?instructions|(?:长期|常设|持续)?指[示令]",
    Kind.FACT: r"(?:key )?facts(?: and decisions)?|事实(?:与决定|和决定)?",
    Kind.DONE: r"done|(?:completed )?actions|已完成(?:的操作|事项)?",
    Kind.OPEN: r"open(?: questions?)?|未决(?:问题|事项)?",
}
_HEADING = re.compile(
    r"^[\s#*_\[【]*(?:"
    + "|".join(f"(?P<{kind.name}>{names})" for kind, names in _NAMED.items())
    + r")(?:[;；,，][^\]】]*)?[\s\]】*_:：]*$",
    re.IGNORECASE,
)
_DAY = re.compile(r"\(\d{4}-\d\d-\d\d\) ")
_BULLET = re.compile(r"^\s*(?:[-*•·+]\s+|\d{1,2}[.)]\s+)?")
# As summaries were written by the first release: "! 2026-11-30 user Ada: ...".
_DATED = re.compile(r"^(?P<mark>! )?\d{4}-\d\d-\d\d (?:user|(?P<agent>assistant))(?P<name> [^:]{1,80})?: ")


def read(content: str) -> list[Line]:
    """The lines of a summary, whoever wrote it; those before any heading are facts."""
    kind = Kind.FACT
    found: list[Line] = []
    for row in content.splitlines():
        if heading := _HEADING.match(row):
            kind = Kind[str(heading.lastgroup)]
        elif text := _BULLET.sub("", row).strip():
            found.append(_line(kind, text, len(found)))
    return found


def _line(kind: Kind, text: str, place: int) -> Line:
    if old := _DATED.match(text):
        kind = Kind.STANDING if old["mark"] else kind
        words = text[old.end() :]
        text = f"{AGENT}{words}" if old["agent"] else said_by((old["name"] or "").strip(), words)
    return Line(kind, text, place=place)


def written(lines: Iterable[Line], language: str) -> str:
    """Lines as the text of a summary: by their kinds, each kind in the order of its lines."""
    return "\n".join(_rows(sorted(lines, key=lambda each: each.place), HEADINGS[language]))


def _rows(lines: list[Line], headings: dict[Kind, str]) -> Iterator[str]:
    for kind in Kind:
        texts = [each.text for each in lines if each.kind == kind]
        if texts:
            yield headings[kind]
            yield from texts


def dated(text: str, day: date) -> str:
    """A line with the day on which it was said before it."""
    return f"({day:%Y-%m-%d}) {text}"


def undated(text: str) -> str:
    """A line without the day on which it was said."""
    return _DAY.sub("", text, count=1)


def language_of(texts: Iterable[str]) -> str:
    """The language in which something was said, for what is said about it: Chinese or English."""
    return CHINESE if is_chinese(" ".join(text[:500] for text in texts)) else ENGLISH
