"""How deeply a page is nested, told from its tags before it is parsed.

A parser looks, for each block that begins, through all that are open, up to a table (HTML, 13.2.6.4.7, "in
button scope"): a megabyte of nothing but <div> keeps it busy for minutes. Elements that the rules close by
themselves, and those of a line, cost nothing; what counts is counted by name, so that an end without a
beginning makes nothing shallower. A page that is built to deceive this count meets the limit of time.
"""

from __future__ import annotations

import re
from collections import Counter

from memory.documents.faults import UnreadableDocument
from memory.documents.limits import DEPTH

NESTING = frozenset(
    (
        *("address", "article", "aside", "blockquote", "button", "center", "details", "dialog", "dir", "div"),
        *("dl", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "listing", "main"),
        *("marquee", "menu", "nav", "object", "ol", "pre", "search", "section", "summary", "table"),
        *("template", "ul"),
    )
)
# Comments and what is no markup are stepped over; each alternative ends, at the page's end at the latest, so
# that no text is looked through twice.
_TAG = re.compile(
    r"<!--(?:.*?)(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</(?P=raw)|\Z)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?:[^'\">]++|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z))*+",
    re.I | re.S,
)


def check_depth(page: str) -> None:
    """Raises UnreadableDocument ("too_deep") where blocks lie in more than DEPTH others."""
    open_by_name: Counter[str] = Counter()
    depth = 0
    for tag in _TAG.finditer(page):
        name = (tag["name"] or "").lower()
        if name not in NESTING:
            continue
        if not tag["end"]:
            open_by_name[name] += 1
            depth += 1
        elif open_by_name[name]:
            open_by_name[name] -= 1
            depth -= 1
        if depth > DEPTH:
            raise UnreadableDocument("too_deep")
