"""Finding what is remembered: one function, one narrow table, permission as a condition of the query."""

from memory.retrieval.candidates import all_of
from memory.retrieval.filters import (
    ABANDONED,
    CURRENT,
    LIMIT_MAX,
    SUPERSEDED,
    BadQuery,
    Filters,
    TagMode,
    Weights,
)
from memory.retrieval.records import Hit, LeftOut, Notice, Page, Parts
from memory.retrieval.search import search, snapshot
from memory.retrieval.sifting import Budget

__all__ = [
    "ABANDONED",
    "CURRENT",
    "LIMIT_MAX",
    "SUPERSEDED",
    "BadQuery",
    "Budget",
    "Filters",
    "Hit",
    "LeftOut",
    "Notice",
    "Page",
    "Parts",
    "TagMode",
    "Weights",
    "all_of",
    "search",
    "snapshot",
]
