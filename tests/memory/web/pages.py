"""Blocks for tests of their pages: made, filled with versions, proposed to; and how often a page asks."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import core
from memory.actors import Actor, ActorKind
from memory.core import BlockFields, by_me
from memory.governance import Origin
from memory.models import Block, BlockVersion, Proposal
from memory.operations import Append, Operation
from tests.cast import Person

FRAGMENT = {"HX-Request": "true"}


def new_block(person: Person, workspace_id: uuid.UUID | None = None, **fields: Any) -> Block:
    """A block in a workspace, the person's own if none is named."""
    given: dict[str, Any] = {"label": "goals", "value": "one", "limit": 2000} | fields
    with person.scope():
        return core.create_block(
            workspace_id=workspace_id or person.personal, fields=BlockFields(**given), actor=by_me()
        )


def address(block: Block, rest: str = "") -> str:
    return f"/w/{block.workspace_id}/memory/{block.id}/{rest}"


def inbox(block: Block, rest: str = "") -> str:
    return f"/w/{block.workspace_id}/memory/inbox/{rest}"


def typed(block: Block, value: str, **fields: object) -> dict[str, object]:
    """What a browser sends from the form of a block."""
    return {"value": value, "description": "", "limit": block.limit, "version": block.version} | fields


def write(person: Person, block: Block, value: str) -> int:
    """A person's edit of the newest version; answers the new one's number."""
    with person.scope():
        version = Block.objects.get(id=block.id).version
        core.edit_block(block.id, BlockFields(value=value), expected_version=version, actor=by_me())
    return version + 1


def propose(person: Person, block: Block, change: Operation | str, reason: str = "") -> Proposal:
    """What an agent proposes while it works for a person."""
    operation = Append(change) if isinstance(change, str) else change
    hand = Actor(ActorKind.AGENT, uuid.uuid4())
    with person.scope():
        made = core.operate(block.id, operation, actor=hand, origin=Origin(override="propose"), reason=reason)
    assert isinstance(made, Proposal)
    return made


def value_of(person: Person, block: Block) -> str:
    with person.scope():
        return str(Block.objects.get(id=block.id).value)


def fill(person: Person, block: Block, versions: int) -> None:
    """Give a block so many versions, each with a line more than the one before, up to a hundred lines."""
    with person.scope():
        rows = [
            BlockVersion(
                workspace_id=block.workspace_id,
                block=block,
                number=number,
                operation="append",
                value="\n".join(f"line {each}" for each in range(max(1, number - 99), number + 1)),
                actor_kind=ActorKind.USER,
                actor_id=person.user.id,
            )
            for number in range(2, versions + 1)
        ]
        BlockVersion.objects.bulk_create(rows)
        Block.objects.filter(id=block.id).update(version=versions, value=rows[-1].value)


def queries_of(person: Person, path: str) -> int:
    """How many statements a page takes."""
    person.browser.get(path)  # what is made at the first visit is there now
    with CaptureQueriesContext(connection) as captured:
        answer = person.browser.get(path)
    assert answer.status_code == 200, answer.content
    return len(captured)
