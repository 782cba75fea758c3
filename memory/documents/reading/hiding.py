"""Which elements of a page a person does not see. Text that only a machine reads is where injections sit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

UNSEEN = frozenset(
    (
        *("head", "script", "style", "template", "noscript", "iframe", "object", "embed", "canvas", "svg"),
        *("audio", "video", "map", "datalist", "dialog", "noembed", "noframes", "title"),
    )
)
SELECTORS_MAX = 200
SHEETS_MAX = 200_000
_NONE = r"0*(?:\.0+)?(?:px|em|rem|%|pt|vh|vw)?\s*(?:!important\s*)?(?:;|$)"
_HIDES = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden"
    rf"|(?:opacity|font-size|max-height|max-width)\s*:\s*0{_NONE}"
    r"|(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}"
    r"|clip\s*:\s*rect\(\s*(?:0|1px)|clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0\s*[,)]"
    r"|color\s*:\s*transparent)",
    re.I,
)
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))", re.I
)
_COMMENT = re.compile(r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/")
_AT_RULE = re.compile(r"@[^{};@]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def hidden_by_rules(tree: LexborHTMLParser) -> set[int]:
    """The elements that the page's own style sheets hide, by `mem_id`; rules within at-rules are left out."""
    hidden: set[int] = set()
    for selector in _selectors(tree):
        try:
            hidden.update(node.mem_id for node in tree.css(selector))
        except (SelectolaxError, ValueError):  # a selector that is no CSS, or is unknown to the parser
            continue
    return hidden


def _selectors(tree: LexborHTMLParser) -> Iterator[str]:
    sheets = "\n".join(node.text() for node in tree.css("style"))[:SHEETS_MAX]
    rules = _RULE.findall(_AT_RULE.sub("", _COMMENT.sub("", sheets)))
    hiding = [selector.strip() for selector, declarations in rules if hides(declarations)]
    yield from hiding[:SELECTORS_MAX]


def hides(declarations: str) -> bool:
    """Whether CSS declarations make text invisible; white text counts where no background is set with it."""
    if _HIDES.search(declarations):
        return True
    return _WHITE.search(declarations) is not None and "background" not in declarations.lower()


def is_hidden(node: LexborNode) -> bool:
    """Whether an element is hidden by what it is, or by its attributes."""
    if node.tag in UNSEEN:
        return True
    attributes = node.attributes
    return "hidden" in attributes or hides(attributes.get("style") or "")
