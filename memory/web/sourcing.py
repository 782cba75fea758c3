"""Where a remembered text comes from, as pages show it: in words, with the exact place."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from memory.models import Document, Passage, Source
from memory.web.presentation import message_of, messages_in_sight


@dataclass(frozen=True)
class ShownSource:
    """A source in words; `address` is its exact place, or empty where that is not in sight."""

    words: str
    address: str = ""
    icon: str = "info"


@dataclass(frozen=True)
class Sources:
    """The sources of everything that a page shows."""

    messages: set[str]
    documents: dict[uuid.UUID, Document]

    def of(self, passage: Passage) -> ShownSource:
        """Where a passage (with its `source`) comes from."""
        if passage.document_id:
            return self._of_document(passage)
        message = message_of(passage.source)
        if message:
            return self._of_message(passage, message)
        return ShownSource(_plain(passage.source), icon="user")

    def _of_document(self, passage: Passage) -> ShownSource:
        document = self.documents.get(passage.document_id) if passage.document_id else None
        if document is None:
            return ShownSource(_("a document that you do not see"), icon="file")
        address = part_of_document(document.workspace_id, document.id, passage.place)
        return ShownSource(in_document(document.name, passage), address, "file")

    def _of_message(self, passage: Passage, message: str) -> ShownSource:
        if message not in self.messages:
            return ShownSource(_("from a chat you do not see"), icon="chat")
        return ShownSource(_("a chat"), reverse("message", args=[passage.workspace_id, message]), "chat")


def sources_of(passages: Iterable[Passage]) -> Sources:
    """Look up what these passages (with their `source`) come from. Two queries at most."""
    rows = list(passages)
    named = {row.document_id for row in rows if row.document_id}
    found = Document.objects.filter(id__in=named).only("name", "workspace_id") if named else []
    return Sources(
        messages_in_sight(message_of(row.source) for row in rows), {each.id: each for each in found}
    )


def in_document(name: str, passage: Passage) -> str:
    """A document by name, with the page that is meant where it has pages."""
    if passage.page is None:
        return name
    if passage.page_to and passage.page_to != passage.page:
        said = _("%(name)s, pages %(page)s to %(page_to)s")
        return said % {"name": name, "page": passage.page, "page_to": passage.page_to}
    return _("%(name)s, page %(page)s") % {"name": name, "page": passage.page}


def part_of_document(workspace_id: uuid.UUID, document_id: uuid.UUID, place: int | None) -> str:
    """The address of a part of a document, among its other parts."""
    address = reverse("document", args=[workspace_id, document_id])
    return f"{address}?at={place or 0}#part-{place or 0}"


def _plain(source: Source | None) -> str:
    kind = source.kind if source else ""
    words = {
        Source.Kind.PERSON: _("by hand"),
        Source.Kind.API: _("over the API"),
        Source.Kind.IMPORT: _("imported"),
        Source.Kind.URL: source.title or source.reference if source else "",
    }
    return str(words.get(Source.Kind(kind), "")) if kind else _("not known")
