"""Texts of others in a prompt: they cannot close the part in which they stand, and documents are marked."""

from __future__ import annotations

import re

OUR_TAGS = "core_memory|block|description|value|summary|status|skills|skill|untrusted"
# However it is spelled: a reader overlooks spaces, signs that are not seen, and how wide a letter is.
_OPENS = "[<\uff1c\ufe64]"
_SLASHES = "/\uff0f\u2044\u2215"
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
# JSON writes a slash, the end of a line and a control character with a backslash before it.
_BETWEEN = rf"(?:\\(?:[bfnrt]|u00[01][0-9a-f])?|[\s{_SLASHES}{_UNSEEN}])*"
_WIDER = 0xFEE0  # from a letter of ASCII to the same, full-width


def _spelled(tag: str) -> str:
    """A pattern of a tag's name in letters of any width, with signs between them that are not seen."""
    return f"[{_UNSEEN}]*".join(f"[{letter}{chr(ord(letter) + _WIDER)}]" for letter in tag)


_NAMES = "|".join(map(_spelled, OUR_TAGS.split("|")))
_OUR_TAGS = re.compile(rf"{_OPENS}(?={_BETWEEN}(?:{_NAMES})(?:\b|[{_UNSEEN}]))", re.IGNORECASE)


def quoted(text: str) -> str:
    """A text that cannot close the part in which it stands."""
    return _OUR_TAGS.sub("&lt;", text)


def untrusted(text: str) -> str:
    """What was read out of documents, as data: it stands between marks that it cannot close."""
    return f"<untrusted>\n{quoted(text)}\n</untrusted>"
