"""The blocks of a workspace as its list shows them: found by words, by agent, by rule; deleted ones apart."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, Q, QuerySet, TextField, When
from django.db.models.functions import Left, Length

from agents.blocks import Use, users_by_block
from agents.models import AgentBlock
from memory import measure
from memory.models import Block
from tenants.models import Workspace
from tenants.web.doors import is_uuid

A_PAGE = 50
GIST = 160


@dataclass(frozen=True)
class Filters:
    """What a person looks for; all of it stands in the address."""

    query: str = ""
    agent: str = ""
    governance: str = ""
    is_deleted: bool = False

    @property
    def is_set(self) -> bool:
        """Whether anything is asked for beyond the list as it is."""
        return bool(self.query or self.agent or self.governance or self.is_deleted)


@dataclass(frozen=True)
class Row:
    """A block with the beginning of its text, how much of its limit it fills, and who has it in view."""

    block: Block
    gist: str
    used: int
    uses: list[Use]


def page_of_blocks(workspace: Workspace, filters: Filters, after: str) -> tuple[list[Row], bool]:
    """The blocks after one, by label; and whether there are more. Queries and bytes are bounded."""
    found = _filtered(workspace, filters)
    beginning = found.filter(id=after).values_list("label", "id").first() if is_uuid(after) else None
    if beginning:
        label, key = beginning
        found = found.filter(Q(label__gt=label) | Q(label=label, id__gt=key))
    # Only a text that is counted in tokens is read whole.
    whole = When(unit=Block.Unit.TOKENS, then=F("value"))
    shown = Case(whole, default=Left("value", GIST), output_field=TextField())
    rows = found.annotate(shown=shown, characters=Length("value")).defer("value").order_by("label", "id")
    page = list(rows[: A_PAGE + 1])
    uses = users_by_block([each.id for each in page[:A_PAGE]])
    return [_row(each, uses) for each in page[:A_PAGE]], len(page) > A_PAGE


def _filtered(workspace: Workspace, filters: Filters) -> QuerySet[Block]:
    found = Block.objects.filter(workspace=workspace, retired_at__isnull=not filters.is_deleted)
    if filters.query:
        text = filters.query
        found = found.filter(
            Q(label__icontains=text) | Q(value__icontains=text) | Q(description__icontains=text)
        )
    if filters.governance in Block.Governance.values:
        found = found.filter(governance=filters.governance)
    if filters.agent:
        ids = AgentBlock.objects.filter(agent_id=filters.agent) if is_uuid(filters.agent) else None
        found = found.filter(id__in=ids.values("block_id")) if ids is not None else found.none()
    return found


def _row(block: Any, uses: Mapping[uuid.UUID, list[Use]]) -> Row:
    is_counted = block.unit == Block.Unit.TOKENS
    used = measure.length(block.shown, block.unit) if is_counted else block.characters
    return Row(block, " ".join(block.shown[:GIST].split()), used, uses.get(block.id, []))
