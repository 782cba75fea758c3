"""Where versions of blocks were written on a branch of a chat that was left. Memory knows no turns: the floor
above says which of them went where."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from memory.models import BlockVersion

Places = dict[uuid.UUID, uuid.UUID]
Lookup = Callable[[Sequence[BlockVersion]], Places]

_lookups: list[Lookup] = []


def register_left(lookup: Lookup) -> None:
    """Say how it is found which versions (with their `source`) were written on a branch that was left: by the
    version's id a message there, as far as it is in sight."""
    _lookups.append(lookup)


def places_left(versions: Sequence[BlockVersion]) -> Places:
    """A message on the branch that was left, for each of these versions that was written on one."""
    return {key: place for lookup in _lookups for key, place in lookup(versions).items()}
