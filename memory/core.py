"""Core memory: blocks, and the one path by which they change.

Agents send operations, which are applied to the head under a short lock; people send the version that
they saw. Each change is a new BlockVersion; what was there before stays. Whether a change is made, proposed
or refused is said by `memory.governance`, whoever asks.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from memory import audited, index, versions
from memory.actors import Actor, ActorKind, person
from memory.governance import HERE, PEOPLE, Origin, Verdict, may_govern, verdict
from memory.measure import LIMIT_MAX, require_room
from memory.merge import Merged, three_way
from memory.models import Block, BlockVersion, IndexEntry, Proposal, Source
from memory.operations import BadOperation, BlockError, Operation
from memory.operations.sections import SECTIONS_MAX, is_schema, join, names_of, validate, whole
from memory.proposing import Change, propose
from memory.versions import Hand
from tenants.permissions import require_role
from tenants.scope import current_scope

LABEL = re.compile(r"[^\W\d][\w\-]{0,63}")


class VersionConflict(Exception):
    """Somebody changed the block since the version that you saw."""

    def __init__(self, base: BlockVersion | None, theirs: Block, mine: str) -> None:
        super().__init__(VersionConflict.__doc__)
        self.base = base
        self.theirs = theirs
        self.mine = mine

    @property
    def merged(self) -> Merged | None:
        """Both changes in one text; None where there is no common text to compare with."""
        if self.base is None or self.base.erased_at is not None:
            return None
        return three_way(self.base.value, self.theirs.value, self.mine)


class BadBlock(BlockError):
    """A block cannot have this label, description, limit, unit, rule or schema."""

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
    unit: str | None = None
    governance: str | None = None
    sections: list[dict[str, Any]] | None = None

    def changes(self, block: Block) -> dict[str, Any]:
        """What is given and differs from what the block has."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return {name: value for name, value in given.items() if value != getattr(block, name)}


def create_block(
    *, workspace_id: uuid.UUID, fields: BlockFields, actor: Actor, source: Source | None = None
) -> Block:
    """A new block with its version 1. Raises BadBlock, LimitPassed, BadSections, NotAllowed."""
    if actor.kind in PEOPLE:
        require_role(workspace_id, "editor")
    block = Block(workspace_id=workspace_id)
    _set(block, fields.changes(block))
    versions.begin(block, Hand(actor, source))
    audited.record("block.created", block, actor)
    return block


def operate(
    block_id: uuid.UUID,
    operation: Operation,
    *,
    actor: Actor,
    source: Source | None = None,
    origin: Origin = HERE,
    reason: str = "",
) -> BlockVersion | Proposal:
    """Apply an operation to a block's head, and answer the version that it made; or the proposal to do so.

    `source` lies in the block's workspace. Raises Block.DoesNotExist, NotAllowed, and a BlockError when it
    cannot be applied; nothing changes then.
    """
    block = versions.locked(block_id)
    rule = verdict(block, actor, origin)
    value = operation.apply(block.value)
    check_text(block, value)
    hand = Hand(actor, source)
    if rule is Verdict.PROPOSE:
        return propose(block, Change(operation.name, asdict(operation), value), hand, origin, reason)
    block.value = value
    version = versions.advance(block, operation.name, hand)
    audited.record("block.edited", block, actor, version=version.number, operation=operation.name)
    return version


def edit_block(
    block_id: uuid.UUID, fields: BlockFields, *, expected_version: int, actor: Actor, reason: str = ""
) -> Block | Proposal:
    """A person's edit of what they saw; where they may only propose, of the text alone.

    Raises VersionConflict with base, theirs and mine, NotAllowed, and a BlockError.
    """
    block = versions.locked(block_id)
    rule = verdict(block, actor)
    changes = fields.changes(block)
    if set(changes) - {"value"}:
        may_govern(block)
    if block.version != expected_version:
        base = BlockVersion.objects.filter(block=block, number=expected_version).first()
        raise VersionConflict(base, block, fields.value if fields.value is not None else block.value)
    if not changes:
        return block
    if rule is Verdict.PROPOSE:
        check_text(block, changes["value"])
        change = Change(BlockVersion.Operation.EDIT, {"fields": changes}, changes["value"])
        return propose(block, change, Hand(actor), HERE, reason)
    _set(block, changes)
    # Also where the text stays: the number is what the next person's edit is checked against.
    settings = set(changes) - {"value"}
    version = versions.advance(block, BlockVersion.Operation.EDIT, Hand(actor), settings=settings)
    told = {name: changes[name] for name in ("governance", "limit", "unit") if name in changes}
    audited.record("block.edited", block, actor, version=version.number, fields=sorted(changes), **told)
    return block


