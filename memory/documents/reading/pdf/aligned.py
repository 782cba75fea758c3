"""Tables without strokes: lines one below the other whose texts begin, or end, at the same places."""

from __future__ import annotations

from collections.abc import Sequence

from memory.documents.reading.pdf.page import Line, Word

GAP = 1.2
"""How wide a gap between columns is at least, in heights of the text."""
ROWS = 3
CELL_MAX = 80
"""Longer texts beside one another are columns of a page."""


def table_at(lines: Sequence[Line], start: int) -> list[list[str]]:
    """The cells of the table that begins at a line; nothing where none of three rows at least does."""
    first = _cells(lines[start])
    if len(first) < 2:
        return []
    rows = [first]
    for line in lines[start + 1 :]:
        cells = _cells(line)
        if len(cells) != len(first) or not _is_below(line, lines[start + len(rows) - 1]):
            break
        if not _are_aligned(rows[-1], cells):
            break
        rows.append(cells)
    texts = [[" ".join(word.text for word in cell) for cell in row] for row in rows]
    too_long = any(len(cell) > CELL_MAX for row in texts for cell in row)
    return [] if len(rows) < ROWS or too_long else texts


def _cells(line: Line) -> list[list[Word]]:
    """The words of a line, divided where the gap between them is wide."""
    cells = [[line.words[0]]]
    for word in line.words[1:]:
        if word.left - cells[-1][-1].right > GAP * line.size:
            cells.append([word])
        else:
            cells[-1].append(word)
    return cells


def _is_below(line: Line, above: Line) -> bool:
    return 0 < above.bottom - line.bottom < 4 * line.size


def _are_aligned(above: list[list[Word]], below: list[list[Word]]) -> bool:
    """Whether each cell begins, ends or has its middle where the one above it does."""
    return all(
        abs(one[0].left - other[0].left) < 4
        or abs(one[-1].right - other[-1].right) < 4
        or abs(one[0].left + one[-1].right - other[0].left - other[-1].right) < 8
        for one, other in zip(above, below, strict=True)
    )
