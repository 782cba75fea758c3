"""Archives, passages and documents for tests of their pages."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from memory import archival, core
from memory.archival import NewPassage
from memory.documents import services
from memory.models import Archive, Document, Passage
from tests.cast import Person


def new_archive(person: Person, name: str = "Notes", workspace_id: uuid.UUID | None = None) -> Archive:
    """An archive in a workspace, the person's own if none is named."""
    with person.scope():
        return archival.create_archive(workspace_id=workspace_id or person.personal, name=name)


def file(person: Person, archive: Archive, *texts: str, **fields: Any) -> list[Passage]:
    """Passages that a person files by hand."""
    with person.scope():
        return archival.insert_passages(
            archive, [NewPassage(text, **fields) for text in texts], actor=core.by_me()
        )


def correct(person: Person, passage: Passage, text: str) -> Passage:
    with person.scope():
        newest = archival.newest_of(Passage.objects.get(id=passage.id))
        return archival.correct_passage(newest.id, text, actor=core.by_me(), expected_version=newest.version)


def upload(person: Person, archive: Archive, name: str, text: str | bytes) -> Document:
    """A document that waits to be read."""
    data = text.encode() if isinstance(text, str) else text
    with person.scope():
        return services.upload(archive.id, name, data, actor=core.by_me())


def home(person: Person, rest: str = "", workspace_id: uuid.UUID | None = None) -> str:
    """An address in a workspace, the person's own if none is named."""
    return f"/w/{workspace_id or person.personal}/{rest}"


def now_of(person: Person, passage: Passage) -> Passage:
    """A passage as it stands in the database."""
    with person.scope():
        return Passage.objects.get(id=passage.id)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
