"""Which lines a summary of so many tokens has: instructions, then what tells most in the fewest tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agents.context.summaries.lines import HEADINGS, Kind, Line, written

Count = Callable[[str], int]
AROUND = 3
"""Tokens that stand against a line whatever its length, so that the shortest are not all that is chosen."""
LEAST = 0.2
"""What matters less than this is small talk, and is told only where there is nothing else."""


class Room:
    """The tokens of a summary as lines are put into it, each kind's heading with its first line."""

    def __init__(self, most: int, count: Count, language: str) -> None:
        self.left = most
        self.lines: list[Line] = []
        self._count, self._language = count, language

    def put(self, line: Line) -> bool:
        """Take a line in, if it fits."""
        tokens = self._count(f"{line.text}\n")
        if line.kind not in {each.kind for each in self.lines}:
            tokens += self._count(f"{HEADINGS[self._language][line.kind]}\n")
        if tokens > self.left:
            return False
        self.left -= tokens
        self.lines.append(line)
        return True

    def put_standing(self, lines: Iterable[Line]) -> None:
        """Take in the instructions among some lines, the newest first."""
        standing = [each for each in lines if each.kind == Kind.STANDING]
        for line in sorted(standing, key=lambda each: -each.place):
            self.put(line)

    def fill(self, lines: Iterable[Line]) -> None:
        """Take in what else tells something, what tells most for its tokens first."""
        telling = [each for each in lines if each.kind != Kind.STANDING and each.value >= LEAST]
        for line in sorted(telling, key=lambda each: _density(each, self._count)):
            self.put(line)


def chosen(lines: Iterable[Line], most: int, count: Count, language: str) -> list[Line]:
    """The lines of a summary of at most `most` tokens, as `count` counts them.

    Instructions come first, the newest of them first of all; then the lines that tell most for their tokens.
    """
    given = list(lines)
    room = Room(most, count, language)
    room.put_standing(given)
    room.fill(given)
    if not room.lines:
        _put_something(room, given)
    return room.lines


def _density(line: Line, count: Count) -> tuple[float, int]:
    return -line.value / (count(line.text) + AROUND), -line.place


def _put_something(room: Room, lines: list[Line]) -> None:
    """The last lines, where nothing tells much or fits: a summary is never empty."""
    for line in reversed(lines):
        room.put(line)
    longest = max(lines, key=lambda each: each.place, default=None)
    if not room.lines and longest:
        room.put(Line(longest.kind, f"{longest.text[: max(room.left, 8)]}…", place=longest.place))


def text_of(lines: list[Line], most: int, count: Count, language: str) -> str:
    """Chosen lines as the text of a summary, which has at most `most` tokens."""
    kept = list(lines)
    while len(kept) > 1 and count(written(kept, language)) > most:
        kept.pop()
    return written(kept, language)
