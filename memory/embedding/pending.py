"""Embedding the rows of one workspace that wait for it.

No transaction is open while the model works. What it made is stored only where the row is still the one that
was read: a late job brings nothing back that was erased, moved or changed meanwhile. Rows that somebody else
holds wait for the next time, here and there: embedding waits for nobody's transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models.expressions import RawSQL
from pgvector import HalfVector

from memory import index
from memory.embedding.base import Embedder, Vector, unit
from memory.embedding.breaker import Breaker
from memory.embedding.catalog import current, models_in_use
from memory.embedding.composing import Part, compose
from memory.embedding.vectors import digest_of, keep, known
from memory.models import IndexEntry
from tenants.scope import in_background, scope

PAUSE = 15.0
"""Seconds for which a model that failed is not asked to embed."""
# The same row is the same version of it, as PostgreSQL counts them: whatever writes to it makes another one.
VERSION = '"memory_indexentry"."xmin"::text'
STORE = """
WITH held AS (
  SELECT e.id, new.vector FROM memory_indexentry e
  JOIN unnest(%(ids)s::uuid[], %(versions)s::text[], %(vectors)s::text[]) AS new(id, version, vector)
    ON e.id = new.id AND e.xmin::text = new.version
  WHERE e.tenant_id = %(tenant)s AND e.workspace_id = %(workspace)s
  ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED)
UPDATE memory_indexentry e SET vector = held.vector::halfvec, embedded_by = %(model)s
FROM held
WHERE e.tenant_id = %(tenant)s AND e.workspace_id = %(workspace)s AND e.id = held.id
RETURNING e.id
"""


class InTransaction(Exception):
    """Embedding takes long: a transaction may not be open around it."""


@dataclass(frozen=True)
class _Batch:
    """Rows as they were read: their versions and parts by id, and vectors that are known by digest."""

    versions: dict[uuid.UUID, str]
    parts: dict[uuid.UUID, list[Part]]
    known: dict[str, Vector]

    def missing(self) -> dict[str, str]:
        """Texts without a vector, by digest."""
        texts = {digest_of(part.text): part.text for parts in self.parts.values() for part in parts}
        return {digest: text for digest, text in texts.items() if digest not in self.known}


def embed_pending(*, tenant_id: uuid.UUID, workspace_id: uuid.UUID, limit: int | None = None) -> int:
    """Embed up to `limit` rows of a workspace that the current model has not embedded, the newest first.

    Answers how many it read; 0 where none waits. Those that changed meanwhile wait again, those whose text is
    refused for good do not. Opens its own scopes, without a person. Raises EmbedderDown, InTransaction.
    """
    if connection.in_atomic_block:
        raise InTransaction(InTransaction.__doc__)
    embedder = current()
    identity = in_background(tenant_id, workspace_id)
    with scope(identity):
        entries = _waiting(embedder.name, workspace_id, limit or embedder.batch)
        if renewed := _renew(entries):
            return renewed
        batch = _read(embedder.name, workspace_id, entries)
    made = _made(embedder, batch)
    if batch.versions:
        with scope(identity):
            _store(embedder.name, tenant_id, workspace_id, batch, made)
    return len(batch.versions)


@contextmanager
def claimed(workspace_id: uuid.UUID) -> Iterator[bool]:
    """Whether the workspace is this connection's to embed; another process has it otherwise.

    The lock only saves work. It belongs to the session, since no transaction lasts as long as the model, and
    goes with it.
    """
    key = f"embed {workspace_id}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [key])
        ours = bool(cursor.fetchone()[0])
        try:
            yield ours
        finally:
            if ours:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [key])


def _waiting(model: str, workspace_id: uuid.UUID, limit: int) -> list[Any]:
    """The newest rows that the model has not embedded, each with its `version`; ours until the transaction
    ends. Without those of them that somebody else holds: they are about to change."""
    others = [name for name in models_in_use() if name != model]
    rows = IndexEntry.objects.filter(workspace_id=workspace_id, embedded_by__in=["", *others])
    # Picked before they are locked: the many that wait need not be sorted whole.
    newest = rows.filter(id__in=rows.order_by("-occurred_at").values("id")[:limit])
    newest = newest.annotate(version=RawSQL(VERSION, [])).defer("lexemes", "vector")
    return list(newest.order_by("-occurred_at").select_for_update(skip_locked=True, no_key=True))


def _renew(entries: list[Any]) -> int:
    """Make the words of rows anew that are of an older format; they wait on. Answers how many there were."""
    old = [each for each in entries if each.format < index.FORMAT]
    if old:
        index.reindex(old)
    return len(old)


def _read(model: str, workspace_id: uuid.UUID, entries: list[Any]) -> _Batch:
    """The rows' texts, after the rows: a text that changes in between changes its row's version too."""
    versions = {entry.id: entry.version for entry in entries}
    parts = compose(entries)
    digests = {digest_of(part.text) for each in parts.values() for part in each}
    return _Batch(versions, parts, known(model, workspace_id, digests))


def _made(embedder: Embedder, batch: _Batch) -> dict[str, Vector | None]:
    """The vectors that were not known, by digest; None for a text that the model does not take."""
    missing = batch.missing()
    if not missing:
        return {}
    found = _breaker(embedder.name).call(lambda: embedder.passages(list(missing.values())))
    return dict(zip(missing, found, strict=True))


def _store(
    model: str,
    tenant_id: uuid.UUID,
    workspace_id: uuid.UUID,
    batch: _Batch,
    made: Mapping[str, Vector | None],
) -> None:
    """Write the rows that are as they were read, and remember their own texts' vectors."""
    ids = list(batch.versions)
    found = {**batch.known, **made}
    asked: dict[str, Any] = {
        "ids": ids,
        "versions": list(batch.versions.values()),
        "vectors": [_written(_sum(batch.parts[each], found)) for each in ids],
        "tenant": tenant_id,
        "workspace": workspace_id,
        "model": model,
    }
    with connection.cursor() as cursor:
        cursor.execute(STORE, asked)
        stored = [row_id for (row_id,) in cursor.fetchall()]
    own = {digest_of(part.text) for each in stored for part in batch.parts[each] if part.own}
    kept = {digest: vector for digest, vector in made.items() if vector is not None and digest in own}
    keep(model, workspace_id, kept)


def _sum(parts: list[Part], found: Mapping[str, Vector | None]) -> Vector | None:
    """The weighted sum of the parts' vectors at length 1; None where the row's own text has none."""
    weighted = [(found[digest_of(part.text)], part) for part in parts]
    if not any(vector is not None for vector, part in weighted if part.own):
        return None
    used = [(vector, part.weight) for vector, part in weighted if vector is not None]
    return unit([sum(w * v[at] for v, w in used) for at in range(len(used[0][0]))])


@cache
def _breaker(name: str) -> Breaker:
    return Breaker(PAUSE)


def _written(vector: Vector | None) -> str | None:
    return None if vector is None else HalfVector(vector).to_text()
