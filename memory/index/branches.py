"""What the index says of a chat's branches: it follows the messages. Nothing else sets this state."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import connection

from memory.index.messages import BEFORE, LOOKED_AT, is_findable
from memory.index.reindexing import reindex
from memory.models import IndexEntry, Message
from tenants.scope import current_scope

# What is hidden or superseded stays so. Two statements, each with plain joins: where another transaction has
# changed a row meanwhile, PostgreSQL reads the join again for it, and 18.6 dies of that over a UNION.
_WRITE = """
WITH held AS (
  SELECT e.id, m.is_abandoned FROM {records}
    AND e.tenant_id = %(tenant)s AND e.workspace_id = ANY (%(mine)s) AND e.container_id = %(chat)s
    AND e.state = CASE WHEN m.is_abandoned THEN 'current' ELSE 'abandoned' END
  ORDER BY e.id FOR NO KEY UPDATE OF e)
UPDATE memory_indexentry e SET state = CASE WHEN held.is_abandoned THEN 'abandoned' ELSE 'current' END
FROM held
WHERE e.tenant_id = %(tenant)s AND e.workspace_id = ANY (%(mine)s) AND e.id = held.id
"""
OF_MESSAGES = _WRITE.format(
    records="""memory_message m, memory_indexentry e
  WHERE m.tenant_id = %(tenant)s AND m.workspace_id = ANY (%(mine)s) AND m.conversation_id = %(chat)s
    AND e.kind = 'message' AND e.record_id = m.id"""
)
# A summary lies on the branch of the last message that it covers.
OF_SUMMARIES = _WRITE.format(
    records="""memory_summary s, memory_message m, memory_indexentry e
  WHERE s.tenant_id = %(tenant)s AND s.workspace_id = ANY (%(mine)s) AND s.conversation_id = %(chat)s
    AND m.tenant_id = s.tenant_id AND m.conversation_id = s.conversation_id AND m.position = s.to_position
    AND e.kind = 'summary' AND e.record_id = s.id"""
)


def show_branch(conversation_id: uuid.UUID, around: int | None = None) -> None:
    """Write which rows of a chat are of a branch that was left.

    The messages that were said last up to the position `around` get their neighbours' words anew: others
    follow them now.
    """
    held = current_scope()
    asked: dict[str, Any] = {"tenant": held.tenant_id, "mine": list(held.workspaces), "chat": conversation_id}
    with connection.cursor() as cursor:
        cursor.execute(OF_MESSAGES, asked)
        cursor.execute(OF_SUMMARIES, asked)
    if around:
        reindex(list(IndexEntry.objects.filter(kind="message", record_id__in=_last(conversation_id, around))))


def _last(conversation_id: uuid.UUID, position: int) -> list[uuid.UUID]:
    """The live messages up to a position whose neighbours may lie after it."""
    rows = Message.objects.filter(
        conversation_id=conversation_id, is_abandoned=False, position__lte=position
    ).order_by("-position")
    return [each.id for each in rows[:LOOKED_AT] if is_findable(each)][: len(BEFORE)]
