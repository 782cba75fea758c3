"""From ranked candidates to hits: the texts of the winners, sifted as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from memory.index.texts import records_of, text_of
from memory.models import BlockVersion, Message, Passage, Skill, Summary
from memory.retrieval.fusion import Ranked
from memory.retrieval.records import Hit
from memory.retrieval.sifting import Statement, says_the_same

READ_AT_ONCE = 5
"""So many records are read beyond those that are needed, for those that repeat others."""


def hits_of(ranked: Sequence[Ranked], wanted: int) -> list[Hit]:
    """The first hits of an order, at most `wanted`: texts that say the same are one hit, the best placed."""
    found: list[tuple[Hit, Statement]] = []
    for each in _read(ranked, wanted):
        said = Statement(each.text)
        same = next((first for first, words in found if _repeats(each, said, first, words)), None)
        if same is not None:
            same.duplicates.append(each.id)
        elif len(found) < wanted:
            found.append((each, said))
        else:
            break
    return [each for each, _ in found]


def each_of(ranked: Sequence[Ranked]) -> list[Hit]:
    """A hit for each of an order, also where texts say the same: in a list by time each row has its place."""
    return list(_read(ranked, len(ranked)))


def _repeats(hit: Hit, said: Statement, first: Hit, words: Statement) -> bool:
    """Whether a hit says what another one says; what is no longer current never stands for what is."""
    return hit.state == first.state and (said.text == words.text or says_the_same(said, words))


def _read(ranked: Sequence[Ranked], wanted: int) -> Iterator[Hit]:
    """Hits in order, so many at a time as are likely to be needed."""
    place, size = 0, wanted + READ_AT_ONCE
    while place < len(ranked):
        part = ranked[place : place + size]
        records = records_of((each.candidate for each in part), brief=True)
        yield from (
            hit(each, records[each.candidate.record_id])
            for each in part
            if each.candidate.record_id in records
        )
        place, size = place + size, READ_AT_ONCE


def hit(ranked: Ranked, record: Any) -> Hit:
    """One candidate with its record."""
    row = ranked.candidate
    place = _place(record) if isinstance(record, Passage) else {}
    return Hit(
        id=row.record_id,
        kind=row.kind,
        container_id=row.container_id,
        workspace_id=row.workspace_id,
        text=text_of(row.kind, record),
        role=row.role,
        occurred_at=row.occurred_at,
        score=ranked.score,
        speaker=row.speaker,
        valid_to=row.valid_to,
        state=row.state,
        trust=row.trust,
        importance=row.importance,
        tags=list(row.tags),
        parts=ranked.parts,
        source=getattr(record, "source", None),
        place=row.place,
        external_id=getattr(record, "external_id", ""),
        number=record.number if isinstance(record, BlockVersion) else None,
        title=_title(record),
        last_accessed_at=row.accessed_at,
        **place,
    )


def _place(passage: Passage) -> dict[str, Any]:
    """Where a passage stands in its document, if it is of one."""
    return {
        "document_id": passage.document_id,
        "page": passage.page,
        "page_to": passage.page_to or passage.page,
        "headings": passage.headings,
    }


def _title(record: Any) -> str:
    """What a record is called, or what it lies in."""
    if isinstance(record, Passage):
        return str(record.document.name if record.document_id else record.archive.name)
    if isinstance(record, BlockVersion):
        return str(record.block.label)
    if isinstance(record, Message | Summary):
        return str(record.conversation.title)
    return str(record.name) if isinstance(record, Skill) else ""
