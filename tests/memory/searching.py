"""How tests of search ask."""

from __future__ import annotations

from typing import Any

from memory import retrieval
from memory.retrieval import Filters
from tests.cast import Person


def found(person: Person, query: str, **filters: Any) -> list[str]:
    """The texts that a person's search finds, best first."""
    with person.scope():
        return [hit.text for hit in retrieval.search(query, Filters(**filters), limit=50).hits]
