"""Who did something, by name. Memory knows no agents: the floor above says what its own are called."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.actors import ActorKind
from tenants import people
from tenants.scope import current_scope

Lookup = Callable[[set[uuid.UUID]], dict[uuid.UUID | None, str]]
Hand = tuple[str, uuid.UUID | None]


_lookups: dict[str, Lookup] = {ActorKind.USER: people.names_of}


def register_names(kind: str, lookup: Lookup) -> None:
    """Say how the names of one kind of actor are found: ids in, the names of those in sight out."""
    _lookups[kind] = lookup


@dataclass(frozen=True)
class Names:
    """The names of everybody whom a page speaks of."""

    known: dict[uuid.UUID | None, str]

    def of(self, kind: str, key: uuid.UUID | None) -> str:
        """The present person is "you"; who is out of sight is what they are."""
        if key is not None and key == current_scope().user_id:
            return _("you")
        if key in self.known:
            return self.known[key]
        return _("someone") if kind == ActorKind.USER and key else str(ActorKind(kind).label)

    def person(self, key: uuid.UUID | None) -> str:
        """The name of a person."""
        return self.of(ActorKind.USER, key)


def names_of(hands: Iterable[Hand]) -> Names:
    """Find the names behind (kind, id); a query for each kind that there is."""
    wanted: dict[str, set[uuid.UUID]] = defaultdict(set)
    for kind, key in hands:
        if key is not None and kind in _lookups:
            wanted[kind].add(key)
    return Names({key: name for kind, keys in wanted.items() for key, name in _lookups[kind](keys).items()})
