"""Making entries anew from their records: rows of an older format, and rows that there are not yet."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from memory.index.blocks import Before, head_entry, left_entry
from memory.index.entries import write
from memory.index.messages import BEFORE, INDEXED_ROLES, windows
from memory.index.passages import passage_entry, skill_entry, summary_entry
from memory.index.states import forget
from memory.index.texts import left, records_of
from memory.models import Block, BlockVersion, IndexEntry, Message

MAKERS: dict[str, Callable[[Any], IndexEntry]] = {
    IndexEntry.Kind.PASSAGE: passage_entry,
    IndexEntry.Kind.SUMMARY: summary_entry,
    IndexEntry.Kind.SKILL: skill_entry,
}


def reindex(entries: Sequence[IndexEntry]) -> None:
    """Make the lexemes of these entries anew, and all else that follows from their records; each keeps its
    state. Entries whose record is gone, or says nothing, go."""
    for kind in {each.kind for each in entries}:
        _reindex(kind, [each for each in entries if each.kind == kind])


def _reindex(kind: str, entries: list[IndexEntry]) -> None:
    records = records_of(entries)
    if kind == IndexEntry.Kind.MESSAGE:
        made = _messages(list(records.values()))
    elif kind == IndexEntry.Kind.BLOCK:
        made = [row for version in records.values() if (row := _version(version))]
    else:
        made = [MAKERS[kind](record) for record in records.values()]
    fresh = {row.record_id: row for row in made}
    before = {each.record_id: each for each in entries}
    for record_id, row in fresh.items():
        row.state, row.valid_to = before[record_id].state, before[record_id].valid_to or row.valid_to
    write(list(fresh.values()))
    forget(kind, set(before) - set(fresh))


def _messages(messages: list[Message]) -> list[IndexEntry]:
    """Rows of messages with their neighbours' words, chat by chat: what is on its live branch, then what was
    left. Live messages have live neighbours."""
    wanted = {each.id for each in messages}
    rows = []
    for conversation_id, is_left in {(each.conversation_id, each.is_abandoned) for each in messages}:
        said = [
            each
            for each in messages
            if (each.conversation_id, each.is_abandoned) == (conversation_id, is_left)
        ]
        rows += [row for row in windows(_with_neighbours(conversation_id, said)) if row.record_id in wanted]
        waiting = [each for each in said if each.position is None]
        rows += [row for each in waiting for row in windows([each])]
    return rows


def _with_neighbours(conversation_id: uuid.UUID, said: list[Message]) -> list[Message]:
    """Placed messages, all of them live or all of them left, from a little before the first of `said` to a
    little after the last."""
    places = sorted(each.position for each in said if each.position is not None)
    if not places:
        return []
    told = Message.objects.filter(
        conversation_id=conversation_id, role__in=INDEXED_ROLES, is_abandoned=said[0].is_abandoned
    )
    told = told.exclude(content="")
    steps = len(BEFORE)
    earlier = told.filter(position__lt=places[0]).order_by("-position")[:steps]
    later = told.filter(position__gt=places[-1]).order_by("position")[:steps]
    between = told.filter(position__gte=places[0], position__lte=places[-1]).order_by("position")
    return [*reversed(earlier), *between, *later]


def _version(version: Any) -> IndexEntry | None:
    """The row of a version, None where all its lines stand in the one that followed it."""
    block = Block.objects.get(id=version.block_id)
    after: BlockVersion | None = version.follower
    if after is None:
        return head_entry(block, version)
    gone = left(version.value, after.value)
    return (
        left_entry(block, after, Before(version.id, version.value, version.valid_from), gone)
        if gone
        else None
    )
