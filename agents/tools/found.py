"""What a search found, as models read it: each hit with where it is from, as many as fit the budget."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from agents.context.clipping import Clipper
from agents.context.tokens import tokenizer_of
from agents.models import Agent
from memory.retrieval import Hit, Notice, Page, Parts

# What one search may put into a window, in tokens: this share of it, and never more than that.
SHARE, MOST = 5, 8_000
# Where not all texts fit whole, a single one takes at most this share of the budget.
SHARE_OF_ONE = 3
NAMED_MOST = 20
TOKENS_OF_A_NAME = 45
NOTICES = {
    "words_only": "Meaning could not be searched just now: these hits share words with the query.",
    "partly_embedded": "Some texts are too new to be found by meaning yet; they are found by their words.",
    "rerank_failed": "The second ranking did not answer; this is the order of the first.",
}

LEFT = "abandoned: the chat went another way before this; it may not hold"

Record = dict[str, Any]


def answer(
    found: Page, origins: Mapping[uuid.UUID, Record], agent: Agent, notices: Iterable[str] = (), **more: Any
) -> tuple[Record, list[Hit]]:
    """A search's result, and the hits whose texts it shows. What does not fit the budget is named."""
    records = [_record(hit, origins.get(hit.id, {})) for hit in found.hits]
    shown, named = fit(records, agent)
    result: Record = {"status": "ok", "results": shown, **more, "total": found.total}
    if told := [*map(said, found.notices), *notices]:
        result["notice"] = told
    if named:
        result["left_out"] = [_name(record) for record in named[:NAMED_MOST]]
    return result, found.hits[: len(shown)]


def told(query: str, found: Page, shown: Sequence[Hit]) -> Record:
    """What pages tell of a search beside its result: each hit by its id, with its score and parts."""
    seen = {hit.id for hit in shown}
    hits = [
        {
            "kind": hit.kind,
            "id": str(hit.id),
            "score": round(hit.score, 4),
            "parts": _parts(hit.parts),
            "is_shown": hit.id in seen,
        }
        for hit in found.hits
    ]
    return {"query": query, "hits": hits}


def _parts(parts: Parts) -> Record:
    return {name: round(value, 4) for name, value in vars(parts).items() if isinstance(value, float)}


def fit(records: Sequence[Record], agent: Agent) -> tuple[list[Record], list[Record]]:
    """The records that fit what a search may take, at least one; and the rest, to be named.

    Texts stay whole where all of them fit. Else long ones are clipped, with the way to the rest.
    """
    counter = tokenizer_of(agent.model)
    budget = min(agent.window_size // SHARE, MOST)

    def size(record: Record) -> int:
        return counter.count(json.dumps(record, ensure_ascii=False))

    if sum(map(size, records)) <= budget:
        return list(records), []
    clip = Clipper(budget // SHARE_OF_ONE, counter)
    clipped = [record | {"content": clip(record["content"], record["id"])} for record in records]
    room = budget - TOKENS_OF_A_NAME * min(len(records), NAMED_MOST)
    count = used = 0
    for record in clipped:
        used += size(record)
        if count and used > room:
            break
        count += 1
    return clipped[:count], clipped[count:]


def said(notice: Notice) -> str:
    """What a search has to say of itself, in words for a model."""
    return NOTICES.get(notice.code, notice.code)


def shown(when: datetime) -> str:
    """A moment as models read it, in the person's zone."""
    return timezone.localtime(when.astimezone(UTC)).strftime("%Y-%m-%d %H:%M")


def _record(hit: Hit, origin: Record) -> Record:
    record = {"id": str(hit.id), **origin, "date": shown(hit.occurred_at)}
    if hit.is_abandoned:
        record["branch"] = LEFT
    elif not hit.is_current:
        record["no_longer_true_since"] = shown(hit.valid_to) if hit.valid_to else "unknown"
    if hit.contradicts:
        record["contradicts"] = [str(each) for each in hit.contradicts]
    if hit.duplicates:
        record["said_alike"] = len(hit.duplicates) + 1
    return record | {"content": hit.text}


def _name(record: Record) -> Record:
    return {name: record[name] for name in ("id", "from", "date") if name in record}
