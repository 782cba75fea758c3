"""The text of an index entry, and the record that holds it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models

from memory.models import BlockVersion, IndexEntry, Message, Passage, Skill, Summary

# Where each kind's text lies, with what it lies in and what it is from.
HOLDERS: dict[str, tuple[type[models.Model], tuple[str, ...]]] = {
    IndexEntry.Kind.MESSAGE: (Message, ("conversation",)),
    IndexEntry.Kind.PASSAGE: (Passage, ("archive", "document", "source")),
    IndexEntry.Kind.SUMMARY: (Summary, ("conversation",)),
    IndexEntry.Kind.SKILL: (Skill, ()),
    IndexEntry.Kind.BLOCK: (BlockVersion, ("block", "source")),
}

# What a hit tells of a passage. With its archive, document and source it has five times as many columns, and
# half of reading records was spent on those that nobody looks at.
BRIEF: dict[str, tuple[str, ...]] = {
    IndexEntry.Kind.PASSAGE: (
        *("content", "archive__name", "document__name", "page", "page_to", "headings"),
        *("source__kind", "source__reference", "source__title"),
    )
}


def records_of(entries: Iterable[Any], *, brief: bool = False) -> dict[uuid.UUID, Any]:
    """The records of entries or candidates by their own id (`record_id`), one statement per kind that there
    is, with what they lie in and where they are from; `brief` ones have what a hit tells and no more. Those
    that are gone are missing."""
    ids: dict[str, list[uuid.UUID]] = {}
    for each in entries:
        ids.setdefault(each.kind, []).append(each.record_id)
    found: dict[uuid.UUID, Any] = {}
    for kind, wanted in ids.items():
        model, around = HOLDERS[kind]
        rows = model._default_manager.all()
        rows = rows.select_related(*around) if around else rows
        found |= (rows.only(*BRIEF[kind]) if brief and kind in BRIEF else rows).in_bulk(wanted)
    _note_followers([each for each in found.values() if isinstance(each, BlockVersion)])
    return found


def texts_of(entries: Sequence[IndexEntry]) -> dict[uuid.UUID, str]:
    """The own text of each entry, by the entry's id. Those whose record is gone are missing."""
    records = records_of(entries)
    return {
        each.id: text_of(each.kind, records[each.record_id]) for each in entries if each.record_id in records
    }


def text_of(kind: str, record: Any) -> str:
    """The own text of a record."""
    if kind == IndexEntry.Kind.SKILL:
        return f"{record.name}. {record.description}\n{record.content}"
    if kind == IndexEntry.Kind.BLOCK:
        return record.value if record.follower is None else left(record.value, record.follower.value)
    return str(record.content)


def left(before: str, after: str) -> str:
    """The lines of a block's text that are not in the text after it."""
    kept = {line.strip() for line in after.splitlines()}
    return "\n".join(line for line in before.splitlines() if line.strip() and line.strip() not in kept)


def _note_followers(versions: list[BlockVersion]) -> None:
    """Each version with the one that followed it, as `follower`; None for a head."""
    if not versions:
        return
    rows = BlockVersion.objects.filter(supersedes_id__in=[each.id for each in versions])
    after = {each.supersedes_id: each for each in rows}
    for each in versions:
        each.follower = after.get(each.id)  # type: ignore[attr-defined]
