"""HTML: what a person sees of a page. Scripts, styles and hidden text are dropped, nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from memory.documents.decoding import decoded
from memory.documents.pieces import Part
from memory.documents.reading.depth import check_depth
from memory.documents.reading.flowing import Flow
from memory.documents.reading.hiding import hidden_by_rules, is_hidden


def read(data: bytes, language: str) -> Iterator[Part]:
    """The parts of a page."""
    return parts(decoded(data))


def parts(page: str) -> Iterator[Part]:
    """The parts of a page, or of a piece of one. Raises UnreadableDocument where it is nested too deeply."""
    check_depth(page)
    tree = LexborHTMLParser(page)
    flow = Flow()
    if tree.root is not None:
        for node, opens in _walk(tree.root, hidden_by_rules(tree)):
            _tell(flow, node, opens=opens)
            yield from flow.take()
    flow.end()
    yield from flow.take()


def _tell(flow: Flow, node: LexborNode, *, opens: bool) -> None:
    if node.is_text_node:
        if opens:
            flow.text(node.text_content or "")
    elif opens:
        flow.open(node.tag or "", node.attributes)
    else:
        flow.close(node.tag or "")


def _walk(root: LexborNode, hidden: set[int]) -> Iterator[tuple[LexborNode, bool]]:
    """Each node that is seen, when it opens and when it closes; without recursion, however deep they lie."""
    node: LexborNode | None = root
    above: list[LexborNode] = []
    while node is not None:
        seen = node.is_text_node or (
            node.is_element_node and not is_hidden(node) and node.mem_id not in hidden
        )
        if seen:
            yield node, True
            if child := node.first_child:
                above.append(node)
                node = child
                continue
            yield node, False
        while node is not None and (after := node.next) is None:
            node = above.pop() if above else None
            if node is not None:
                yield node, False
        node = after if node is not None else None
