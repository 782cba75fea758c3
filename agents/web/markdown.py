"""Markdown of models and people to safe HTML, whole or while it streams. Knows nothing of pages.

Two locks: the parser lets no HTML through, and nh3 keeps only what is listed here. Reference definitions are
off, so that no block changes the meaning of one before it: that is what lets a stream finish blocks for good.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

HIGHLIGHT_AT_MOST = 20_000
RENDER_AT_MOST = 50_000
"""How much of a text is parsed; from the block that passes this, it is shown as it was written."""
MARKS_AT_MOST = 500
"""How many characters that may be markup a paragraph has before it is shown as it was written."""
_HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "span", "a", "blockquote", "ul", "ol", "li"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "span": {"class"}, "code": {"class"}}
_BARE_URL = re.compile(r"https?://[^\s<>\"'`（）【】「」『』《》，。；：！？、]+")
_URL_TAIL = ".,;:!?*_~)]}"
_MARK = re.compile(r"[\[\]*_`~]")
_EMPTY_LINES = re.compile(r"\A(?:[ \t]*\n)+")
_CLOSED_BY_EMPTY_LINE = {"paragraph_open", "heading_open", "hr", "table_open"}
_formatter = HtmlFormatter(nowrap=True)


def _highlighted(code: str, language: str, _attributes: str) -> str:
    if not language or len(code) > HIGHLIGHT_AT_MOST:
        return escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, _formatter))


def _fit_into_page(state: StateCore) -> None:
    """Headings go below the page's own; alignment is a class, since the page allows no inline styles."""
    for token in state.tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
        style = token.attrs.pop("style", None)
        if style:
            token.attrSet("class", str(style).removeprefix("text-align:"))


def _link_bare_urls(state: StateCore) -> None:
    for block in state.tokens:
        if block.type == "inline" and block.children and "://" in block.content:
            block.children = _with_links(block.children)


def _with_links(children: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    depth = 0
    for child in children:
        depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        found.extend(_split_at_urls(child) if child.type == "text" and depth == 0 else [child])
    return found


def _split_at_urls(token: Token) -> list[Token]:
    pieces: list[Token] = []
    end = 0
    for match in _BARE_URL.finditer(token.content):
        url = match.group().rstrip(_URL_TAIL)
        pieces.append(_text(token.content[end : match.start()]))
        pieces += [Token("link_open", "a", 1, attrs={"href": url}), _text(url), Token("link_close", "a", -1)]
        end = match.start() + len(url)
    return [*pieces, _text(token.content[end:])] if pieces else [token]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _parser(*, breaks: bool) -> MarkdownIt:
    options = {
        "maxNesting": 100,
        "html": False,
        "linkify": False,
        "breaks": breaks,
        "highlight": _highlighted,
    }
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.disable(["reference", "image", "html_block", "html_inline"])
    parser.core.ruler.push("fit_into_page", _fit_into_page)
    parser.core.ruler.push("link_bare_urls", _link_bare_urls)
    return parser


_prose = _parser(breaks=False)
_typed = _parser(breaks=True)
_splitter = _parser(breaks=False)
_splitter.core.ruler.enableOnly(["normalize", "block"])


def render(text: str, *, typed: bool = False) -> SafeString:
    """Safe HTML of a whole text; `typed` keeps line breaks as a person typed them."""
    text = _normal(text)
    cut = _end_of_parsed(text, RENDER_AT_MOST)
    html = "".join(_block(block, typed=typed) for block in _blocks(text[:cut]))
    return mark_safe(html + _plain(text[cut:]))


def _end_of_parsed(text: str, most: int) -> int:
    """Where a text goes on as it was written: at its end, or at the last block that begins within `most`."""
    return len(text) if len(text) <= most else _end_of_finished(text[: text.rfind("\n", 0, most) + 1])


def _plain(source: str) -> str:
    """Text as it was written, in one element however long it is."""
    source = _EMPTY_LINES.sub("", source)
    return f'<pre class="plain">{escape(source)}</pre>\n' if source.strip(" \t\n") else ""


def _blocks(text: str) -> list[str]:
    """The top-level blocks of a text, which mean the same alone as together."""
    cuts = [*(start for start in _block_starts(text) if start), len(text)]
    return [text[start:end] for start, end in zip([0, *cuts], cuts, strict=False)]


def _block(source: str, *, typed: bool = False) -> str:
    """Safe HTML of one top-level block; one that is too long or too full of marks to parse stays plain."""
    if not source.strip(" \t\n"):
        return ""
    if len(source) > RENDER_AT_MOST or _is_dense(source):
        return _plain(source)
    return _page_parts(_cleaned((_typed if typed else _prose).render(source)))


def _is_dense(source: str) -> bool:
    """Whether a paragraph or cell has so many marks that pairing them takes long; code has none to pair."""
    if _marks(source) <= MARKS_AT_MOST:
        return False
    return any(
        _marks(token.content) > MARKS_AT_MOST for token in _splitter.parse(source) if token.type == "inline"
    )


def _marks(source: str) -> int:
    return len(_MARK.findall(source))


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "")


