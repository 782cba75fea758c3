"""A text cut into words without losing a sign of it: Chinese by word, everything else by letters and digits.

For comparing texts. Search cuts in its own way (`memory.lexical`): it stems, and leaves things out.
"""

from __future__ import annotations

import re

import rjieba

from memory.lexical import HAN, HANGUL, KANA

_PIECE = re.compile(rf"[{HAN}]+|[{KANA}{HANGUL}]|\n|[^\S\n]+|[A-Za-z0-9_\u00c0-\u024f]+|.")
_HAN = re.compile(rf"[{HAN}]{{2,}}")


def words(text: str) -> list[str]:
    """Words, spaces, line breaks and signs in their order; joined they are the text again."""
    found: list[str] = []
    for piece in _PIECE.findall(text):
        found += rjieba.cut(piece) if _HAN.fullmatch(piece) else [piece]
    return found
