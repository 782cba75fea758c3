"""A large tenant's vector index finds what comparing every vector finds, or all are compared after all."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction

from memory.embedding import serving_models
from memory.retrieval import Filters, functions, large_sights
from memory.retrieval.candidates import candidates
from memory.retrieval.question import Question
from memory.scale.seeding import Home, Seeded, seed
from memory.scale.synthetic import Synthesis
from memory.scale.vector_index import build, index_name
from tenants.scope import Identity, scope

PASSAGES, TOP = 4_000, 10


@pytest.fixture(scope="module")
def seeded(database: None) -> Iterator[Seeded]:
    """Two hundred tenants; the largest has 1,600 passages."""
    serving_models()
    told: list[str] = []
    made = seed(PASSAGES, say=told.append)
    assert told == ["4,000 of 4,000 passages"]
    yield made
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {index_name(made.homes[0].tenant, made.model)}")


@pytest.fixture
def asked_always(database: None) -> Iterator[None]:
    """The index is asked however few rows are in sight."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(functions.near(0, again=True))
        yield
        cursor.execute(functions.near(large_sights.COMPARED, again=True))


def nearest(seeded: Seeded, homes: list[Home], vector: list[float]) -> list[uuid.UUID]:
    """Ids of the nearest, as search has them."""
    identity = Identity(homes[0].tenant, None, frozenset(home.workspace for home in homes))
    with scope(identity), connection.cursor() as cursor:
        # A table as small as this one is sorted otherwise.
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        rows = candidates(Filters(), Question("", ()), {seeded.model: vector}).rows
    best = sorted(rows, key=lambda row: -(row.similarity or 0.0))
    return [row.id for row in best]


def plan(seeded: Seeded, vector: list[float]) -> str:
    """How the nearest of the largest tenant are found."""
    with transaction.atomic("owner"), connections["owner"].cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(
            "EXPLAIN SELECT id FROM memory_indexentry e WHERE e.tenant_id = %s AND e.embedded_by = %s"
            " ORDER BY e.vector::halfvec(384) <#> %s::halfvec(384) LIMIT 100",
            [seeded.homes[0].tenant, seeded.model, str(vector)],
        )
        return "\n".join(row[0] for row in cursor.fetchall())


def queries(count: int = 12) -> list[list[float]]:
    source = Synthesis(PASSAGES // 100, 384)
    return [source.vector(source.topic()) for _ in range(count)]


def test_it_makes_as_many_as_it_says_the_most_of_them_in_one_tenant(seeded: Seeded) -> None:
    with connections["owner"].cursor() as cursor:
        tenants = list({home.tenant for home in seeded.homes})
        cursor.execute(
            "SELECT tenant_id, count(*) FROM memory_indexentry WHERE tenant_id = ANY (%s) GROUP BY 1",
            [tenants],
        )
        counts = dict(cursor.fetchall())
    assert sum(counts.values()) == PASSAGES
    assert len(tenants) == 200
    assert counts[seeded.homes[0].tenant] == max(counts.values()) == PASSAGES * 0.4


def test_the_index_finds_what_comparing_all_finds(seeded: Seeded, asked_always: None) -> None:
    homes = seeded.homes[:6]
    exactly = [nearest(seeded, homes, vector)[:TOP] for vector in queries()]
    name = build(homes[0].tenant, memory="64MB")
    assert name == index_name(homes[0].tenant, seeded.model)
    assert name in plan(seeded, queries(1)[0])
    found = [nearest(seeded, homes, vector) for vector in queries()]
    assert [len(each) for each in found] == [100] * len(found)
    shares = [len(set(one) & set(other[:TOP])) / TOP for one, other in zip(exactly, found, strict=True)]
    assert sum(shares) / len(shares) > 0.95


def test_where_the_index_finds_too_few_all_are_compared(seeded: Seeded, asked_always: None) -> None:
    build(seeded.homes[0].tenant, memory="64MB")
    few = [home for home in seeded.homes[:6] if 0 < home.size <= 40]
    assert few
    for vector in queries(3):
        assert len(nearest(seeded, few, vector)) == sum(home.size for home in few)


def test_with_too_few_or_an_unknown_model_it_is_refused(seeded: Seeded) -> None:
    with pytest.raises(CommandError, match="at least 10,000"):
        call_command("seed_scale", "10")
    with pytest.raises(CommandError, match="no embedding model"):
        call_command("build_vector_index", tenant=str(seeded.homes[0].tenant), model="unheard of")
