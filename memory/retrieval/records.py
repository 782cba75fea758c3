"""What a search answers: hits with their texts, which are read for the winners alone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from memory.models import IndexEntry, Source


@dataclass(frozen=True)
class Parts:
    """Why a hit stands where it does: each part normalised to 0 to 1, None where it was not asked for.

    `lexical` and `context` are one signal in two parts, with one weight: what its own words give, and what
    the words around it do (messages before and after, headings, tags). `firsthand` is 1 for what no model
    said. `company` is how well the best hits of the same chat or archive match. `words` are the query's words
    in its own text.
    """

    lexical: float | None = None
    vector: float | None = None
    speaker: float | None = None
    date: float | None = None
    context: float | None = None
    recency: float | None = None
    importance: float | None = None
    firsthand: float | None = None
    company: float | None = None
    rerank: float | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """One record that was found, with where it is from and when.

    `number` is the version of a block, `place` a message's position or a passage's among its document's.
    `page` and `page_to` are the first and the last page on which a passage stands; the same where it is one.
    `title` names what the record lies in. `duplicates` are records that say the same, `contradicts` hits of
    the same page that say otherwise.
    """

    id: uuid.UUID
    kind: str
    container_id: uuid.UUID
    workspace_id: uuid.UUID
    text: str
    role: str
    occurred_at: datetime
    score: float
    speaker: str = ""
    valid_to: datetime | None = None
    state: str = IndexEntry.State.CURRENT.value
    trust: int = 3
    importance: float = 0.5
    tags: list[str] = field(default_factory=list)
    parts: Parts = Parts()
    source: Source | None = None
    document_id: uuid.UUID | None = None
    page: int | None = None
    page_to: int | None = None
    headings: list[str] = field(default_factory=list)
    place: int | None = None
    external_id: str = ""
    number: int | None = None
    title: str = ""
    duplicates: list[uuid.UUID] = field(default_factory=list)
    contradicts: list[uuid.UUID] = field(default_factory=list)
    last_accessed_at: datetime | None = None

    @property
    def is_current(self) -> bool:
        """Whether it stands: it was not superseded, and its branch was not left."""
        return self.state == IndexEntry.State.CURRENT

    @property
    def is_abandoned(self) -> bool:
        """Whether it was said on a branch of a chat that was left."""
        return self.state == IndexEntry.State.ABANDONED


@dataclass(frozen=True)
class Notice:
    """Something about a search that whoever asked should know: "words_only", "partly_embedded",
    "meaning_only" (nothing has any of the words), "rerank_failed"."""

    code: str


@dataclass(frozen=True)
class LeftOut:
    """A hit that did not fit the token budget: enough to name it, and to read it by its id."""

    id: uuid.UUID
    kind: str
    title: str


@dataclass(frozen=True)
class Page:
    """A page of hits, and how many there are in all; `worded` of them have any of the query's words, the
    others are near in meaning. `is_capped` where counting stopped before the end."""

    hits: list[Hit]
    total: int
    is_capped: bool = False
    worded: int = 0
    notices: list[Notice] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
