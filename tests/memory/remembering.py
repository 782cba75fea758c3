"""What tests of memory share: a block of Alice's, and agents' hands."""

from __future__ import annotations

import uuid
from typing import Any

from memory import core, recall
from memory.actors import Actor, ActorKind
from memory.core import BlockFields
from memory.models import Block, BlockVersion, Conversation, Message, Proposal
from memory.operations import Operation
from tests.cast import Person

AGENT = Actor(ActorKind.AGENT, uuid.uuid4())


def new_block(person: Person, value: str = "", workspace_id: uuid.UUID | None = None, **fields: Any) -> Block:
    """A block in a workspace, the person's own if none is named."""
    with person.scope():
        return core.create_block(
            workspace_id=workspace_id or person.personal,
            fields=BlockFields(**({"label": "human", "value": value} | fields)),
            actor=core.by_me(),
        )


def operate(
    person: Person, block: Block, operation: Operation, actor: Actor = AGENT, **options: Any
) -> BlockVersion:
    """An operation on a block, by an agent unless told."""
    with person.scope():
        made = core.operate(block.id, operation, actor=actor, **options)
    assert isinstance(made, BlockVersion)
    return made


def proposed(
    person: Person, block: Block, operation: Operation, actor: Actor = AGENT, **options: Any
) -> Proposal:
    """An operation that may only be proposed, by an agent unless told."""
    with person.scope():
        made = core.operate(block.id, operation, actor=actor, **options)
    assert isinstance(made, Proposal)
    return made


def now(person: Person, block: Block) -> Block:
    """The block as it is stored."""
    with person.scope():
        return Block.objects.get(id=block.id)


def versions(person: Person, block: Block) -> list[BlockVersion]:
    """All versions of a block, oldest first."""
    with person.scope():
        rows = BlockVersion.objects.select_related("source", "supersedes").filter(block=block)
        return list(rows.order_by("number"))


def new_conversation(person: Person) -> Conversation:
    """An empty chat in the person's workspace."""
    with person.scope():
        return recall.start_conversation(workspace_id=person.personal)


def remember(person: Person, conversation: Conversation, content: str, **fields: Any) -> Message:
    """A message of the person's in recall storage."""
    with person.scope():
        return recall.add_message(
            conversation, **({"role": "user", "content": content, "actor": core.by_me()} | fields)
        )
