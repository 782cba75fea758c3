"""English corrections: not this but that; change this to that."""

from __future__ import annotations

import re
from collections.abc import Callable

from agents.llm.offline.english import words
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.terms import terms

_NOT_BUT = re.compile(
    r"^(?P<head>.*?\b(?:is|are|am|was|i'm|isn't|aren't|wasn't))(?: not|(?<=n't))(?: actually| really)? "
    r"(?P<wrong>.+?)(?:,| but|;| -| —) ?"
    r"(?:but(?: rather)? |it's |it is |it'll be |rather |i'm |i am |they're |actually |now "
    r")+(?!(?:that|this|it|because|since|he|she|they|you|we|my|so|just|as|if)\b)(?P<right>.+)$",
    re.I,
)
_DO_NOT_BUT = re.compile(
    r"^(?P<head>i|we) (?:don't|do not) (?P<verb>\w+) (?P<wrong>.+?),? but (?:rather )?(?P<right>(?:in|"
    r"at|for|as|on|with|to)\b.+)$",
    re.I,
)
_CHANGE_TO = re.compile(
    r"^(?:(?:please |can you |could you )*(?:change|update|correct|set|move|postpone|push|extend)|(?:i|"
    r"we)(?:'ve| have)?(?: just| recently)? (?:changed|updated|moved|renamed|postponed|pushed|"
    r"extended)) (?P<noun>(?:my|the|our)(?: \w+){1,3}?) (?:from .+? )?(?:back )?to (?P<right>.+)$",
    re.I,
)
_AND_NOT = re.compile(
    r"^(?P<right>(?:i|my|the|our|we)\b.+?),? (?:and )?not (?:in |at |on |as )?(?P<wrong>[\w ]{1,30})$", re.I
)


def corrected_line(bare: str) -> tuple[str, str]:
    """The line with the right value, and the wrong value where one is named; "" twice for no correction."""
    for form, build in _CORRECTIONS:
        if (match := form.match(bare)) and (line := build(match)):
            return line, match.groupdict().get("wrong") or ""
    return "", ""


def _not_but(match: re.Match[str]) -> str:
    head = re.sub(r"(?i)n't$", "", match["head"])
    own = words.SUBJECT.match(head) or words.SUBJECT_PROJECT.match(match.group())
    return f"{head} {match['right']}" if own else ""


def _do_not_but(match: re.Match[str]) -> str:
    return f"{match['head']} {match['verb']} {match['right']}"


def _and_not(match: re.Match[str]) -> str:
    return match["right"] if meaning_of(match["right"]).slot else ""


def _change_to(match: re.Match[str]) -> str:
    named = any(term.role == "attribute" for term in terms(match["noun"]))
    return f"{match['noun']} is {match['right']}" if named else ""


_CORRECTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_NOT_BUT, _not_but),
    (_DO_NOT_BUT, _do_not_but),
    (_AND_NOT, _and_not),
    (_CHANGE_TO, _change_to),
)
