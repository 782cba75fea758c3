"""Tools over archival storage."""

from __future__ import annotations

from typing import Any, Literal

from agents import archives, retrieval
from agents.context import attached
from agents.core_memory import blocks_in_view
from agents.tools import found, origins
from agents.tools.base import ToolContext, ToolError, tool
from agents.tools.recall import asked, bounded, moment
from memory.archival import BadPassage, NewPassage, insert_passages
from memory.models import Trust

IMPORTANCE_MOST = 10
KNOWN = "The archive has this text already; nothing was added twice."
KNOWN_WITH_TAGS = "The archive has this text already; its new tags were added to it."


@tool
def archival_memory_insert(
    context: ToolContext,
    content: str,
    tags: list[str] | None = None,
    importance: int | None = None,
) -> dict[str, Any]:
    """Store a passage in the archive, for what matters but need not be in view.

    Args:
        content: The passage, understandable on its own.
        tags: A few words to find it by.
        importance: 1 (everyday) to 10 (decisive).
    """
    archive = archives.archive_for(context.agent, context.conversation.workspace_id)
    weight = bounded(importance, IMPORTANCE_MOST // 2, IMPORTANCE_MOST) / IMPORTANCE_MOST
    new = NewPassage(
        content=content,
        tags=tags or [],
        importance=weight,
        trust=min(Trust.DERIVED, context.trust_in_window()),
    )
    try:
        (passage,) = insert_passages(
            archive, [new], actor=context.actor, source=context.source(archive.workspace_id)
        )
    except BadPassage as error:
        raise ToolError(str(error)) from None
    context.written.append(passage)
    known = KNOWN_WITH_TAGS if passage.has_new_tags else KNOWN
    notice = {"notice": known} if passage.is_known else {}
    return {"status": "ok", "id": str(passage.id), **notice}


@tool
def archival_memory_search(
    context: ToolContext,
    query: str,
    tags: list[str] | None = None,
    tag_match_mode: Literal["any", "all", "none"] = "any",
    top_k: int | None = None,
    start_datetime: str | None = None,
    end_datetime: str | None = None,
    history: bool = False,
) -> dict[str, Any]:
    """Search the archive: what was filed, and documents.

    Args:
        query: Words to look for; empty lists the newest.
        tags: Only passages with these tags.
        tag_match_mode: "any", "all" or "none" of the tags.
        top_k: How many at most, 1 to 50.
        start_datetime: Only from this moment on, ISO 8601.
        end_datetime: Only up to this moment, ISO 8601.
        history: Also what is no longer true.
    """
    hits = asked(
        lambda: retrieval.search_passages(
            context.agent,
            query,
            limit=bounded(top_k, retrieval.LIMIT, 50),
            tags=tags,
            tag_mode=tag_match_mode,
            since=moment(start_datetime, end=False),
            until=moment(end_datetime, end=True),
            blocks=_blocks(context) if history else None,
            stage=context.second_stage(),
        )
    )
    result, shown = found.answer(hits, origins.of_passages(hits.hits), context.agent, _unread(context))
    context.detail |= found.told(query, hits, shown)
    context.show(hit.trust for hit in shown)
    return result


def _blocks(context: ToolContext) -> list[Any]:
    turn = context.turn
    seen = blocks_in_view(context.agent, turn.user_id, context.conversation.workspace_id, turn.reach)
    return [block.block_id for block in seen if not block.is_lent]


def _unread(context: ToolContext) -> list[str]:
    """What the search cannot have found yet: documents of this chat that are still being read."""
    names = attached.unread(attached.documents_of(context.conversation.id))
    return [f"{name} is still being read; search again later." for name in names]
