"""A patch as models write one: hunks of lines that stay, go and come, placed by what they hold.

Read are unified diffs (`@@ -1,2 +1,3 @@`), the form of `*** Begin Patch` with `@@ a line above`, and bare
lines with a sign in front. Numbers of lines are not believed: a hunk stands where its lines stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memory.operations.errors import BadPatch, TextFoundTwice, TextNotFound

_NUMBERS = re.compile(r"@@[\s\d,.+-]*(?:@@.*)?")
_FENCE = re.compile(r"```[\w-]*\s*")
_AROUND = re.compile(r"\*\*\* (?:Begin Patch|End Patch|End of File|Update (?:File|Block):.*)\s*")
_HEADER = re.compile(r"(?:diff |index |--- |\+\+\+ ).*")
HUNKS_MAX = 200
QUOTED = 80


@dataclass
class Hunk:
    """Lines that have to stand together, those to put in their place, and a line somewhere above them."""

    number: int
    anchor: str = ""
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Patch:
    """Apply a patch: every hunk fits in exactly one place, or nothing changes."""

    patch: str
    name = "patch"
    is_rebasable = True

    def apply(self, value: str) -> str:
        lines = value.split("\n") if value else []
        placed = sorted(((place(hunk, lines), hunk) for hunk in read(self.patch)), key=lambda each: each[0])
        made: list[str] = []
        done = 0
        for start, hunk in placed:
            if start < done:
                raise BadPatch(f"Hunk {hunk.number} changes lines that another hunk changes. Make them one.")
            made += [*lines[done:start], *hunk.new]
            done = start + len(hunk.old)
        return "\n".join([*made, *lines[done:]])


def read(patch: str) -> list[Hunk]:
    """The hunks of a patch. Raises BadPatch, which says what a line has to look like."""
    hunks: list[Hunk] = []
    opened: Hunk | None = None
    for line in _body(patch):
        if line.startswith("@@"):
            opened = Hunk(len(hunks) + 1, _anchor(line))
            hunks.append(opened)
        elif opened is None:
            opened = Hunk(1)
            hunks.append(opened)
            _add(opened, line)
        else:
            _add(opened, line)
    hunks = [hunk for hunk in hunks if hunk.old or hunk.new]
    if not hunks:
        raise BadPatch("The patch changes nothing: it has no line that begins with + or -.")
    if len(hunks) > HUNKS_MAX:
        raise BadPatch(f"A patch has at most {HUNKS_MAX} hunks; this one has {len(hunks)}.")
    return hunks


def _anchor(line: str) -> str:
    """The line above a hunk that its mark names, if it names one."""
    return "" if _NUMBERS.fullmatch(line) else line[2:].removeprefix(" ").rstrip()


def _body(patch: str) -> list[str]:
    """The lines that count: without fences, without what names a file, without empty lines between hunks."""
    lines = patch.replace("\r\n", "\n").split("\n")
    if sum(line.startswith("*** Update") for line in lines) > 1:
        raise BadPatch("A patch changes one block: write one for each.")
    kept: list[str] = []
    for line in [*lines, "@@"]:
        if line.startswith("*** ") and not _AROUND.fullmatch(line):
            raise BadPatch(f"A patch changes the text of one block; this is not done here: {line[:QUOTED]!r}")
        if line.startswith("@@"):
            while kept and not kept[-1]:
                kept.pop()
        is_header = not kept and (_HEADER.match(line) or not line)
        if not (is_header or _AROUND.fullmatch(line) or _FENCE.fullmatch(line) or line.startswith("\\ ")):
            kept.append(line)
    return kept


def _add(hunk: Hunk, line: str) -> None:
    sign, text = line[:1] or " ", line[1:]
    if sign not in " +-":
        raise BadPatch(
            f"A line of a patch begins with a space (it stays), - (it goes), + (it comes) or @@; "
            f"this one does not: {line[:QUOTED]!r}",
            line=line[:QUOTED],
        )
    if sign != "+":
        hunk.old.append(text)
    if sign != "-":
        hunk.new.append(text)


def place(hunk: Hunk, lines: list[str]) -> int:
    """The line at which a hunk stands in a text. Raises TextNotFound, TextFoundTwice."""
    start = _only_place(hunk, [hunk.anchor], lines, 0) + 1 if hunk.anchor else 0
    if hunk.old:
        return _only_place(hunk, hunk.old, lines, start)
    if lines and not hunk.anchor:
        raise BadPatch(
            f"Hunk {hunk.number} only adds lines: give a line beside them that stays, with a space in front.",
            hunk=hunk.number,
        )
    return start


def _only_place(hunk: Hunk, wanted: list[str], lines: list[str], start: int) -> int:
    """Where lines stand together, from a line on. As one text, since that is found in linear time."""
    text = "\n".join(["", *lines[start:], ""])
    sought = "\n".join(["", *wanted, ""])
    found = text.find(sought)
    if found < 0:
        there = set(lines)
        absent = next((line for line in wanted if line not in there), wanted[0])
        raise TextNotFound(
            f"Hunk {hunk.number} does not fit: this line does not stand in the block like that: "
            f"{absent[:QUOTED]!r}. Copy lines exactly, spaces too.",
            hunk=hunk.number,
        )
    if text.find(sought, found + 1) >= 0:
        raise TextFoundTwice(
            f"Hunk {hunk.number} fits in more than one place. Give more of the lines around it.",
            hunk=hunk.number,
        )
    return start + text.count("\n", 0, found)
