"""What the process that reads and the one that waits for it say to one another: a line of JSON each.

The process that reads may have been taken over by a document: what it says is checked for its shape.
"""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format, Kind
from memory.documents.pieces import Part, PieceKind, Progress


class End:
    """Everything was said."""


Said = Part | Progress | UnreadableDocument | End


class Nonsense(Exception):
    """What was said has no meaning here."""


def asked(kind: Kind) -> bytes:
    """The line before a document's bytes: what it is to be read as."""
    return json.dumps([kind.format, kind.language]).encode() + b"\n"


def kind_asked(line: bytes) -> Kind:
    """What stands in that line."""
    format, language = json.loads(line)
    return Kind(Format(format), language)


def line(said: Said) -> bytes:
    """One line."""
    if isinstance(said, Part):
        content: list[Any] = ["part", *astuple(said)]
    elif isinstance(said, Progress):
        content = ["progress", said.done, said.total]
    elif isinstance(said, UnreadableDocument):
        content = ["fault", said.code]
    else:
        content = ["end"]
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def heard(line: bytes) -> Said:
    """What a line says. Raises Nonsense."""
    try:
        what, *content = json.loads(line)
        return _heard(what, content)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Nonsense from error


def _heard(what: str, content: list[Any]) -> Said:
    if what == "part":
        return _part(*content)
    if what == "progress":
        done, total = content
        return Progress(_number(done), _number(total))
    if what == "fault":
        return UnreadableDocument(content[0])
    if what == "end":
        return End()
    raise ValueError(what)


def _part(
    kind: str,
    text: str,
    level: int,
    page: int | None,
    last_page: int | None,
    header: str,
    trail: Any,
    gap: str,
) -> Part:
    for each in (text, header, gap, *trail):
        if not isinstance(each, str):
            raise TypeError(each)
    page = page if page is None else _number(page)
    last_page = last_page if last_page is None else _number(last_page)
    return Part(PieceKind(kind), text, _number(level), page, last_page, header, tuple(trail), gap)


def _number(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**31:
        raise ValueError(value)
    return value
