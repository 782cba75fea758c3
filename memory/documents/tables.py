"""Tables as text: one line per row, cells between bars, as in Markdown. Models read this well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

COLUMNS_MAX = 200
_SPACES = re.compile(r"\s+")


def row(cells: Iterable[str]) -> str:
    """A row in one line; a bar within a cell is escaped."""
    texts = [_SPACES.sub(" ", cell).strip().replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(texts[:COLUMNS_MAX])} |"


def header(cells: Sequence[str]) -> str:
    """The first row with the rule below it."""
    return f"{row(cells)}\n|{' --- |' * min(len(cells), COLUMNS_MAX)}"


def table(rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    """A table's text and its header, as wide as the widest row. Both are empty where no cell has text."""
    rows = [cells for cells in rows if any(cell.strip() for cell in cells)]
    if not rows:
        return "", ""
    width = min(max(map(len, rows)), COLUMNS_MAX)
    top = header([*rows[0], *[""] * (width - len(rows[0]))])
    return "\n".join([top, *map(row, rows[1:])]), top
