"""Whether search finds a passage: said by passage, document and archive, and written to the index.

Nothing else sets the state of a passage's entry once it is written.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django.db import connection

from memory.index.announcing import announce
from tenants.scope import current_scope

# Deleted, or part of a document that is not ready, deleted or cancelled: not found at all. Corrected, or of a
# document that was read anew: found as what it was.
# The rows are locked in the order of `memory.index.states` before the first of them is written.
SHOW = """
WITH held AS (
  SELECT e.id, told.state, told.valid_to
  FROM (SELECT p.id, p.valid_to, CASE
          WHEN p.retired_at IS NOT NULL OR a.retired_at IS NOT NULL OR d.retired_at IS NOT NULL
            OR d.status <> 'ready' THEN 'hidden'
          WHEN p.valid_to IS NOT NULL THEN 'superseded' ELSE 'current' END AS state
        FROM memory_passage p
        JOIN memory_archive a ON a.tenant_id = p.tenant_id AND a.id = p.archive_id
        LEFT JOIN memory_document d ON d.tenant_id = p.tenant_id AND d.id = p.document_id
        WHERE p.tenant_id = %(tenant)s AND p.workspace_id = ANY (%(workspaces)s)
          AND p.{column} = ANY (%(ids)s)) told
  JOIN memory_indexentry e ON e.tenant_id = %(tenant)s AND e.workspace_id = ANY (%(workspaces)s)
    AND e.kind = 'passage' AND e.record_id = told.id
  WHERE (e.state, e.valid_to) IS DISTINCT FROM (told.state, told.valid_to)
  ORDER BY e.id FOR NO KEY UPDATE OF e)
UPDATE memory_indexentry e SET state = held.state, valid_to = held.valid_to
FROM held
WHERE e.tenant_id = %(tenant)s AND e.workspace_id = ANY (%(workspaces)s) AND e.id = held.id
RETURNING e.workspace_id
"""


def show_passages(ids: Collection[uuid.UUID]) -> int:
    """Write the states of these passages; answers how many changed."""
    return _show("id", ids)


def show_documents(ids: Collection[uuid.UUID]) -> int:
    """Write the states of the passages of documents; answers how many changed."""
    return _show("document_id", ids)


def show_archive(archive_id: uuid.UUID) -> int:
    """Write the states of an archive's passages; answers how many changed."""
    return _show("archive_id", [archive_id])


def _show(column: str, ids: Collection[uuid.UUID]) -> int:
    held = current_scope()
    asked: dict[str, Any] = {"tenant": held.tenant_id, "workspaces": list(held.workspaces), "ids": list(ids)}
    with connection.cursor() as cursor:
        cursor.execute(SHOW.format(column=column), asked)
        changed = [workspace_id for (workspace_id,) in cursor.fetchall()]
    announce({(held.tenant_id, workspace_id) for workspace_id in changed})  # what was hidden has no vector
    return len(changed)
