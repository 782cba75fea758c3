"""Lists of words, written as one text."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a text that has spaces between them."""
    return frozenset(words.split())