def _cleaned(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes={"th": {"center", "right", "left"}, "td": {"center", "right", "left"}},
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    )


def _page_parts(html: str) -> str:
    """Code gets its copy button; what can scroll can be reached by keyboard. The marks are ours: text from a
    model holds `<` only as `&lt;`."""
    button = f'<button type="button" class="button slim copy" data-copy>{escape(_("Copy"))}</button>'
    html = html.replace("<pre>", f'<div class="code">{button}<pre tabindex="0">').replace(
        "</pre>", "</pre></div>"
    )
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return html.replace("</table>", "</table></div>")


@dataclass(frozen=True)
class Written:
    """What a piece of a stream changed: blocks finished for good, and the open one (None: as it was)."""

    finished: str
    open: str | None


class BlockStream:
    """A text that arrives in pieces, as blocks: each is finished once, only the last one is replaced.

    The concatenation of everything finished, after `close`, is `render` of the whole text. The cost stays
    near linear: an open block is rendered again only once it has grown by a part of its size.
    """

    def __init__(self) -> None:
        self._pending = ""
        self._pieces: list[str] = []
        self._size = 0
        self._next_look = 0
        self._left = RENDER_AT_MOST
        self._is_plain = False

    def feed(self, piece: str) -> Written:
        """Take the next piece of text."""
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size < self._next_look:
            return Written("", None)
        self._gather()
        finished = self._take_finished()
        self._size = len(self._pending)
        self._next_look = self._size + _room_to_grow(self._size)
        return Written(finished, self._open())

    def close(self) -> Written:
        """The text has ended: the open block is finished too."""
        self._gather()
        finished = self._take_finished() + self._open(is_last=True)
        self._pending, self._size = "", 0
        return Written(finished, "")

    def _open(self, *, is_last: bool = False) -> str:
        if self._is_plain:
            return _plain(self._pending)
        return render(self._pending) if is_last else _block(self._pending)

    def _gather(self) -> None:
        self._pending = _normal(self._pending + "".join(self._pieces))
        self._pieces = []

    def _take_finished(self) -> str:
        """Cut off the blocks that no further line can change."""
        if self._is_plain:
            return ""
        self._is_plain = len(self._pending) > self._left
        most = min(self._left, len(self._pending))
        cut = _end_of_finished(self._pending[: self._pending.rfind("\n", 0, most) + 1])
        finished, self._pending = self._pending[:cut], self._pending[cut:]
        self._left -= cut
        return render(finished)


def _end_of_finished(lines: str) -> int:
    """Where the last block of complete lines begins; their end, if an empty line closes that block too."""
    blocks = _top_level(lines)
    if blocks and blocks[-1].type in _CLOSED_BY_EMPTY_LINE and _ends_empty(lines):
        return len(lines)
    return _block_starts(lines)[-1] if len(blocks) > 1 else 0


def _ends_empty(lines: str) -> bool:
    return lines[len(lines.rstrip(" \t\n")) :].count("\n") > 1


def _top_level(source: str) -> list[Token]:
    return [
        token for token in _splitter.parse(source) if token.level == 0 and token.nesting >= 0 and token.map
    ]


def _room_to_grow(size: int) -> int:
    """How much longer an open block gets before it is worth another look."""
    if size <= 2_000:
        return 1
    return size // 8 if size <= 16_000 else size // 2


def _block_starts(source: str) -> list[int]:
    """Offsets at which the top-level blocks of a text begin."""
    lines = {token.map[0] for token in _top_level(source) if token.map}
    offsets = accumulate((len(line) + 1 for line in source.split("\n")), initial=0)
    return [offset for number, offset in enumerate(offsets) if number in lines]
