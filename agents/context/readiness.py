"""How far a document of a chat is read, as a line of the status tells it: written here, and read here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.documents.faults import reason_of


class Readiness(StrEnum):
    """The words with which what is told of a document begins."""

    READY = "ready"
    UNREAD = "still being read"
    STOPPED = "stopped"
    FAILED = "could not be read"


@dataclass(frozen=True)
class Told:
    """What the status says of one document; `fault` is a code of memory.documents.faults, or empty."""

    name: str
    readiness: Readiness
    fault: str = ""


_LINE = re.compile(
    rf"^document: “(?P<name>[^”]*)”: (?P<readiness>{'|'.join(Readiness)})\b(?: \((?P<fault>[a-z_]+)\))?",
    re.MULTILINE,
)


def line(document: str) -> str:
    """A line of the status about a document of which `attached.told` tells."""
    return f"document: {document}"


def told_in(status: str) -> Iterator[Told]:
    """The documents of which a status tells, in its order."""
    for match in _LINE.finditer(status):
        yield Told(match["name"], Readiness(match["readiness"]), match["fault"] or "")


def ready(pages: int | None, passages: int) -> str:
    """What is told of a document that can be searched."""
    count = f"{passages} passage{'' if passages == 1 else 's'}"
    on = f" on {pages} page{'' if pages == 1 else 's'}" if pages else ""
    return f"{Readiness.READY}: {count}{on}; search it with archival_memory_search"


def unread(done: int, total: int) -> str:
    """The same of one that is still worked on."""
    how_far = f" ({done} of {total})" if total else ""
    return f"{Readiness.UNREAD}{how_far}; a search finds nothing of it, or not all. Go on without it"


def stopped() -> str:
    """The same of one that somebody cancelled."""
    return f"{Readiness.STOPPED}: the person cancelled its reading"


def failed(fault: str) -> str:
    """The same of one that cannot be read, and why."""
    return f"{Readiness.FAILED} ({fault}): {reason_of(fault)}"
