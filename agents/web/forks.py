"""Where a chat went different ways: which way one is on, how to get to the others, what was written there."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agents import left_memory
from agents.left_memory import Written
from memory import branches
from memory.models import Message, Passage
from memory.web.presentation import ShownVersion, shown_versions
from memory.web.proposed import ShownProposal, shown_proposals


@dataclass(frozen=True)
class LeftWay:
    """A way that was left, with what was written on it and stands."""

    head: uuid.UUID
    number: int
    written: Written

    @property
    def count(self) -> int:
        """How many changes stand, those that only a person can tell about too."""
        return self.written.count + len(self.written.overtaken)

    @cached_property
    def changes(self) -> list[ShownVersion]:
        """Changes of blocks, those that others have changed since too."""
        return shown_versions([*self.written.versions, *self.written.overtaken])

    @cached_property
    def proposals(self) -> list[ShownProposal]:
        """What waits for an editor."""
        return shown_proposals(self.written.proposals)

    @property
    def passages(self) -> list[Passage]:
        """What was filed."""
        return self.written.passages


@dataclass(frozen=True)
class Fork:
    """The ways that a chat went from one message on, as they were taken; `at` is the place of the chat's own.

    Where the chat's own way has not come to a message yet, it is the last one.
    """

    ways: Sequence[uuid.UUID]
    at: int
    left: Sequence[LeftWay] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Which way this is, from 1."""
        return self.at + 1

    @property
    def count(self) -> int:
        """How many there are."""
        return max(len(self.ways), self.number)

    @property
    def here(self) -> uuid.UUID | None:
        """Where this way begins; None where it has not come to a message yet."""
        return self.ways[self.at] if self.at < len(self.ways) else None

    @property
    def before(self) -> uuid.UUID | None:
        """Where the way before this one begins."""
        return self.ways[self.at - 1] if self.at else None

    @property
    def after(self) -> uuid.UUID | None:
        """Where the way after this one begins."""
        return self.ways[self.at + 1] if self.at + 1 < len(self.ways) else None


class Forks:
    """The forks at some places of one chat: behind messages, or at its beginning. Two queries where there is
    none."""

    def __init__(self, conversation_id: uuid.UUID, parents: Iterable[uuid.UUID | None]) -> None:
        self._children = branches.children(conversation_id, parents)
        others = [way.id for ways in self._children.values() for way in ways if way.is_abandoned]
        self._written: Mapping[uuid.UUID, Written] = left_memory.written_below(others)

    def at(self, message: Message, parent_id: uuid.UUID | None) -> Fork | None:
        """The fork at which a message of the chat stands; None where there was one way only."""
        ways = self._children.get(parent_id, [])
        ids = [way.id for way in ways]
        place = ids.index(message.id) if message.id in ids else len(ids)
        return self._fork(ids, place)

    def behind(self, message_id: uuid.UUID, answer_id: uuid.UUID | None) -> Fork | None:
        """The fork behind a question, where the way of the chat goes on with this answer, or with none yet.

        None where there was one way only, and where another message than an answer follows."""
        ways = self._children.get(message_id, [])
        ids = [way.id for way in ways]
        if answer_id is None:
            return None if any(not way.is_abandoned for way in ways) else self._fork(ids, len(ids))
        return self._fork(ids, ids.index(answer_id)) if answer_id in ids else None

    def _fork(self, ids: list[uuid.UUID], place: int) -> Fork | None:
        if not ids or ids == ids[place : place + 1]:
            return None
        left = [
            LeftWay(key, number, self._written[key])
            for number, key in enumerate(ids, start=1)
            if key in self._written
        ]
        return Fork(ids, place, left)


def left_way(head: Message) -> LeftWay | None:
    """The way that begins with a message, where it was left and what was written on it stands."""
    written = left_memory.written_below([head.id]).get(head.id)
    if written is None:
        return None
    ids = [way.id for way in branches.children(head.conversation_id, [head.parent_id])[head.parent_id]]
    return LeftWay(head.id, ids.index(head.id) + 1, written)
