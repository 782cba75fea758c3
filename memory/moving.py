"""Taking a block to another workspace: with its history, or as a copy without.

Who reads the workspace reads all that lies in it. Moving therefore shows every version to whoever is there;
`preview_move` says so before.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction

from memory import audited, core, versions
from memory.core import BadBlock, BlockFields
from memory.models import Block, BlockVersion, Proposal
from tenants.models import Workspace, WorkspaceMember
from tenants.permissions import require_role


@dataclass(frozen=True)
class MovePreview:
    """What a move would show, and to whom: names of those who read the block then, and of those no longer."""

    versions: int
    open_proposals: int
    readers: list[str]
    no_longer: list[str]


def preview_move(block_id: uuid.UUID, to_workspace_id: uuid.UUID) -> MovePreview:
    """What moving a block would mean. Raises Block.DoesNotExist, Workspace.DoesNotExist, NotAllowed."""
    block = Block.objects.get(id=block_id)
    _require_both(block, to_workspace_id)
    before, after = _readers(block.workspace_id), _readers(to_workspace_id)
    return MovePreview(
        versions=BlockVersion.objects.filter(block=block).count(),
        open_proposals=Proposal.objects.filter(block=block, status=Proposal.Status.OPEN).count(),
        readers=[name for person, name in after.items() if person not in before],
        no_longer=[name for person, name in before.items() if person not in after],
    )


def move_block(block_id: uuid.UUID, to_workspace_id: uuid.UUID) -> Block:
    """Move a block with its versions, proposals and where they came from; whoever reads there reads them all.

    Raises NotAllowed, Deleted, DoesNotExist, and BadBlock where it lies there already, or where an agent that
    has it has another of its label there.
    """
    block = versions.locked(block_id)
    _require_both(block, to_workspace_id)
    origin = block.workspace_id
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT move_block(%s, %s)", [block_id, to_workspace_id])
    except IntegrityError:
        taken = f"An agent that has this block has a {block.label!r} there already. Rename one first."
        raise BadBlock("label", taken) from None
    moved = Block.objects.get(id=block_id)
    audited.record("block.moved", moved, core.by_me(), came_from=str(origin))
    return moved


def copy_block(block_id: uuid.UUID, to_workspace_id: uuid.UUID) -> Block:
    """A new block in another workspace that reads the same; its history begins there.

    Raises NotAllowed, Deleted, BadBlock where it lies there already, DoesNotExist.
    """
    block = versions.locked(block_id)
    _require_both(block, to_workspace_id)
    names = ("label", "description", "value", "limit", "unit", "governance", "sections")
    fields = BlockFields(**{name: getattr(block, name) for name in names})
    made = core.create_block(workspace_id=to_workspace_id, fields=fields, actor=core.by_me())
    first = BlockVersion.objects.get(block=made, number=1)
    versions.derive(first, ("block_version", versions.head_of(block)))
    audited.record("block.copied", made, core.by_me(), copy_of=str(block.id))
    return made


def _require_both(block: Block, to_workspace_id: uuid.UUID) -> None:
    """Raises NotAllowed, Workspace.DoesNotExist, BadBlock: an editor on both sides, from one to another."""
    require_role(block.workspace_id, "editor")
    Workspace.objects.get(id=to_workspace_id)
    require_role(to_workspace_id, "editor")
    if to_workspace_id == block.workspace_id:
        raise BadBlock("workspace", "The block lies in this workspace already.")


def _readers(workspace_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """Names of those who see a workspace, by person."""
    rows = WorkspaceMember.objects.filter(workspace_id=workspace_id, membership__is_active=True)
    return dict(rows.order_by("membership__name").values_list("user_id", "membership__name"))
