"""Blocks and versions as pages show them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.actors import ActorKind
from memory.models import Block, BlockVersion, Source
from memory.web import diff
from memory.web.diff import Run
from tenants.models import Membership
from tenants.permissions import has_role
from tenants.scope import current_scope


@dataclass(frozen=True)
class ShownVersion:
    """A version with what it changed, by whom, and whether it can be taken back now."""

    version: BlockVersion
    block: Block
    changes: list[Run]
    who: str
    is_newest: bool
    is_undone: bool
    can_write: bool

    @property
    def can_undo(self) -> bool:
        """Only the newest version can be taken back, and the first one never."""
        return self.can_write and self.is_newest and self.version.number > 1

    @property
    def previous_number(self) -> int:
        """What it is compared with; 0 is the empty block."""
        return self.version.number - 1

    @property
    def message_id(self) -> str:
        """The message that it came from, where one did."""
        source = self.version.source
        return source.reference if source and source.kind == Source.Kind.MESSAGE else ""


def shown_versions(versions: Sequence[BlockVersion]) -> list[ShownVersion]:
    """Versions (with their `block` and `source`) as pages show them. Three queries, however many."""
    neighbours = _neighbours(versions)
    names = _names(version.actor_id for version in versions if version.actor_kind == ActorKind.USER)
    return [_shown(version, neighbours, names) for version in versions]


def _shown(
    version: BlockVersion, neighbours: dict[tuple[uuid.UUID, int], BlockVersion], names: dict[uuid.UUID, str]
) -> ShownVersion:
    block = version.block
    before = neighbours.get((block.id, version.number - 1))
    after = neighbours.get((block.id, version.number + 1))
    return ShownVersion(
        version=version,
        block=block,
        changes=diff.one_line(before.value if before else "", version.value),
        who=_who(version, names),
        is_newest=block.version == version.number,
        is_undone=after is not None and after.operation == BlockVersion.Operation.UNDO,
        can_write=has_role(block.workspace_id, "editor"),
    )


def _neighbours(versions: Sequence[BlockVersion]) -> dict[tuple[uuid.UUID, int], BlockVersion]:
    """The versions before and after each, by block and number."""
    if not versions:
        return {}
    numbers = {version.number + step for version in versions for step in (-1, 1)}
    blocks = {version.block_id for version in versions}
    found = BlockVersion.objects.filter(block_id__in=blocks, number__in=numbers)
    return {(each.block_id, each.number): each for each in found}


def _names(people: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, str]:
    return dict(Membership.objects.filter(user_id__in=set(people)).values_list("user_id", "name"))


def _who(version: BlockVersion, names: dict[uuid.UUID, str]) -> str:
    if version.actor_kind != ActorKind.USER or version.actor_id is None:
        return str(version.get_actor_kind_display())
    return (
        _("you") if version.actor_id == current_scope().user_id else names.get(version.actor_id, _("someone"))
    )


def versions_of(block: Block, *, by: str = "", before: int | None = None) -> list[BlockVersion]:
    """A block's versions, the newest first, 51 at most so that a page of 50 knows of a next one."""
    rows = BlockVersion.objects.filter(block=block).select_related("block", "source").order_by("-number")
    if by in ActorKind.values:
        rows = rows.filter(actor_kind=by)
    if before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows[:51])
