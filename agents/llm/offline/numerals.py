"""Ordinals and Chinese numerals in one form: third, 3rd, 第三 and 三号 are all of 3."""

from __future__ import annotations

import re

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_HAN = "零一二三四五六七八九"
_AROUND = re.compile(r"^第|号$|(?<=\d)(?:st|nd|rd|th)$")
_HAN_NUMERAL = re.compile(f"[{_HAN}十百]+")
_COUNTED = re.compile(f"(?<=第)[{_HAN}十百]+|[{_HAN}十百]+(?=号)")


def as_digits(word: str) -> str:
    """A number or ordinal as its digits; any other word in small letters."""
    bare = _AROUND.sub("", word.casefold())
    if bare in _ORDINALS:
        return str(_ORDINALS.index(bare) + 1)
    return str(_value(bare)) if _HAN_NUMERAL.fullmatch(bare) else bare


def in_digits(text: str) -> str:
    """A text with the numerals of its 第三 and 三号 as digits."""
    return _COUNTED.sub(lambda found: str(_value(found.group())), text)


def _value(numeral: str) -> int:
    """The value of a Chinese numeral below 1000, also of one read digit by digit: 三百零一, 三零一."""
    if not re.search("[十百]", numeral):
        return int("".join(str(_HAN.index(each)) for each in numeral))
    hundreds, _, rest = numeral.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    return _digit(hundreds) * 100 + (_digit(tens) or len(ten)) * 10 + _digit(ones)


def _digit(part: str) -> int:
    return max(_HAN.find(part[-1:]), 0)
