"""Words for search: English stemmed, Chinese by word and by pairs of characters, identifiers kept whole.

Made in Python, so that text and query are cut the same way, whatever the database's dictionaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import rjieba
import snowballstemmer

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
KANA = "\u3040-\u30ff"
HANGUL = "\uac00-\ud7af"
_WESTERN = rf"[^\W{HAN}{KANA}{HANGUL}]+"
_RUN = re.compile(rf"[{HAN}]+|[{KANA}]+|[{HANGUL}]+|{_WESTERN}(?:[-.:/@+#'’]{_WESTERN})*")
_PART = re.compile(r"[^\W_]+")
_EAST = re.compile(rf"[{HAN}{KANA}{HANGUL}]")
_IS_HAN = re.compile(rf"[{HAN}]")
LEXEME_MAX = 100
RUN_MAX = 2000
BYTES_MAX = 500_000

_stemmer = snowballstemmer.stemmer("english")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "so",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "will",
        "with",
        "you",
        "your",
        "的",
        "了",
        "是",
        "在",
        "我",
        "你",
        "他",
        "她",
        "它",
        "们",
        "吗",
        "呢",
        "吧",
        "啊",
        "和",
        "与",
        "就",
        "都",
        "也",
        "什么",
        "哪",
        "这",
        "那",
        "个",
    ]
)


def lexemes(text: str) -> list[str]:
    """Every lexeme of a text, each once, in the order in which they appear; those of the first part of a text
    that has more than half a megabyte of them, since a `tsvector` holds at most one."""
    found: dict[str, None] = {}
    room = BYTES_MAX
    for word in _cut(text):
        if word in found:
            continue
        room -= len(word.encode())
        if room < 0:
            break
        found[word] = None
    return list(found)


def query_lexemes(text: str) -> list[str]:
    """The lexemes of a query; stop words count only where there is nothing else."""
    found = lexemes(text)
    return [word for word in found if word not in _STOP] or found


def _cut(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text.casefold()):
        whole = match.group()
        # A run of a megabyte without a space is cut; pairs at the seams are lost.
        for start in range(0, len(whole), RUN_MAX):
            run = whole[start : start + RUN_MAX]
            yield from _east(run) if _EAST.match(run) else _west(run)


def _east(run: str) -> Iterator[str]:
    if _IS_HAN.match(run):
        yield from (word[:LEXEME_MAX] for word in rjieba.cut(run))
    yield from (run[place : place + 2] for place in range(len(run) - 1))
    if len(run) == 1:
        yield run


def _west(run: str) -> Iterator[str]:
    """The whole identifier, and the stem of each of its parts."""
    parts = _PART.findall(run)
    if parts != [run]:
        yield run[:LEXEME_MAX]
    for part in parts:
        yield stem(part[:LEXEME_MAX])


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word by Porter's second algorithm."""
    found: str = _stemmer.stemWord(word)
    return found
