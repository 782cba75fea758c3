"""The nested key-value task, run on the archives of agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from agents.archives import archive_for
from agents.models import Agent
from agents.retrieval import search_passages
from evaluation import loading
from evaluation.meter import Meter
from evaluation.metrics import percent
from evaluation.nested_kv import Case, follow
from memory.actors import Actor, ActorKind
from memory.archival import NewPassage, insert_passages
from tenants.scope import Identity, scope

TOP = 10


class Archived:
    """A case whose pairs are passages of an agent of its own; counts how often it was looked up."""

    def __init__(self, identity: Identity, case: Case, name: str) -> None:
        self.case = case
        self.lookups = 0
        self._identity = identity
        self._agent: Agent = loading.new_agent(identity, name)
        with scope(identity) as reach:
            archive = archive_for(self._agent, reach.home)
            new = [NewPassage(content=text) for text in case.texts()]
            insert_passages(archive, new, actor=Actor(ActorKind.AGENT, self._agent.id, self._agent.name))

    def is_solved(self) -> bool:
        """Whether looking keys up leads to the value at the end of the chain."""
        return follow(self.case.key, self._look) == self.case.answer

    def _look(self, key: str) -> list[str]:
        self.lookups += 1
        with scope(self._identity):
            return [hit.text for hit in search_passages(self._agent, key, limit=TOP).hits]


def measure(identity: Identity, cases: Iterable[Case], say: Callable[[str], object]) -> dict[str, Any]:
    """File all cases, embed, look up: `cases` and `accuracy` in percent by number of hops, and the cost."""
    meter = Meter()
    archived = [Archived(identity, case, f"case {number}") for number, case in enumerate(cases, 1)]
    cost_of_filing = meter.lap()
    passages = sum(len(each.case.pairs) for each in archived)
    say(f"{len(archived)} archives with {passages} passages")
    loading.embed_all(identity, say)
    cost_of_embedding = meter.lap()
    solved = {each: each.is_solved() for each in archived}
    spent = meter.lap()
    lookups = sum(each.lookups for each in archived)
    return {
        "hops": _by_hops(solved),
        "archives": len(archived),
        "passages": passages,
        "lookups": lookups,
        "not_embedded": loading.unembedded(identity),
        "cpu_ms_per_query": spent.in_milliseconds(lookups),
        "cpu_seconds": {
            "filing": cost_of_filing.in_seconds(),
            "embedding": cost_of_embedding.in_seconds(),
        },
    }


def _by_hops(solved: dict[Archived, bool]) -> dict[str, dict[str, Any]]:
    numbers = sorted({each.case.hops for each in solved})
    of = {hops: [right for each, right in solved.items() if each.case.hops == hops] for hops in numbers}
    return {str(hops): {"cases": len(found), "accuracy": percent(found)} for hops, found in of.items()}
