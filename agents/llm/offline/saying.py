"""Lines that hold what somebody says of themselves, with their name before it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agents.llm.offline.sentences import is_chinese

_SAYS = re.compile(r"^(?P<name>[^\n:：]{1,60}?)(?: says: | ?说：)(?P<words>.+)$", re.S)


def said_by(name: str, words: str) -> str:
    """Words as they are filed; those of nobody in particular as they are."""
    if not name:
        return words
    if is_chinese(words):
        return f"{name}{' ' if name[-1].isascii() else ''}说：{words}"
    return f"{name} says: {words}"


def whose(line: str) -> tuple[str, str]:
    """The name before a line and what was said; no name where it is nobody's in particular."""
    match = _SAYS.match(line)
    return (match["name"], match["words"]) if match else ("", line)


def words_of(name: str, lines: Iterable[str]) -> dict[str, str]:
    """What lines hold of somebody's words, each with its line; "" is for what has no name before it."""
    parts = ((line, *whose(line)) for line in lines)
    return {words: line for line, found, words in parts if found == name}
