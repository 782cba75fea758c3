"""Documents that came with messages of a chat, as its model is told of them: never what they say.

A message names what came with it, always in the same words. How far it is read changes, so that stands in the
status, at the end of the prompt.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable

from agents.context import readiness
from agents.models import MainContext
from memory.models import Document

NAME_MAX = 80
READ_MOST, TOLD_MOST = 50, 5
_UNFINISHED = (Document.Status.WAITING, Document.Status.READING, Document.Status.FILING)


def documents_of(conversation_id: uuid.UUID) -> list[Document]:
    """The documents that were attached in a chat, the newest first."""
    rows = Document.objects.filter(conversation_id=conversation_id, retired_at=None)
    return list(rows.order_by("-created_at", "-id")[:READ_MOST])


def documents_in(context: MainContext) -> list[Document]:
    """The same of an agent's chat, which may know that there are none."""
    has_some = getattr(context.agent, "has_documents", True)
    return documents_of(context.conversation_id) if has_some else []


def by_message(documents: Iterable[Document]) -> dict[uuid.UUID, str]:
    """For each message that documents came with, a line that names them in the order in which they came."""
    names: defaultdict[uuid.UUID, list[str]] = defaultdict(list)
    for each in documents:
        if each.message_id:
            names[each.message_id].insert(0, named(each))
    return {key: f"[attached: {', '.join(found)}]" for key, found in names.items()}


def told(documents: Iterable[Document]) -> tuple[str, ...]:
    """For the newest documents, how far each is read and how it is searched."""
    return tuple(f"{named(each)}: {state_of(each)}" for each in list(documents)[:TOLD_MOST])


def unread(documents: Iterable[Document]) -> list[str]:
    """The names of those that are not read to their end yet."""
    return [named(each) for each in documents if each.status in _UNFINISHED]


def named(document: Document) -> str:
    """A document's name in one line, without marks that could end the one in which it stands.

    Whoever made the file has chosen it: it is kept too short to say much.
    """
    plain = " ".join(document.name.translate({ord(mark): " " for mark in "[]<>“”"}).split())
    return f"“{plain if len(plain) <= NAME_MAX else f'{plain[:NAME_MAX]}…'}”"


def state_of(document: Document) -> str:
    """What can be done with a document now, in words for a model."""
    if document.status == Document.Status.READY:
        return readiness.ready(document.pages, document.total)
    if document.status in _UNFINISHED:
        return readiness.unread(document.done, document.total)
    if document.status == Document.Status.CANCELLED:
        return readiness.stopped()
    return readiness.failed(document.fault)
