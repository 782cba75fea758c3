"""Where remembered things come from, and what was made of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from memory.models import Derivation, Message, Source


def source_of_message(message: Message, workspace_id: uuid.UUID | None = None) -> Source:
    """The source that a message is, made on first use; in another workspace for what is written there."""
    found, _ = Source.objects.get_or_create(
        workspace_id=workspace_id or message.workspace_id,
        kind=Source.Kind.MESSAGE,
        reference=str(message.id),
        defaults={"occurred_at": message.created_at},
    )
    return found


def source_of_person(workspace_id: uuid.UUID, user_id: uuid.UUID | None) -> Source:
    """The source of what a person wrote by hand, in a page or over the API."""
    found, _ = Source.objects.get_or_create(
        workspace_id=workspace_id, kind=Source.Kind.PERSON, reference=reference_of(user_id)
    )
    return found


def source_of_document(workspace_id: uuid.UUID, document_id: uuid.UUID, name: str) -> Source:
    """The source that a document is."""
    return Source.objects.create(
        workspace_id=workspace_id, kind=Source.Kind.DOCUMENT, reference=str(document_id), title=name[:300]
    )


def reference_of(user_id: uuid.UUID | None) -> str:
    """How a source names a person, or nobody."""
    return str(user_id or "system")


def derive(
    workspace_id: uuid.UUID, *, parents: Iterable[tuple[str, uuid.UUID]], child: tuple[str, uuid.UUID]
) -> None:
    """Write that `child` was made of `parents`; each is (kind, id)."""
    _write(workspace_id, [(parent, child) for parent in parents])


def derive_all(
    workspace_id: uuid.UUID, *, parent: tuple[str, uuid.UUID], children: Iterable[tuple[str, uuid.UUID]]
) -> None:
    """Write that each of `children` was made of `parent`; each is (kind, id)."""
    _write(workspace_id, [(parent, child) for child in children])


def _write(
    workspace_id: uuid.UUID, pairs: Iterable[tuple[tuple[str, uuid.UUID], tuple[str, uuid.UUID]]]
) -> None:
    Derivation.objects.bulk_create(
        [
            Derivation(
                workspace_id=workspace_id,
                parent_kind=parent[0],
                parent_id=parent[1],
                child_kind=child[0],
                child_id=child[1],
            )
            for parent, child in pairs
        ],
        ignore_conflicts=True,
    )
