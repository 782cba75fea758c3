"""What is slow is asked while no transaction is open: work that needs it leaves its own and begins anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from memory.retrieval.rerank import RerankFailed, SecondStage

# What was found changes while it is ranked: then the ranking is asked for once more, and not for ever.
ASKED_AT_MOST = 2

Answer = list[float] | RerankFailed
T = TypeVar("T")


def begin_anew(work: Callable[[Asides], T]) -> T:
    """Do work that opens a transaction of its own; what it has to ask meanwhile is asked outside of that.

    Work that was left has committed nothing; when it begins anew, it finds what was answered.
    """
    asides = Asides()
    while True:
        try:
            return work(asides)
        except Aside as aside:
            aside.ask()


@dataclass
class Asides:
    """What has been asked so far for one piece of work, with the answers."""

    heard: dict[tuple[str, ...], Answer] = field(default_factory=dict)

    def deferred(self, stage: SecondStage | None) -> SecondStage | None:
        """A second stage that answers what was heard of it, and raises Aside where that is nothing yet."""
        return Deferred(stage, self.heard) if stage else None


class Aside(Exception):
    """A second stage is to be asked, once the transaction is left."""

    def __init__(self, deferred: Deferred, query: str, texts: Sequence[str]) -> None:
        super().__init__(Aside.__doc__)
        self._deferred, self._query, self._texts = deferred, query, texts

    def ask(self) -> None:
        """Ask, and keep the answer; that it failed is an answer too."""
        self._deferred.ask(self._query, self._texts)


class Deferred:
    """A second stage whose answers were given outside of the transaction."""

    def __init__(self, stage: SecondStage, heard: dict[tuple[str, ...], Answer]) -> None:
        self.name = stage.name
        self._stage = stage
        self._heard = heard

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """What the stage answered. Raises RerankFailed where it failed, Aside where it was not asked."""
        found = self._heard.get((query, *texts))
        if found is None and len(self._heard) < ASKED_AT_MOST:
            raise Aside(self, query, texts)
        if found is None:
            raise RerankFailed("What was found changes faster than it is ranked.")
        if isinstance(found, RerankFailed):
            raise found
        return found

    def ask(self, query: str, texts: Sequence[str]) -> None:
        """Ask the stage itself."""
        try:
            self._heard[(query, *texts)] = self._stage(query, texts)
        except RerankFailed as error:
            self._heard[(query, *texts)] = error
