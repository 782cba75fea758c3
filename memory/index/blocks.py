"""Core memory in the index: each block's head, and the lines that left it, as what once stood there.

A version is found as long as it is the head; when the next one comes, what remains of it is the lines that
are not in the new text, superseded from that moment on. Versions whose lines all stayed are not found, and
neither is a text without any.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory import lexical
from memory.index.entries import entry, write
from memory.index.texts import left
from memory.models import Block, BlockVersion, IndexEntry

KIND = IndexEntry.Kind.BLOCK


@dataclass(frozen=True)
class Before:
    """The version that another one follows: its id, its text, and since when it stood."""

    id: UUID
    value: str
    valid_from: datetime


def index_block_version(block: Block, version: BlockVersion, before: Before | None) -> None:
    """This version is the head of its block from now on. One statement."""
    rows = [row for row in [head_entry(block, version)] if row]
    gone = left(before.value, version.value) if before else ""
    if before and gone:
        rows.append(left_entry(block, version, before, gone))
    write(rows, without=[before.id] if before and not gone else [])


def head_entry(block: Block, version: BlockVersion) -> IndexEntry | None:
    """The row of a block's newest version; none where it is empty."""
    if not version.value.strip():
        return None
    return entry(
        KIND,
        version,
        block.id,
        version.value,
        [("B", lexical.words(f"{block.label} {block.description}"))],
        place=version.number,
        occurred_at=version.valid_from,
        state=IndexEntry.State.HIDDEN if block.retired_at else IndexEntry.State.CURRENT,
    )


def left_entry(block: Block, version: BlockVersion, before: Before, gone: str) -> IndexEntry:
    """The row of what a version took out of the text before it."""
    row = entry(
        KIND,
        version,
        block.id,
        gone,
        [("B", lexical.words(f"{block.label} {block.description}"))],
        place=version.number - 1,
        occurred_at=before.valid_from,
        valid_to=version.valid_from,
        state=IndexEntry.State.HIDDEN if block.retired_at else IndexEntry.State.SUPERSEDED,
    )
    row.record_id = before.id
    return row
