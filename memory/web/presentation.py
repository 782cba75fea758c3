"""Blocks and versions as pages show them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.actors import ActorKind
from memory.models import Block, BlockVersion, Message, Source
from memory.web import diff
from memory.web.cards import READ, WRITE, may_of
from memory.web.diff import Run
from memory.web.names import Hand, Names, names_of


@dataclass(frozen=True)
class ShownVersion:
    """A version with what it changed, by whom, and whether it can be taken back now. `left_at` is a message
    of the branch on which it was written, where that was left."""

    version: BlockVersion
    block: Block
    changes: list[Run]
    who: str
    approved_by: str
    is_newest: bool
    is_undone: bool
    may: str
    left_at: uuid.UUID | None = None

    @property
    def can_undo(self) -> bool:
        """Only the newest version can be taken back, and the first one never."""
        return self.may == WRITE and self.is_newest and self.version.number > 1

    @property
    def previous_number(self) -> int:
        """What it is compared with; 0 is the empty block."""
        return self.version.number - 1

    @property
    def next_number(self) -> int:
        """What came after it."""
        return self.version.number + 1

    @property
    def message_id(self) -> str:
        """The message that it came from, where one did."""
        return message_of(self.version.source)

    @property
    def can_restore(self) -> bool:
        """Whether it can become the newest one again."""
        return self.may != READ and not self.is_newest and self.version.erased_at is None


def shown_versions(versions: Sequence[BlockVersion]) -> list[ShownVersion]:
    """Versions (with their `block` and `source`) as pages show them. Three queries, however many."""
    neighbours = _neighbours(versions)
    names = names_of(hand for version in versions for hand in _hands(version))
    return [_shown(version, neighbours, names) for version in versions]


def _hands(version: BlockVersion) -> list[Hand]:
    return [(version.actor_kind, version.actor_id), (ActorKind.USER, version.approved_by)]


def _shown(
    version: BlockVersion, neighbours: dict[tuple[uuid.UUID, int], BlockVersion], names: Names
) -> ShownVersion:
    block = version.block
    before = neighbours.get((block.id, version.number - 1))
    after = neighbours.get((block.id, version.number + 1))
    return ShownVersion(
        version=version,
        block=block,
        changes=diff.one_line(before.value if before else "", version.value),
        who=names.of(version.actor_kind, version.actor_id),
        approved_by=names.person(version.approved_by) if version.approved_by else "",
        is_newest=block.version == version.number,
        is_undone=after is not None and after.operation == BlockVersion.Operation.UNDO,
        may=may_of(block),
    )


def _neighbours(versions: Sequence[BlockVersion]) -> dict[tuple[uuid.UUID, int], BlockVersion]:
    """The versions before and after each, by block and number."""
    if not versions:
        return {}
    numbers = {version.number + step for version in versions for step in (-1, 1)}
    blocks = {version.block_id for version in versions}
    found = BlockVersion.objects.filter(block_id__in=blocks, number__in=numbers)
    return {(each.block_id, each.number): each for each in found}


def message_of(source: Source | None) -> str:
    """The message that a source is, where it is one."""
    return source.reference if source and source.kind == Source.Kind.MESSAGE else ""


def both_sides(base: BlockVersion | None, theirs: str, mine: str) -> dict[str, list[Run]]:
    """Two texts, each as what it changed in the one that both began with."""
    before = base.value if base else ""
    sides = {"theirs": theirs, "mine": mine}
    return {name: diff.folded(diff.runs(before, text)) for name, text in sides.items()}


def messages_in_sight(references: Iterable[str]) -> set[str]:
    """Which of these messages the present person can open: a history may be older than their access."""
    wanted = {reference for reference in references if reference}
    if not wanted:
        return set()
    rows = Message.objects.filter(id__in=wanted, conversation__deleted_at=None)
    return {str(key) for key in rows.values_list("id", flat=True)}


def versions_of(block: Block, *, by: str = "", before: int | None = None) -> list[BlockVersion]:
    """A block's versions, the newest first, 51 at most so that a page of 50 knows of a next one."""
    rows = BlockVersion.objects.filter(block=block).select_related("block", "source").order_by("-number")
    if by in ActorKind.values:
        rows = rows.filter(actor_kind=by)
    if before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows[:51])
