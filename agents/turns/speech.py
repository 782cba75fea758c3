"""What an agent says, while its model is still writing it: the string in send_message's arguments."""

from __future__ import annotations

import json
import re

_START = re.compile(r'\s*\{\s*"message"\s*:\s*"')
_PLAIN = re.compile(r'[^"\\]+')
_HIGH = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")


class SpokenArguments:
    """Feed it pieces of JSON, get the pieces of the message in it. Linear in the length of the JSON.

    Nothing comes out where another argument stands before the message: it is told whole, later.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._is_open = False
        self._is_over = False

    def feed(self, piece: str) -> str:
        """The characters of the message that this piece completes."""
        if self._is_over:
            return ""
        raw = self._rest + piece
        start = 0
        if not self._is_open:
            opening = _START.match(raw)
            if opening is None:
                self._rest = raw
                return ""
            self._is_open = True
            start = opening.end()
        spoken, end = self._read(raw, start)
        self._rest = raw[end:]
        return spoken

    def _read(self, raw: str, place: int) -> tuple[str, int]:
        """What is said from a place on, and where the part begins that is not whole yet."""
        spoken: list[str] = []
        while place < len(raw):
            if plain := _PLAIN.match(raw, place):
                spoken.append(plain.group())
                place = plain.end()
            elif raw[place] == '"':
                self._is_over = True
                break
            elif escape := _escape(raw, place):
                spoken.append(_decoded(escape))
                place += len(escape)
            else:
                break
        return "".join(spoken), place


def _escape(raw: str, place: int) -> str:
    """The whole escape sequence at a place, a surrogate pair in one; nothing where more must come."""
    length = 6 if raw.startswith("u", place + 1) else 2
    if _HIGH.match(raw, place):
        length = 12
    return raw[place : place + length] if len(raw) >= place + length else ""


def _decoded(escape: str) -> str:
    try:
        text: str = json.loads(f'"{escape}"')
    except ValueError:
        return "\ufffd"
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
