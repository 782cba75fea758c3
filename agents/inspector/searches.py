"""What the tools of a turn looked up, and what they found: with scores, as far as it is in sight today."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Left

from agents.models import Step
from memory.models import BlockVersion, IndexEntry, Message, Passage, Summary

SHOWN = 160


@dataclass(frozen=True)
class Found:
    """A record that a search showed the model, or only named, with its score and what that is made of. `text`
    is its beginning, and `workspace_id` where it lies; empty where it is out of sight or gone. `is_deleted`
    says that it was put away since: its text is kept, and no search finds it."""

    kind: str
    id: uuid.UUID
    score: float
    parts: Mapping[str, Any]
    is_shown: bool
    text: str = ""
    workspace_id: uuid.UUID | None = None
    is_deleted: bool = False


@dataclass(frozen=True)
class Search:
    """A search that a tool made: what it asked for, and what it found, by score; in the order of its second
    stage, where it had one."""

    message_id: uuid.UUID
    tool: str
    query: str
    found: tuple[Found, ...]


def searches_before(step: Step) -> list[Search]:
    """What the tools of a step's turn had looked up before it: what it knew from searching."""
    rows = Message.objects.filter(
        turn_id=step.turn_id, role=Message.Role.TOOL, created_at__lte=step.created_at
    )
    return searches_of(rows.order_by("position"))


def searches_of(results: Iterable[Message]) -> list[Search]:
    """The searches among results of tools. What was found is read as it stands now, by whoever asks."""
    searched = [each for each in results if "hits" in each.detail]
    hits = [hit for each in searched for hit in each.detail["hits"]]
    known = _known((hit["kind"], uuid.UUID(hit["id"])) for hit in hits)
    return [_search(each, known) for each in searched]


def _search(result: Message, known: Mapping[uuid.UUID, _Known]) -> Search:
    found = [_found(hit, known) for hit in result.detail["hits"]]
    if not any("rerank" in each.parts for each in found):
        found.sort(key=lambda each: -each.score)
    return Search(result.id, result.name, result.detail.get("query", ""), tuple(found))


def _found(hit: Mapping[str, Any], known: Mapping[uuid.UUID, _Known]) -> Found:
    key = uuid.UUID(hit["id"])
    beside = known.get(key, ("", None, False))
    return Found(hit["kind"], key, hit["score"], hit["parts"], hit["is_shown"], *beside)


def _known(records: Iterable[tuple[str, uuid.UUID]]) -> dict[uuid.UUID, _Known]:
    """The beginnings of records, where they lie and whether they were put away, as far as they are in sight
    and not erased. One query for each kind."""
    by_kind: dict[str, set[uuid.UUID]] = defaultdict(set)
    for kind, key in records:
        by_kind[kind].add(key)
    found: dict[uuid.UUID, _Known] = {}
    for kind, (model, column, kept, put_away) in _RECORDS.items():
        if keys := by_kind.get(kind):
            rows = model.objects.filter(id__in=keys, **kept).annotate(begins=Left(column, SHOWN))
            for key, text, home, when in rows.values_list("id", "begins", "workspace", put_away):
                found[key] = (text, home, when is not None)
    return found


_Known = tuple[str, uuid.UUID | None, bool]
_OF_CHAT = "conversation__deleted_at"
_STANDS = {_OF_CHAT: None}
# Where each kind of record is, the column that is read, what stands (a deleted chat is shown nowhere), and
# when it was put away.
_RECORDS: dict[str, tuple[Any, str, dict[str, Any], str]] = {
    IndexEntry.Kind.MESSAGE: (Message, "content", _STANDS, _OF_CHAT),
    IndexEntry.Kind.PASSAGE: (Passage, "content", {}, "retired_at"),
    IndexEntry.Kind.SUMMARY: (Summary, "content", _STANDS, _OF_CHAT),
    IndexEntry.Kind.BLOCK: (BlockVersion, "value", {}, "block__retired_at"),
}
