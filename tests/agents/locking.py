"""Which rows a piece of work locks, in which order: read off its statements, transaction by transaction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

TURN, CHAT = "turn", "conversation"
# In the order in which a statement that does both locks them: what an UPDATE reads comes first.
_LOCKS = {
    CHAT: re.compile(r'^UPDATE "memory_conversation"|\bmemory_conversation\b.* FOR NO KEY UPDATE', re.DOTALL),
    TURN: re.compile(
        r'\bUPDATE "?agents_turn\b|FROM "agents_turn".* FOR (NO KEY )?UPDATE(?! OF "memory_)', re.DOTALL
    ),
}


@contextmanager
def locks_noted() -> Iterator[dict[int, list[str]]]:
    """Note what this thread locks: for each transaction, by its number, TURN and CHAT as they come."""
    noted: dict[int, list[str]] = defaultdict(list)

    def note(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        found = execute(sql, params, many, context)
        for kind, pattern in _LOCKS.items():
            if pattern.search(sql):
                noted[_transaction()].append(kind)
        return found

    with connection.execute_wrapper(note):
        yield noted


def _transaction() -> int:
    row = connection.connection.execute("SELECT txid_current()").fetchone()
    return int(row[0])
