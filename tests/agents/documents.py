"""Documents that are read at once, in chats and in archives."""

from __future__ import annotations

from agents.archives import archive_for
from agents.models import Agent, MainContext, Turn
from memory import core
from memory.documents import pipeline, services
from memory.models import Document
from tests.cast import Person


def upload(person: Person, agent: Agent, chat: MainContext, name: str, text: str) -> Document:
    """A file that a person attaches in a chat; nobody has read it yet."""
    with person.scope():
        archive = archive_for(agent, chat.workspace_id)
        return services.upload(
            archive.id,
            name,
            text.encode(),
            actor=core.by_me(),
            conversation_id=chat.conversation_id,
        )


def read(document: Document) -> Document:
    """Do the worker's work on it, here and now."""
    pipeline.read(document.tenant_id, document.workspace_id, document.id)
    return document


def give(person: Person, turn: Turn, document: Document) -> None:
    """Hang a document on the message that it came with, as the page does."""
    with person.scope():
        Document.objects.filter(id=document.id).update(message_id=turn.message_id)
