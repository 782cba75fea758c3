"""Files that a person gives along with a message: read into the archive of the chat's agent.

They are uploaded while the message is still being written; `give` says with which message they came.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable

from agents import archives
from agents.models import Agent, Turn
from memory import core
from memory.actors import ActorKind
from memory.documents import services
from memory.models import Document
from tenants.permissions import require_role
from tenants.scope import current_scope

AT_ONCE = 20


def take(agent: Agent, workspace_id: uuid.UUID, name: str, data: bytes) -> Document:
    """A file for a chat with an agent in a workspace; the same file again is the same document.

    Raises NotAllowed, and what `memory.documents.services.upload` raises.
    """
    require_role(workspace_id, "member")
    archive = archives.archive_for(agent, workspace_id)
    return services.upload(archive.id, name, data, actor=core.by_me())


def give(turn: Turn, document_ids: Collection[uuid.UUID]) -> None:
    """Write that documents came with a turn's message: those of its workspace that the present person has
    uploaded, and that came with no message yet."""
    if document_ids:
        rows = Document.objects.filter(id__in=list(document_ids)[:AT_ONCE], workspace_id=turn.workspace_id)
        mine = rows.filter(actor_kind=ActorKind.USER, actor_id=current_scope().user_id, message_id=None)
        mine.update(conversation_id=turn.conversation_id, message_id=turn.message_id)


def carry_over(from_id: uuid.UUID, to_id: uuid.UUID) -> None:
    """What came with a message came with the one that stands in its place now."""
    Document.objects.filter(message_id=from_id).update(message_id=to_id)


def by_message(message_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, list[Document]]:
    """The documents that came with each of these messages, in their order; deleted ones are left out."""
    found: dict[uuid.UUID, list[Document]] = defaultdict(list)
    rows = Document.objects.filter(message_id__in=list(message_ids), retired_at=None)
    for each in rows.order_by("created_at", "id"):
        if each.message_id:
            found[each.message_id].append(each)
    return found
