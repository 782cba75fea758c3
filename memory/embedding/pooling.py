"""Texts that are longer than a model reads: cut in parts, and the parts' vectors in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memory import tokens
from memory.embedding.base import Vector, unit

# Tokens are counted with another tokenizer than the model's own, which may make more of a text.
MARGIN = 0.66
_BREAK = re.compile(r"\n+|[。！？!?.]\s*|\s+")


def embed_long(
    texts: Sequence[str], embed: Callable[[list[str]], list[Vector | None]], tokens_max: int
) -> list[Vector | None]:
    """A vector for each text, however long; None where every part of it was refused."""
    parts = [cut(text, tokens_max) for text in texts]
    vectors = iter(embed([part for each in parts for part in each]))
    return [pool([(next(vectors), len(part)) for part in each]) for each in parts]


def cut(text: str, tokens_max: int) -> list[str]:
    """The text in parts of about equal length that a model of so many tokens reads, cut between words."""
    if tokens.count(text) <= tokens_max * MARGIN or len(text) < 2:
        return [text]
    middle = _cut_near(text, len(text) // 2)
    return [*cut(text[:middle], tokens_max), *cut(text[middle:], tokens_max)]


def pool(parts: Sequence[tuple[Vector | None, int]]) -> Vector | None:
    """The mean of the parts' vectors, weighted by their lengths, at length 1; refused parts are left out."""
    found = [(vector, weight) for vector, weight in parts if vector is not None]
    if len(found) <= 1:
        return found[0][0] if found else None
    return unit([sum(w * v[at] for v, w in found) for at in range(len(found[0][0]))])


def _cut_near(text: str, middle: int) -> int:
    """The end of the last sentence or word in the quarter before the middle, or the middle itself."""
    ends = [each.end() for each in _BREAK.finditer(text, middle - middle // 2, middle)]
    return ends[-1] if ends else middle
