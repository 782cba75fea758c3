"""What a search is asked for: conditions that hold before anything is ranked, and what counts how much."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from memory.models import IndexEntry

QUERY_MAX = 1000
LIMIT_MAX = 100
CURRENT = IndexEntry.State.CURRENT.value
SUPERSEDED = IndexEntry.State.SUPERSEDED.value
ABANDONED = IndexEntry.State.ABANDONED.value
SEARCHED_STATES = frozenset({CURRENT, SUPERSEDED, ABANDONED})
TagMode = Literal["any", "all", "none"]


class BadQuery(Exception):
    """A search needs words: letters, digits or characters, at most 1,000 of them."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.__doc__)


@dataclass(frozen=True)
class Weights:
    """What counts how much in a score, beside one another: words, meaning, importance, recency."""

    lexical: float = 1.0
    vector: float = 0.7
    importance: float = 0.3
    recency: float = 0.1


@dataclass(frozen=True)
class Filters:
    """Conditions before ranking. None is no condition; an empty collection means that nothing is allowed.

    `as_of` asks for what was valid at that moment, rows that were superseded since included. `states` may
    name superseded rows too, and what was said on branches of chats that were left; hidden and expired ones
    are never found. `before` is the id of an index entry: what was written later is left out, so that the
    pages of one search fit together.
    """

    kinds: Collection[str] | None = None
    containers: Collection[uuid.UUID] | None = None
    workspaces: Collection[uuid.UUID] | None = None
    roles: Collection[str] | None = None
    speakers: Collection[str] | None = None
    documents: Collection[uuid.UUID] | None = None
    tags: Collection[str] | None = None
    tag_mode: TagMode = "any"
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    states: Collection[str] = (CURRENT,)
    min_trust: int | None = None
    without: Collection[uuid.UUID] = ()
    before: uuid.UUID | None = None

    def asked(self) -> dict[str, Any]:
        """The conditions as `search_entries` takes them: JSON, without those that are none."""
        lists = ("kinds", "containers", "workspaces", "roles", "speakers", "documents", "tags")
        found: dict[str, Any] = {name: _listed(getattr(self, name)) for name in lists}
        found |= {name: _text(getattr(self, name)) for name in ("since", "until", "as_of", "before")}
        found |= {
            "tag_mode": self.tag_mode,
            "states": _listed(SEARCHED_STATES & set(self.states)),
            "min_trust": self.min_trust,
            "without": _listed(self.without) or None,
        }
        return {name: value for name, value in found.items() if value is not None}


def _listed(values: Collection[Any] | None) -> list[str] | None:
    return None if values is None else sorted(map(str, values))


def _text(value: datetime | uuid.UUID | None) -> str | None:
    return None if value is None else str(value)
