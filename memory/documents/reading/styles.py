"""What Word's styles and lists say of a paragraph: its level as a heading, its mark, hidden text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.documents.reading.packages import Package

WORD = frozenset(
    (
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
)
LEVELS = 9
_HEADING = re.compile(r"(?:heading|标题|標題|überschrift|titre|título)\s*([1-9])", re.I)
_OFF = ("0", "false", "off")


def word_name(name: str) -> str:
    """The local name of an element or attribute of Word's own; "" for others."""
    space, _, local = name.rpartition(" ")
    return local if space in WORD else ""


def values_of(attributes: Mapping[str, str]) -> dict[str, str]:
    """Word's own attributes by their local names."""
    return {local: value for name, value in attributes.items() if (local := word_name(name))}


def is_on(values: Mapping[str, str]) -> bool:
    """Whether a property that is there is switched on."""
    return values.get("val", "1").lower() not in _OFF


def small(values: Mapping[str, str], otherwise: int = 0) -> int:
    """A property's small number."""
    value = values.get("val", "")
    return int(value) if value.isdecimal() and len(value) < 7 else otherwise


@dataclass
class Style:
    """What counts of one style; `level` is a heading's from 1, `numbers` the id of its list."""

    name: str = ""
    based_on: str = ""
    level: int = 0
    numbers: str = ""
    depth: int = 0
    is_hidden: bool = False


@dataclass
class Styles:
    """The styles of a document, by their ids."""

    found: dict[str, Style] = field(default_factory=dict)
    _now: Style = field(default_factory=Style)

    @classmethod
    def of(cls, package: Package) -> Styles:
        """Those of a package; none where it has no styles."""
        styles = cls()
        if package.has("word/styles.xml"):
            package.parse("word/styles.xml", styles._opened, lambda name: None, lambda text: None)
        return styles

    def _opened(self, name: str, attributes: Mapping[str, str]) -> None:
        tag, values = word_name(name), values_of(attributes)
        if tag == "style":
            self._now = self.found.setdefault(values.get("styleId", ""), Style())
        elif tag == "name":
            self._now.name = values.get("val", "")
        elif tag == "basedOn":
            self._now.based_on = values.get("val", "")
        elif tag == "outlineLvl" and small(values, LEVELS) < LEVELS:
            self._now.level = small(values) + 1
        else:
            self._set(tag, values)

    def _set(self, tag: str, values: Mapping[str, str]) -> None:
        if tag == "numId":
            self._now.numbers = values.get("val", "")
        elif tag == "ilvl":
            self._now.depth = small(values)
        elif tag == "vanish":
            self._now.is_hidden = is_on(values)

    def of_id(self, id: str) -> Style:
        """A style with what it takes from those that it is based on."""
        whole, seen = Style(), set[str]()
        while id in self.found and id not in seen:
            seen.add(id)
            style = self.found[id]
            named = _HEADING.fullmatch(style.name)
            level = int(named[1]) if named else 1 if style.name.lower() == "title" else style.level
            whole = Style(
                level=whole.level or level,
                numbers=whole.numbers or style.numbers,
                depth=whole.depth or style.depth,
                is_hidden=whole.is_hidden or style.is_hidden,
            )
            id = style.based_on
        return whole


@dataclass
class Numbering:
    """The lists of a document: how each level is marked, and how far each has counted."""

    lists: dict[str, str] = field(default_factory=dict)
    marks: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    counts: dict[str, list[int]] = field(default_factory=dict)
    _abstract: str = ""
    _list: str = ""
    _level: int = 0

    @classmethod
    def of(cls, package: Package) -> Numbering:
        """Those of a package; none where it has no numbering."""
        numbering = cls()
        if package.has("word/numbering.xml"):
            package.parse("word/numbering.xml", numbering._opened, lambda name: None, lambda text: None)
        return numbering

    def _opened(self, name: str, attributes: Mapping[str, str]) -> None:
        tag, values = word_name(name), values_of(attributes)
        if tag == "abstractNum":
            self._abstract = values.get("abstractNumId", "")
        elif tag == "num":
            self._list = values.get("numId", "")
        elif tag == "abstractNumId":
            self.lists[self._list] = values.get("val", "")
        elif tag == "lvl":
            level = values.get("ilvl", "")
            self._level = int(level) if level.isdecimal() and len(level) < 3 else 0
        elif tag in ("numFmt", "lvlText"):
            self._mark(tag, values.get("val", ""))

    def _mark(self, tag: str, value: str) -> None:
        key = (self._abstract, self._level)
        format, text = self.marks.get(key, ("", ""))
        self.marks[key] = (value, text) if tag == "numFmt" else (format, value)

    def next_mark(self, numbers: str, depth: int) -> str:
        """The mark of the next item of a list: its number as Word shows it, in digits, or a dash."""
        format, text = self.marks.get((self.lists.get(numbers, ""), depth), ("bullet", ""))
        counts = self.counts.setdefault(numbers, [0] * LEVELS)
        depth = min(depth, LEVELS - 1)
        counts[depth] += 1
        counts[depth + 1 :] = [0] * (LEVELS - depth - 1)
        if format in ("bullet", "none", ""):
            return "-"
        return re.sub(r"%([1-9])", lambda found: str(counts[int(found[1]) - 1] or 1), text)[:20] or "-"
