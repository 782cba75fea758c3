"""Tools over archival storage."""

from __future__ import annotations

from typing import Any, Literal

from agents import archives
from agents.tools.base import ToolContext, ToolError, tool
from agents.tools.recall import LIMIT, bounded, excerpt, moment, search, shown
from memory import archival, retrieval
from memory.models import IndexEntry


@tool
def archival_memory_insert(
    context: ToolContext, content: str, tags: list[str] | None = None
) -> dict[str, Any]:
    """Store a passage in the archive, for what matters but need not be in view.

    Args:
        content: The passage, understandable on its own.
        tags: A few words to find it by.
    """
    archive = archives.archive_for(context.agent, context.conversation.workspace_id)
    try:
        passage = archival.insert_passage(
            archive,
            content=content,
            tags=tags or [],
            actor=context.actor,
            source=context.source(archive.workspace_id),
        )
    except archival.BadPassage as error:
        raise ToolError(str(error)) from None
    context.written.append(passage)
    return {"status": "ok", "id": str(passage.id)}


@tool
def archival_memory_search(
    context: ToolContext,
    query: str,
    tags: list[str] | None = None,
    tag_match_mode: Literal["any", "all"] = "any",
    top_k: int | None = None,
    start_datetime: str | None = None,
    end_datetime: str | None = None,
) -> dict[str, Any]:
    """Search the archive.

    Args:
        query: Words to look for; empty lists the newest.
        tags: Only passages with these tags.
        tag_match_mode: "any" or "all" of the tags.
        top_k: How many at most, 1 to 50.
        start_datetime: Only from this moment on, ISO 8601.
        end_datetime: Only up to this moment, ISO 8601.
    """
    filters = retrieval.Filters(
        kinds=[IndexEntry.Kind.PASSAGE],
        containers=archives.archives_in_view(context.agent),
        tags=tags or None,
        all_tags=tag_match_mode == "all",
        since=moment(start_datetime, end=False),
        until=moment(end_datetime, end=True),
    )
    found = search(query, filters, bounded(top_k, LIMIT, 50), 0)
    results = [
        {
            "id": str(hit.id),
            "content": excerpt(hit.text),
            "tags": hit.tags,
            "date": shown(hit.occurred_at),
            "source": str(hit.source_id),
        }
        for hit in found.hits
    ]
    return {"status": "ok", "results": results, "total": found.total}
