"""Core memory: blocks, and the one path by which they change.

Agents send operations, which are applied to the head under a short lock; people send the version that
they saw. Each change is a new BlockVersion; what was there before stays.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from memory import provenance
from memory.actors import Actor, ActorKind, person
from memory.models import Block, BlockVersion, Source
from memory.operations import BadOperation, BlockError, LimitPassed, Operation, ReadOnly
from tenants.permissions import require_role
from tenants.scope import current_scope

LABEL = re.compile(r"[^\W\d][\w\-]{0,63}")
LIMIT_MAX = 200_000


class VersionConflict(Exception):
    """Somebody changed the block since the version that you saw."""

    def __init__(self, base: BlockVersion | None, theirs: Block, mine: str) -> None:
        super().__init__(VersionConflict.__doc__)
        self.base = base
        self.theirs = theirs
        self.mine = mine


class BadBlock(BlockError):
    """A block cannot have this label, description or limit."""

    code = "bad_block"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class BlockFields:
    """What a person may set on a block. None leaves a field as it is."""

    label: str | None = None
    description: str | None = None
    value: str | None = None
    limit: int | None = None
    read_only: bool | None = None


def create_block(
    *, workspace_id: uuid.UUID, fields: BlockFields, actor: Actor, source: Source | None = None
) -> Block:
    """A new block with its version 1. Raises BadBlock, LimitPassed, NotAllowed."""
    if actor.kind == ActorKind.USER:
        require_role(workspace_id, "editor")
    block = Block(workspace_id=workspace_id)
    _assign(block, fields)
    _check(block)
    block.save()
    _write_version(block, BlockVersion.Operation.CREATE, actor, source, supersedes=None)
    return block


def operate(
    block_id: uuid.UUID, operation: Operation, *, actor: Actor, source: Source | None = None
) -> BlockVersion:
    """Apply an operation to a block's head and answer the version that it made.

    Raises Block.DoesNotExist, NotAllowed, and a BlockError when it cannot be applied; nothing changes then.
    """
    with transaction.atomic():
        block = _locked(block_id)
        _may_write(block, actor)
        held = len(block.value)
        block.value = operation.apply(block.value)
        _check(block, held)
        return _advance(block, BlockVersion.Operation(operation.name), actor, source)


def edit_block(block_id: uuid.UUID, fields: BlockFields, *, expected_version: int, actor: Actor) -> Block:
    """A person's edit of what they saw. Raises VersionConflict with base, theirs and mine."""
    with transaction.atomic():
        block = _locked(block_id)
        _may_write(block, actor)
        if block.version != expected_version:
            base = BlockVersion.objects.filter(block=block, number=expected_version).first()
            raise VersionConflict(base, block, fields.value if fields.value is not None else block.value)
        held = len(block.value)
        if _assign(block, fields):
            _check(block, held)
            # Also where the text stays: the number is what the next person's edit is checked against.
            _advance(block, BlockVersion.Operation.EDIT, actor, None)
    return block


def restore(block_id: uuid.UUID, number: int, *, actor: Actor) -> BlockVersion:
    """Make an old version the newest one again, as a new version.

    Raises BlockVersion.DoesNotExist, LimitPassed, BadOperation where that version was erased.
    """
    with transaction.atomic():
        block = _locked(block_id)
        _may_write(block, actor)
        wanted = BlockVersion.objects.get(block=block, number=number)
        return _return_to(block, wanted, BlockVersion.Operation.RESTORE, actor)


def undo(block_id: uuid.UUID, number: int, *, actor: Actor) -> BlockVersion:
    """Take back what version `number` did: the text before it, as a new version.

    Only the newest version can be taken back; VersionConflict where others came after it.
    """
    with transaction.atomic():
        block = _locked(block_id)
        _may_write(block, actor)
        undone = BlockVersion.objects.get(block=block, number=number)
        before = BlockVersion.objects.filter(block=block, number=number - 1).first()
        if before is None:
            raise BadOperation("The first version of a block cannot be taken back.")
        if block.version != number:
            raise VersionConflict(undone, block, before.value)
        return _return_to(block, before, BlockVersion.Operation.UNDO, actor)


def _return_to(
    block: Block, wanted: BlockVersion, name: BlockVersion.Operation, actor: Actor
) -> BlockVersion:
    if wanted.erased_at is not None:
        raise BadOperation("The content of that version was erased.")
    held = len(block.value)
    block.value = wanted.value
    _check(block, held)
    made = _advance(block, name, actor, None)
    _derive(made, ("block_version", wanted.id))
    return made


def _locked(block_id: uuid.UUID) -> Block:
    return Block.objects.select_for_update().get(id=block_id)


def _may_write(block: Block, actor: Actor) -> None:
    if actor.kind == ActorKind.USER:
        require_role(block.workspace_id, "editor")
    elif block.read_only:
        raise ReadOnly("This block is read-only. Only a person can change it.", label=block.label)


def _assign(block: Block, fields: BlockFields) -> bool:
    """Set what is given; answers whether that changed anything."""
    given = {name: value for name, value in vars(fields).items() if value is not None}
    changed = {name: value for name, value in given.items() if value != getattr(block, name)}
    for name, value in changed.items():
        setattr(block, name, value)
    return bool(changed)


def _check(block: Block, held: int = 0) -> None:
    """Raises BadBlock, LimitPassed; `held` is how many characters the block had before."""
    if not LABEL.fullmatch(block.label):
        raise BadBlock(
            "label", "A label starts with a letter and holds letters, digits, _ and -, at most 64 characters."
        )
    if not 1 <= block.limit <= LIMIT_MAX:
        raise BadBlock("limit", f"A limit is a number of characters from 1 to {LIMIT_MAX}.")
    if len(block.description) > 1000:
        raise BadBlock("description", "A description has at most 1,000 characters.")
    over = len(block.value) - block.limit
    if over > 0:
        room = max(block.limit - held, 0)
        raise LimitPassed(
            f"The block {block.label} would hold {len(block.value)} characters, {over} more than its limit "
            f"of {block.limit}; there was room for {room} more. Shorten it, or put what need not be in view "
            "into the archive.",
            label=block.label,
            limit=block.limit,
            room=room,
            over=over,
        )


def _advance(
    block: Block, operation: BlockVersion.Operation, actor: Actor, source: Source | None
) -> BlockVersion:
    head = BlockVersion.objects.get(block=block, number=block.version)
    block.version += 1
    block.updated_at = timezone.now()
    block.save()
    return _write_version(block, operation, actor, source, supersedes=head)


def _write_version(
    block: Block,
    operation: BlockVersion.Operation,
    actor: Actor,
    source: Source | None,
    *,
    supersedes: BlockVersion | None,
) -> BlockVersion:
    if source is None:
        source = provenance.source_of_person(block.workspace_id, actor.id or current_scope().user_id)
    version = BlockVersion.objects.create(
        workspace_id=block.workspace_id,
        block=block,
        number=block.version,
        operation=operation,
        value=block.value,
        actor_kind=actor.kind,
        actor_id=actor.id,
        source=source,
        supersedes=supersedes,
    )
    if source.kind == Source.Kind.MESSAGE:
        _derive(version, (source.kind, uuid.UUID(source.reference)))
    return version


def _derive(version: BlockVersion, parent: tuple[str, uuid.UUID]) -> None:
    provenance.derive(version.workspace_id, parents=[parent], child=("block_version", version.id))


def by_me() -> Actor:
    """The present person as an actor."""
    return person(current_scope().user_id)
