"""Names and media types of uploaded files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from memory.documents.kinds import Format

NAME_MAX, ENDING_MAX = 255, 20
UNNAMED = "document"
# What a file is offered as. No browser is to run one: doors send it as an attachment.
MEDIA_TYPES = {
    Format.TEXT: "text/plain",
    Format.MARKDOWN: "text/markdown",
    Format.HTML: "text/html",
    Format.PDF: "application/pdf",
    Format.WORD: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    Format.CODE: "text/plain",
}
_NOT_IN_NAMES = re.compile("[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain_name(name: str) -> str:
    """A file's name without its folders, and without signs that hide what it is; at most 255 characters,
    cut in front of its ending."""
    plain = " ".join(_NOT_IN_NAMES.sub("", re.split(r"[/\\]", name)[-1]).split()) or UNNAMED
    return plain if len(plain) <= NAME_MAX else _fitted(*_parted(plain))


def names(name: str) -> Iterator[str]:
    """A name, and others beside it: plan.txt, plan (2).txt, plan (3).txt, ..."""
    yield name
    stem, ending = _parted(name)
    for number in count(2):
        yield _fitted(stem, f" ({number}){ending}")


def _parted(name: str) -> tuple[str, str]:
    """A name and its ending with the dot; what is no ending belongs to the name."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if stem and len(ending) <= ENDING_MAX else (name, "")


def _fitted(stem: str, ending: str) -> str:
    return stem[: NAME_MAX - len(ending)] + ending
