"""What a set for measuring is made of: chats, and questions whose evidence is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


class Malformed(Exception):
    """The file is not what it should be."""


@dataclass(frozen=True)
class Line:
    """One message: `id` as its set calls it, the sitting (`session`) it is of, who wrote it, and when."""

    id: str
    session: str
    at: datetime
    by: str
    text: str
    is_agents: bool = False


@dataclass(frozen=True)
class Chat:
    """A conversation, oldest message first."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Question:
    """What is asked; `evidence` are the ids of the messages that answer it, at least one.

    `stands_alone` says whether these messages say by themselves what they are about, where the set tells:
    "Our dog is called Rex" does, "Rex" after "What is it called?" does not.
    """

    text: str
    kind: str
    evidence: frozenset[str]
    stands_alone: bool | None = None


@dataclass(frozen=True)
class Sample:
    """The chats that one agent has had, and what it is asked: each question is a search over all of them."""

    name: str
    chats: tuple[Chat, ...]
    questions: tuple[Question, ...]
    without_evidence: int = 0
    lost_evidence: int = 0

    @property
    def messages(self) -> int:
        """How many messages there are in all."""
        return sum(len(chat.lines) for chat in self.chats)

    def sessions(self) -> dict[str, str]:
        """The session of each message, by the message's id."""
        return {line.id: line.session for chat in self.chats for line in chat.lines}


def first_questions(sample: Sample, most: int | None) -> Sequence[Question]:
    """The questions to ask: all, or the first so many."""
    return sample.questions if most is None else sample.questions[:most]
