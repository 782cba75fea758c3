"""Source code, cut where its syntax cuts it: functions and classes whole, large ones by their members.

Languages with a grammar are parsed (tree-sitter), which also works where the code has mistakes; others are
cut at empty lines before a line that is not indented. The extracted text is the code as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise

from tree_sitter import Language, Node, Parser

from memory.documents.decoding import source
from memory.documents.pieces import Part, PieceKind

GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "java": ("tree_sitter_java", "language"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
}
WHOLE = 1_200
"""Up to how many characters a function or class stays one part, whatever is in it: some 300 tokens."""
DEPTH = 6
"""How many functions and classes within one another are cut; what lies deeper is cut by lines."""
_WRAPPERS = ("declaration", "definition", "value", "left", "right", "declarator")
_LEADS_ON = ("comment", "attribute", "decorator", "annotation", "access_specifier")


@dataclass(frozen=True)
class _Span:
    """Some lines of the code, up to `end`, and the syntax that begins there."""

    start: int
    end: int
    node: Node | None
    trail: tuple[str, ...]


def read(data: bytes, language: str) -> Iterator[Part]:
    """The parts of a source file; `trail` names what a part stands in.

    The grammar is loaded before the first part is asked for: later the process that reads opens no files.
    """
    lines = source(data).split("\n")
    if language not in GRAMMARS:
        return _parts_of(lines, _by_empty_lines(lines))
    module, function = GRAMMARS[language]
    parser = Parser(Language(getattr(import_module(module), function)()))
    return _parts_of(lines, _parsed(lines, parser))


def _parts_of(lines: Sequence[str], spans: Iterator[_Span]) -> Iterator[Part]:
    empty = 0
    for span in spans:
        text = "\n".join(lines[span.start : span.end])
        body = text.strip("\n")
        if body.strip():
            empty += len(text) - len(text.lstrip("\n"))
            yield Part(PieceKind.CODE, body, trail=span.trail, gap="\n" * (empty + 1))
            empty = len(text) - len(text.rstrip("\n"))
        else:
            empty += span.end - span.start


def _by_empty_lines(lines: Sequence[str]) -> Iterator[_Span]:
    cuts = [
        number
        for number in range(1, len(lines))
        if not lines[number - 1].strip() and lines[number][:1].strip() and lines[number][0] not in "})]"
    ]
    for start, end in pairwise([0, *cuts, len(lines)]):
        yield _Span(start, end, None, ())


def _parsed(lines: Sequence[str], parser: Parser) -> Iterator[_Span]:
    root = parser.parse("\n".join(lines).encode()).root_node
    waiting = list(_cut(root, _Span(0, len(lines), None, ())))[::-1]
    while waiting:
        span = waiting.pop()
        inner = _inner(span, lines)
        waiting += inner[::-1]
        if not inner:
            yield span


def _inner(span: _Span, lines: Sequence[str]) -> list[_Span]:
    """What a span that is too large to stay whole is made of; nothing where it stays."""
    if span.node is None or len(span.trail) >= DEPTH:
        return []
    if sum(len(line) + 1 for line in lines[span.start : span.end]) <= WHOLE:
        return []
    body = _body(span.node)
    if body is None:
        return []
    name = " ".join(lines[span.node.start_point.row].split())[:120]
    inner = _Span(span.start, span.end, None, (*span.trail, name))
    found = list(_cut(body, inner))
    # The first holds the head (`class A:`), and stands under what the whole stands under.
    return [_Span(found[0].start, found[0].end, None, span.trail), *found[1:]] if len(found) > 1 else []


def _body(node: Node) -> Node | None:
    """The members or statements of a definition, which may be wrapped (an export, a decorator)."""
    for _ in range(4):
        if body := node.child_by_field_name("body"):
            return body
        fields = [each for name in _WRAPPERS if (each := node.child_by_field_name(name))]
        inside = fields or (node.named_children if node.named_child_count == 1 else [])
        if not inside:
            return None
        node = inside[0]
    return None


def _cut(node: Node, within: _Span) -> Iterator[_Span]:
    """The lines of a span, cut where the children of a node begin; a comment stays with what follows it."""
    starts: list[tuple[int, Node | None]] = [(within.start, None)]
    leads_on = False
    for child in node.named_children:
        row = child.start_point.row
        if leads_on:
            starts[-1] = (starts[-1][0], child)
        elif row > starts[-1][0]:
            starts.append((row, child))
        elif starts[-1][1] is None:
            starts[-1] = (row, child)
        leads_on = any(word in child.type for word in _LEADS_ON) and "decorated" not in child.type
    ends = [row for row, _ in starts[1:]] + [within.end]
    for (start, begins), end in zip(starts, ends, strict=True):
        yield _Span(start, end, begins, within.trail)
