"""Tables of Markdown as people read them in passing: cells with dots between them, without bars and rule."""

from __future__ import annotations

import re

_BAR = re.compile(r"(?<!\\)\|")
_RULE = frozenset("|-: \t\r")


def cells_apart(text: str) -> str:
    """A text, whose tables have `Ghent · 9000` for `| Ghent | 9000 |` and no row of dashes."""
    if "|" not in text:
        return text
    lines = text.split("\n")
    shown, is_in_table = [], False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _is_rule(line):
            is_in_table = True
            continue
        is_in_table = "|" in line and (is_in_table or _is_rule(following))
        shown.append(_cells(line) if is_in_table or _is_row(line) else line)
    return "\n".join(shown)


def _is_rule(line: str) -> bool:
    """Whether this is the line below a table's head; a row whose cells are single dashes is none."""
    return "|" in line and _RULE.issuperset(line) and any(mark in line for mark in ("--", ":-", "-:", "|-"))


def _is_row(line: str) -> bool:
    """Whether a line by itself is one of a table, as later parts of a table that was cut have them."""
    bare = line.strip()
    return len(bare) > 3 and bare.startswith("| ") and bare.endswith(" |")


def _cells(line: str) -> str:
    cells = (cell.strip().replace(r"\|", "|") for cell in _BAR.split(line))
    return " · ".join(cell for cell in cells if cell)
