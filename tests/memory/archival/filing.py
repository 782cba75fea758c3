"""Archives and passages for the tests here, made as people and agents make them."""

import uuid
from typing import Any

from memory import archival, core, retrieval
from memory.actors import Actor, ActorKind
from memory.models import Archive, IndexEntry, Passage
from memory.retrieval import Filters
from tests.cast import Person

AGENT = Actor(ActorKind.AGENT, uuid.UUID("6a0e4a3c-0d0f-4f5e-9a53-1f1f5f0c7d12"), "Memo")


def new_archive(person: Person, home: uuid.UUID | None = None, name: str = "notes") -> Archive:
    with person.scope():
        return archival.create_archive(workspace_id=home or person.personal, name=name)


def file(person: Person, archive: Archive, content: str, *tags: str, **fields: Any) -> Passage:
    """A passage by a person's hand."""
    with person.scope():
        return archival.insert_passage(archive, content=content, tags=tags, actor=core.by_me(), **fields)


def file_as_agent(person: Person, archive: Archive, content: str, *tags: str) -> Passage:
    """A passage by the hand of an agent that works for a person."""
    with person.scope():
        return archival.insert_passage(archive, content=content, tags=tags, actor=AGENT)


def found(person: Person, query: str, **conditions: Any) -> list[str]:
    """The texts of passages that a person finds, sorted."""
    filters = Filters(kinds=[IndexEntry.Kind.PASSAGE], **conditions)
    with person.scope():
        return sorted(hit.text for hit in retrieval.search(query, filters).hits)


def state_of(person: Person, passage: Passage) -> str:
    """What the index says of a passage."""
    with person.scope():
        return str(IndexEntry.objects.get(kind="passage", record_id=passage.id).state)
