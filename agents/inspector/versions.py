"""The versions of blocks that stood in a window, as they may be seen now: one that was erased since is gone
from past windows too, and one that was lent is read by whoever may see it where it lies."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from agents.context.parts import PartKind
from agents.context.recording import SentPart
from memory.models import BlockVersion

Key = tuple[uuid.UUID, int]


def versions_in(parts: Iterable[SentPart]) -> dict[Key, BlockVersion]:
    """The versions that these parts show, by block and number, as far as they are in sight. One query."""
    keys = {key for part in parts if (key := key_of(part.reference))}
    if not keys:
        return {}
    wanted = reduce(or_, (Q(block_id=block, number=number) for block, number in sorted(keys)))
    return {(each.block_id, each.number): each for each in BlockVersion.objects.filter(wanted)}


def key_of(reference: Mapping[str, Any]) -> Key | None:
    """The block and the number of its version that a part shows; None for parts of other kinds."""
    if reference["kind"] != PartKind.BLOCK or not reference.get("version"):
        return None
    return uuid.UUID(reference["block"]), int(reference["version"])


def text_of(part: SentPart, known: Mapping[Key, BlockVersion]) -> str | None:
    """A part's text, as it may be shown now."""
    key = key_of(part.reference)
    version = known.get(key) if key else None
    if version is None:
        return part.text
    if version.erased_at is not None:
        return None
    return version.value[: part.reference.get("kept")] if part.text is None else part.text
