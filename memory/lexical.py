"""Words for search: English stemmed, Chinese by word and by pairs of characters, identifiers kept whole.

Made in Python, so that text and query are cut the same way, whatever the database's dictionaries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import rjieba
import snowballstemmer

from memory.irregular import regular

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
LEXEME_MAX = 100
KANA = "\u3040-\u30ff"
HANGUL = "\uac00-\ud7af"
_LETTER = rf"[^\W{HAN}{KANA}{HANGUL}]"
_WESTERN = f"{_LETTER}+"
_RUN = re.compile(rf"[{HAN}]+|[{KANA}]+|[{HANGUL}]+|{_WESTERN}(?:[-.:/@+#]{_WESTERN})*")
_BEGUN = re.compile(rf"{_LETTER}{{2,{LEXEME_MAX}}}$")
_PART = re.compile(r"[^\W_]+")
_EAST = re.compile(rf"[{HAN}{KANA}{HANGUL}]")
_EAST_RUN = re.compile(rf"[{HAN}]+|[{KANA}]+|[{HANGUL}]+")
_IS_HAN = re.compile(rf"[{HAN}]")
RUN_MAX = 2000
BYTES_MAX = 500_000

_stemmer = snowballstemmer.stemmer("english")
_STOP_WORDS = """
a about an and any are as at be been being but by can could couldn d did didn do does doesn don during
for from had has have having he her his how i if in into is isn it its ll me might my no not of on or our
re s she should so some t than that the their them then there they this to ve was wasn we were what when
where which who why will with would wouldn you your
的 地 得 了 着 过 是 有 在 从 到 对 把 被 给 跟 和 与 我 你 他 她 它 们 我们 你们 他们 吗 呢 吧 啊 就 都 也
还 又 再 很 不 没 没有 会 要 能 可以 这 那 这个 那个 个 谁 几 多少
哪 哪个 哪里 哪儿 什么 什么时候 怎么 怎样 为什么
"""


def lexemes(text: str) -> list[str]:
    """Every lexeme of a text, each once, in the order in which they appear; those of the first part of a text
    that has more than half a megabyte of them, since a `tsvector` holds at most one."""
    found: dict[str, None] = {}
    room = BYTES_MAX
    for word in words(text):
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


def is_stop(word: str) -> bool:
    """Whether a lexeme is too common to tell anything."""
    return word in _STOP


def is_eastern(text: str) -> bool:
    """Whether a text begins in Han, kana or hangul, where no space parts the words."""
    return _EAST.match(text) is not None


def length(text: str) -> int:
    """How many words a text has, stop words too; two characters of Han, kana or hangul count as one."""
    runs = _RUN.findall(_folded(text))
    if text.isascii():
        return len(runs)
    return sum([(len(run) + 1) // 2 if _EAST.match(run) else 1 for run in runs])


def words(text: str) -> Iterator[str]:
    """The lexemes of a text in the order in which they stand there, as often as they do."""
    for whole in _RUN.findall(_folded(text)):
        if len(whole) <= LEXEME_MAX and whole.isascii() and whole.isalpha():  # by far the most, and one part
            yield stem(whole)
            continue
        # A run of a megabyte without a space is cut; pairs at the seams are lost.
        for start in range(0, len(whole), RUN_MAX):
            run = whole[start : start + RUN_MAX]
            yield from _east(run) if _EAST.match(run) else _west(run)


def last_characters(text: str) -> list[str]:
    """The last character of each run of Han, kana or hangul. A character is looked for as the beginning of a
    pair, and these begin none."""
    found = _EAST_RUN.findall(_folded(text)) if not text.isascii() else []
    return list(dict.fromkeys(run[-1] for run in found if len(run) > 1))


def beginnings(query: str, *, is_typed: bool) -> tuple[str, ...]:
    """What a query has that longer words are meant by too: a character of Han, kana or hangul between spaces,
    and the last word where somebody is typing it; none that tells nothing as it stands."""
    parts = _folded(query).split()
    found = [each for each in parts if len(each) == 1 and is_eastern(each)]
    if is_typed and parts and not query[-1].isspace() and (begun := _BEGUN.search(parts[-1])):
        found.append(begun.group())
    return tuple(dict.fromkeys(each for each in found if not is_stop(stem(each))))


def _folded(text: str) -> str:
    """What is written in one way where one reads the same: case, width, accents that stand apart."""
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


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
        word = part[:LEXEME_MAX]
        yield word if word.isdecimal() else stem(word)  # a long table would fill the cache with numbers


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word by Porter's second algorithm; that of "go" for "went"."""
    found: str = _stemmer.stemWord(regular(word))
    return found


_STOP = frozenset(map(stem, _STOP_WORDS.split()))
