"""Sixteen processes that write one block: commits a second, lost lines, and what each commit costs.

Beside it the naive way, read and write the whole, which is what this house does not do.
"""

from __future__ import annotations

import os
import statistics
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from benchmarks.site import Account, database, open_account, say
from memory import core
from memory.core import BlockFields
from memory.models import Block, BlockVersion
from tenants.models import Workspace
from tenants.scope import scope
from tests.memory.writers import Job, Writers, deal

WRITERS, LINES, ROUNDS = 16, 1_000, 3
TITLES = {"append": "operations (memsite)", "overwrite": "read, then write the whole"}


@dataclass(frozen=True)
class Run:
    """One run: what became of its lines, and what it took. CPU is in seconds."""

    lost: int
    versions: int
    wall: float
    writers: float
    database: float


def measure(folder: Path) -> None:
    """Print both ways beside each other, their runs taken in turns."""
    account = open_account()
    with Writers(WRITERS, os.environ) as writers:
        _run(writers, account, "append", 2 * WRITERS)  # connections are made
        runs = [{kind: _run(writers, account, kind, LINES) for kind in TITLES} for _ in range(ROUNDS)]
    say(f"\n{WRITERS} processes, {LINES} lines into one block: median of {ROUNDS} rounds")
    say(
        f"  {'':<28} {'lost':>5} {'versions':>8} {'commits/s':>9} {'wall s':>7}   CPU ms each: app + database"
    )
    for kind, title in TITLES.items():
        _print(title, [each[kind] for each in runs])


def _print(title: str, runs: list[Run]) -> None:
    def median(name: str) -> float:
        return statistics.median(getattr(run, name) for run in runs)

    wall, versions = median("wall"), median("versions")
    lost = max(run.lost for run in runs)
    cost = " + ".join(f"{median(name) * 1000 / LINES:.1f}" for name in ("writers", "database"))
    say(f"  {title:<28} {lost:5d} {versions:8.0f} {LINES / wall:9.0f} {wall:7.2f}   {cost}")


def _run(writers: Writers, account: Account, kind: str, number: int) -> Run:
    block, lines = _new_block(account), [f"line {place}" for place in range(number)]
    job = Job(kind, block.id, account.identity, account.key)
    group = database()
    before, start = group.seconds(), time.monotonic()
    done = writers.do(deal(job, lines, writers=WRITERS))
    wall, postgres = time.monotonic() - start, group.seconds() - before
    with scope(account.identity):
        kept = Block.objects.get(id=block.id).value.split("\n")
        versions = BlockVersion.objects.filter(block=block).count() - 1
    lost = len(set(lines) - set(kept))
    return Run(lost, versions, wall, sum(each.cpu for each in done), postgres)


def _new_block(account: Account) -> Block:
    with scope(account.identity) as reach:
        return core.create_block(
            workspace_id=reach.of_kind(Workspace.Kind.PERSONAL)[0],
            fields=BlockFields(label=f"shared_{uuid.uuid4().hex[:8]}", limit=100_000),
            actor=core.by_me(),
        )
