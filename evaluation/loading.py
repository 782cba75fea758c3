"""Bringing a sample into memsite, by the same functions as everybody: agents, imports, the embedder."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agents.importing import import_conversation
from agents.models import Agent
from agents.roster import AgentFields, create_agent
from evaluation.samples import Chat, Line, Sample
from memory.embedding import embed_pending
from memory.importing import ImportedMessage
from memory.index.announcing import entries_written
from memory.models import IndexEntry
from memory.retrieval.access import accesses
from memory.tasks import enqueue
from tenants.models import User
from tenants.scope import Identity, scope
from tenants.services import create_tenant

TENANT = "evaluation"
BATCH = 256


def open_tenant() -> Identity:
    """A tenant that is there for a measurement, and its owner, who cannot sign in."""
    name = f"{TENANT}-{secrets.token_hex(4)}"
    user = User.objects.create_user(f"{name}@example.com", None)
    return create_tenant(name=name, slug=name, owner=user, owner_name="Evaluation")


def new_agent(identity: Identity, name: str) -> Agent:
    """An agent in the owner's own workspace."""
    with scope(identity) as reach:
        return create_agent(workspace_id=reach.home, fields=AgentFields(name=name))


def import_sample(identity: Identity, sample: Sample) -> Agent:
    """An agent that has had all the chats of a sample."""
    agent = new_agent(identity, sample.name)
    for chat in sample.chats:
        with scope(identity):
            _import(agent, chat)
    return agent


def _import(agent: Agent, chat: Chat) -> None:
    import_conversation(agent.id, title=chat.title, messages=[_imported(line) for line in chat.lines])


def _imported(line: Line) -> ImportedMessage:
    return ImportedMessage(
        role="assistant" if line.is_agents else "user",
        name=line.by,
        content=line.text,
        created_at=line.at,
        external_id=line.id,
    )


@contextmanager
def in_foreground() -> Iterator[None]:
    """For as long as this lasts no worker is asked to embed what is written: it is done here.

    What is still to be noted about what was found is written at the end, while the database is there.
    """
    entries_written.disconnect(enqueue)
    try:
        yield
        accesses.write()
    finally:
        entries_written.connect(enqueue)


def embed_all(identity: Identity, say: Callable[[str], object]) -> int:
    """Embed what waits for it, here and now; `say` hears how far it is. Returns how many rows it was."""
    with scope(identity) as reach:
        home = reach.home
    done = 0
    while made := embed_pending(tenant_id=identity.tenant_id, workspace_id=home, limit=BATCH):
        done += made
        say(f"{done} embedded")
    return done


def unembedded(identity: Identity) -> int:
    """How many rows in sight still wait for the embedder."""
    with scope(identity):
        return IndexEntry.objects.filter(embedded_by="").count()