def restore(block_id: uuid.UUID, number: int, *, actor: Actor) -> BlockVersion | Proposal:
    """Make an old version the newest one again, as a new version, or propose it.

    Raises BlockVersion.DoesNotExist, LimitPassed, BadOperation where that version was erased.
    """
    block = versions.locked(block_id)
    rule = verdict(block, actor)
    wanted = versions.returnable(block, number)
    return _return_to(block, wanted, BlockVersion.Operation.RESTORE, actor, rule)


def undo(
    block_id: uuid.UUID, number: int, *, actor: Actor, since: int | None = None
) -> BlockVersion | Proposal:
    """Take back what version `number` did, or all from version `since` up to it: the text before, as a new
    version, or propose it.

    Only the newest version can be taken back; VersionConflict where others came after it.
    """
    first = number if since is None else since
    block = versions.locked(block_id)
    rule = verdict(block, actor)
    undone = BlockVersion.objects.get(block=block, number=number)
    if first == 1:
        raise BadOperation("The first version of a block cannot be taken back.")
    before = versions.returnable(block, first - 1)
    if block.version != number:
        raise VersionConflict(undone, block, before.value)
    return _return_to(block, before, BlockVersion.Operation.UNDO, actor, rule)


def delete_block(block_id: uuid.UUID) -> Block:
    """Take a block out of use; nothing of it is lost. Raises NotAllowed, Deleted where it is gone already."""
    return _retire(versions.locked(block_id), retired=True)


def bring_back(block_id: uuid.UUID) -> Block:
    """Bring a deleted block back, with all its versions and with what was proposed. Raises NotAllowed."""
    return _retire(versions.locked(block_id, also_deleted=True), retired=False)


def by_me() -> Actor:
    """The present person as an actor, or the member of the site's staff."""
    identity = current_scope().identity
    return Actor(ActorKind.STAFF, identity.staff_id) if identity.staff_id else person(identity.user_id)


def _return_to(
    block: Block, wanted: BlockVersion, name: BlockVersion.Operation, actor: Actor, rule: Verdict
) -> BlockVersion | Proposal:
    check_text(block, wanted.value)
    hand = Hand(actor)
    if rule is Verdict.PROPOSE:
        return propose(block, Change(name, {"number": wanted.number}, wanted.value), hand, HERE, "")
    block.value = wanted.value
    made = versions.advance(block, name, hand)
    versions.derive(made, ("block_version", wanted.id))
    action = "block.undone" if name == BlockVersion.Operation.UNDO else "block.restored"
    audited.record(action, block, actor, version=made.number, to=wanted.number)
    return made


def _retire(block: Block, *, retired: bool) -> Block:
    may_govern(block)
    if (block.retired_at is not None) != retired:
        block.retired_at = timezone.now() if retired else None
        block.save(update_fields=["retired_at"])
        index.hide(IndexEntry.Kind.BLOCK, block.id, hidden=retired)
        audited.record("block.deleted" if retired else "block.brought_back", block, by_me())
    return block


def _set(block: Block, changes: dict[str, Any]) -> None:
    """Set fields. Raises BadBlock, LimitPassed, BadSections; the block is not to be stored then."""
    for name, value in changes.items():
        if name != "value":
            setattr(block, name, value)
    _check_settings(block)
    block.sections = whole(block.sections)
    value = changes.get("value", block.value)
    if block.sections and not value.strip():
        value = join(dict.fromkeys(names_of(block.sections), ""))
    check_text(block, value)
    block.value = value


def check_text(block: Block, value: str) -> None:
    """Raises LimitPassed, BadSections where the block may not hold this text."""
    require_room(block, value)
    validate(value, block.sections)


def _check_settings(block: Block) -> None:
    faults = {
        "label": (
            not LABEL.fullmatch(block.label),
            "A label starts with a letter and holds letters, digits, _ and -, at most 64 characters.",
        ),
        "limit": (not 1 <= block.limit <= LIMIT_MAX, f"A limit is a whole number from 1 to {LIMIT_MAX}."),
        "description": (len(block.description) > 1000, "A description has at most 1,000 characters."),
        "unit": (block.unit not in Block.Unit, "A limit counts characters or tokens."),
        "governance": (block.governance not in Block.Governance, "Agents write free, propose, or read only."),
        "sections": (
            not is_schema(block.sections),
            f"Sections are at most {SECTIONS_MAX}, each with a name of its own in one line of at most 64 "
            "characters, and a description of at most 300.",
        ),
    }
    for field, (is_wrong, words) in faults.items():
        if is_wrong:
            raise BadBlock(field, words)
