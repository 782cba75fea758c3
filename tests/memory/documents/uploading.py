"""Documents for the tests here: uploaded by people, and read in this process where a test wants that."""

import uuid
from typing import Any

from memory import archival, core, retrieval
from memory.documents import pipeline, services
from memory.models import Archive, Document, IndexEntry, Passage
from memory.retrieval import Filters
from tests.cast import Person

NOTES = b"""# Garden

## Fair

The fair is in May. Bring the zebra boxes.

## Rain

It rained on 3 May 2024, and the barrel is full.
"""


def new_archive(person: Person, home: uuid.UUID | None = None) -> Archive:
    with person.scope():
        return archival.create_archive(workspace_id=home or person.personal, name="papers")


def upload(
    person: Person, archive: Archive, data: bytes = NOTES, name: str = "garden.md", **options: Any
) -> Document:
    with person.scope():
        return services.upload(archive.id, name, data, actor=core.by_me(), **options)


def read(document: Document) -> None:
    """A worker's whole work on a document, here and now."""
    pipeline.read(document.tenant_id, document.workspace_id, document.id)


def uploaded(person: Person, archive: Archive, data: bytes = NOTES, name: str = "garden.md") -> Document:
    """A document that was read; as it is then."""
    document = upload(person, archive, data, name)
    read(document)
    return fresh(person, document)


def fresh(person: Person, document: Document) -> Document:
    with person.scope():
        return Document.objects.get(id=document.id)


def passages(person: Person, document: Document) -> list[Passage]:
    with person.scope():
        return list(Passage.objects.filter(document=document).order_by("place"))


def found(person: Person, query: str, **conditions: Any) -> list[str]:
    """The texts that a person finds in documents and elsewhere."""
    with person.scope():
        filters = Filters(kinds=[IndexEntry.Kind.PASSAGE], **conditions)
        return [hit.text for hit in retrieval.search(query, filters).hits]
