"""What else an archive says of the same."""

from __future__ import annotations

import uuid

from memory import retrieval
from memory.models import IndexEntry, Passage
from memory.retrieval import BadQuery, Filters, Hit
from memory.retrieval.filters import QUERY_MAX

LOOKED_AT = 50
"""So many that are near are looked at."""
WORDS, SHARE = 2, 0.2
"""Passages are alike where one has two of the other's words, or so large a share of them, each weighted by
how rare it is. Nearness in meaning orders them, and cannot tell where likeness ends: of any rows some are the
nearest."""


def similar_passages(passage_id: uuid.UUID, *, limit: int = 10) -> list[Hit]:
    """The passages of the same workspace that are like one (see WORDS), best first; none where none is.

    Raises Passage.DoesNotExist.
    """
    passage = Passage.objects.get(id=passage_id)
    filters = Filters(
        kinds=[IndexEntry.Kind.PASSAGE], workspaces=[passage.workspace_id], without=[passage.id]
    )
    query = passage.content.strip()[:QUERY_MAX]
    try:
        found = retrieval.search(query, filters, limit=max(limit, LOOKED_AT), record_access=False).hits
    except BadQuery:  # a text without a word is like nothing
        return []
    return [hit for hit in found if _is_like(hit)][:limit]


def _is_like(hit: Hit) -> bool:
    return len(hit.parts.words) >= WORDS or (hit.parts.lexical or 0.0) >= SHARE
