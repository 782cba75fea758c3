"""Writing passages: three statements, however many they are."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connection

from memory import index, provenance
from memory.index.entries import as_json
from memory.models import Passage

# By hand, since whatever is filed comes through here: the ORM and the driver take each value of each row by
# itself, which for a hundred passages costs about as much as all that PostgreSQL does.
COLUMNS = [field.attname for field in Passage._meta.concrete_fields]
NAMES = ", ".join(f'"{name}"' for name in COLUMNS)
INSERT = f"""
INSERT INTO memory_passage ({NAMES}) SELECT {NAMES} FROM json_populate_recordset(NULL::memory_passage, %s)
"""


def store(passages: Sequence[Passage], *, parent: tuple[str, uuid.UUID] | None, hidden: bool = False) -> None:
    """Write new passages, what they were made of, and their entries. Raises OutsideScope."""
    _insert(passages)
    if parent:
        children = [("passage", passage.id) for passage in passages]
        provenance.derive_all(passages[0].workspace_id, parent=parent, children=children)
    index.index_passages(passages, hidden=hidden)


def _insert(passages: Sequence[Passage]) -> None:
    for passage in passages:
        passage.check_scope()
    rows = [{name: getattr(passage, name) for name in COLUMNS} for passage in passages]
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [as_json(rows)])
    for passage in passages:
        passage._state.adding, passage._state.db = False, connection.alias
