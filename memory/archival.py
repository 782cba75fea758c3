"""Archival storage: passages in archives."""

from __future__ import annotations

import uuid

from memory import index, provenance
from memory.actors import Actor
from memory.models import Archive, Passage, Source

PASSAGE_MAX = 20_000
TAGS_MAX = 20


class BadPassage(Exception):
    """A passage cannot be stored like this."""


def create_archive(*, workspace_id: uuid.UUID, name: str) -> Archive:
    """An empty archive in a workspace."""
    return Archive.objects.create(workspace_id=workspace_id, name=name)


def insert_passage(
    archive: Archive, *, content: str, tags: list[str], actor: Actor, source: Source | None = None
) -> Passage:
    """Store a passage and make it findable. Raises BadPassage with what is wrong."""
    if not content.strip():
        raise BadPassage("There is nothing to store: the content is empty.")
    if len(content) > PASSAGE_MAX:
        raise BadPassage(
            f"A passage has at most {PASSAGE_MAX} characters; this one has {len(content)}. Split it."
        )
    if len(tags) > TAGS_MAX or any(not tag.strip() or len(tag) > 64 for tag in tags):
        raise BadPassage(f"A passage has at most {TAGS_MAX} tags of 1 to 64 characters each.")
    if source is None:
        source = provenance.source_of_person(archive.workspace_id, actor.id)
    passage = Passage.objects.create(
        workspace_id=archive.workspace_id,
        archive=archive,
        content=content,
        tags=[tag.strip() for tag in tags],
        actor_kind=actor.kind,
        actor_id=actor.id,
        source=source,
    )
    if source.kind == Source.Kind.MESSAGE:
        parent = (source.kind, uuid.UUID(source.reference))
        provenance.derive(archive.workspace_id, parents=[parent], child=("passage", passage.id))
    index.index_passage(passage)
    return passage
