"""Tables whose cells are drawn: strokes that cross make a grid, and words lie in its cells.

The idea is that of Nurminen's thesis (2013) and of pdfplumber: edges, crossings, cells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.documents.reading.pdf.page import Line, Stroke, Word

NEAR = 3.0
"""How far apart, in points, what is meant to meet may lie."""
STROKES_MAX = 600
"""More strokes than this, after those in one line were joined, are a drawing."""


@dataclass(frozen=True)
class Grid:
    """A table's columns from left to right and rows from the top, by the strokes that bound them."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    uprights: tuple[Stroke, ...]

    def holds(self, line: Line) -> bool:
        """Whether a line lies in the table: its middle, since texts reach over edges."""
        x, y = (line.left + line.right) / 2, (line.bottom + line.top) / 2
        return self.xs[0] <= x <= self.xs[-1] and self.ys[-1] <= y <= self.ys[0]

    def cells(self, lines: Iterable[Line]) -> list[list[str]]:
        """The texts of the cells, row by row."""
        found: list[list[list[str]]] = [[[] for _ in self.xs[1:]] for _ in self.ys[1:]]
        for line in lines:
            for word in line.words:
                row, column = self._cell_of(word)
                found[row][column].append(word.text)
        return [[" ".join(words) for words in row] for row in found]

    def _cell_of(self, word: Word) -> tuple[int, int]:
        x, y = word.middle
        row = bisect_right([-each for each in self.ys], -y) - 1
        column = bisect_right(self.xs, x) - 1
        row, column = min(max(row, 0), len(self.ys) - 2), min(max(column, 0), len(self.xs) - 2)
        while column and not self._is_bounded(self.xs[column], y):
            column -= 1
        return row, column

    def _is_bounded(self, x: float, y: float) -> bool:
        """Whether there is a stroke at x in the row of y; where there is none, cells are joined."""
        return any(abs(each.place - x) <= NEAR and each.start <= y <= each.end for each in self.uprights)


def grids(strokes: Sequence[Stroke]) -> list[Grid]:
    """The tables of a page with two rows and two columns at least, from the top."""
    joined = _joined(strokes)
    if len(joined) > STROKES_MAX:
        return []
    groups: dict[int, list[Stroke]] = defaultdict(list)
    for stroke, group in zip(joined, _groups(joined), strict=True):
        groups[group].append(stroke)
    found = [grid for group in groups.values() if (grid := _grid(group))]
    return sorted(found, key=lambda grid: -grid.ys[0])


def _grid(strokes: list[Stroke]) -> Grid | None:
    uprights = tuple(each for each in strokes if not each.is_level)
    xs = _places(each.place for each in uprights)
    ys = _places(each.place for each in strokes if each.is_level)
    if len(xs) < 3 or len(ys) < 3:
        return None
    return Grid(tuple(xs), tuple(reversed(ys)), uprights)


def _places(found: Iterable[float]) -> list[float]:
    """Places from the smallest on; those near one another are one."""
    places: list[float] = []
    for place in sorted(found):
        if not places or place - places[-1] > NEAR:
            places.append(place)
    return places


def _joined(strokes: Iterable[Stroke]) -> list[Stroke]:
    """Strokes that lie in one line and touch, as one."""
    joined: list[Stroke] = []
    rows: dict[tuple[bool, int], list[Stroke]] = defaultdict(list)
    for stroke in strokes:
        rows[stroke.is_level, round(stroke.place / NEAR)].append(stroke)
    for row in rows.values():
        row.sort(key=lambda each: each.start)
        last = row[0]
        for stroke in row[1:]:
            if stroke.start <= last.end + NEAR:
                last = Stroke(last.is_level, last.place, last.start, max(last.end, stroke.end))
            else:
                joined.append(last)
                last = stroke
        joined.append(last)
    return joined


def _groups(strokes: Sequence[Stroke]) -> list[int]:
    """For each stroke the number of its group; strokes that cross are of one group."""
    leader = list(range(len(strokes)))

    def lead(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    for one, level in enumerate(strokes):
        for other, upright in enumerate(strokes):
            if level.is_level and not upright.is_level and _cross(level, upright):
                leader[lead(one)] = lead(other)
    return [lead(index) for index in range(len(strokes))]


def _cross(level: Stroke, upright: Stroke) -> bool:
    return (
        level.start - NEAR <= upright.place <= level.end + NEAR
        and upright.start - NEAR <= level.place <= upright.end + NEAR
    )
