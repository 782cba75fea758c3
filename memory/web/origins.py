"""The lines of a block with where each came from, as pages show them: neighbours of one origin together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory.actors import ActorKind
from memory.blame import Line, blame
from memory.models import Block
from memory.web.names import Hand, Names, names_of
from memory.web.presentation import messages_in_sight


@dataclass
class Group:
    """Lines that came with one version. `number` is 0 where that is older than what was looked at."""

    number: int
    first: int
    who: str = ""
    approved_by: str = ""
    at: datetime | None = None
    message_id: str = ""
    is_hidden: bool = False
    lines: list[str] = field(default_factory=list)


def groups_of(block: Block) -> list[Group]:
    """The lines of a block's newest version, in their order."""
    lines = blame(block)
    names = names_of(hand for line in lines for hand in _hands(line))
    seen = messages_in_sight(str(line.message_id or "") for line in lines)
    groups: list[Group] = []
    for place, line in enumerate(lines, start=1):
        if not groups or groups[-1].number != (line.version or 0):
            groups.append(_group(line, place, names, seen))
        groups[-1].lines.append(line.text)
    return groups


def _hands(line: Line) -> Sequence[Hand]:
    if line.actor is None:
        return []
    return [(line.actor.kind, line.actor.id), (ActorKind.USER, line.approved_by)]


def _group(line: Line, place: int, names: Names, seen: set[str]) -> Group:
    message = str(line.message_id or "")
    return Group(
        number=line.version or 0,
        first=place,
        who=names.of(line.actor.kind, line.actor.id) if line.actor else "",
        approved_by=names.person(line.approved_by) if line.approved_by else "",
        at=line.at,
        message_id=message if message in seen else "",
        is_hidden=bool(message) and message not in seen,
    )
