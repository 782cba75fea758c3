"""One-step turns and turns with a memory write, over the API, with an instant stub model."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.db import connection

from agents import services
from agents.lease import TurnKey
from agents.llm import catalog
from agents.models import Agent, LanguageModel, Provider
from agents.tasks import enqueue
from agents.turn import run_turn
from benchmarks.cpu import Group, family, serving
from memsite.bootstrap import bootstrap
from tenants.models import User
from tenants.scope import Identity, scope
from tenants.services import seats_of
from tests.live import Live, free_port

ROUNDS, TURNS = 5, 40
PASSWORD = "a password for benchmarks"


def measure(folder: Path) -> None:
    """Print CPU per turn and process, memory, and round trips."""
    site = Live(dict(os.environ) | {"MEMSITE_LOG": "WARNING"}, free_port(), folder)
    for name in ("worker", "beat", "web"):
        site.start(name)
    try:
        _print_memory("memory after start", site)
        for title, flags in (("one step", []), ("two steps, a memory write", ["--memory"])):
            with stub_model(*flags) as url:
                _measure_shape(site, title, url)
        _print_memory("memory after the turns", site)
    finally:
        site.stop()


def _measure_shape(site: Live, title: str, url: str) -> None:
    key, identity, agent = _prepare(title, url)
    api = httpx.Client(base_url=f"{site.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60)
    groups = _groups(site)
    talk = _talker(api, agent)
    for _ in range(5):
        talk()
    costs = [_cost(groups, talk) for _ in range(ROUNDS)]
    _say(f"\n{title}: CPU ms per turn, median of {ROUNDS} rounds of {TURNS} turns (POST that waits)")
    for place, group in enumerate(groups):
        _say(f"  {group.name:<12} {statistics.median(cost[place] for cost in costs):7.1f}")
    _say(f"  {'all':<12} {statistics.median(sum(cost) for cost in costs):7.1f}")
    for name, count in _round_trips(identity, agent).items():
        _say(f"  round trips, {name:<8} {count:3d}")


def _cost(groups: list[Group], talk: Callable[[], None]) -> list[float]:
    before = [group.seconds() for group in groups]
    for _ in range(TURNS):
        talk()
    time.sleep(0.2)
    return [(group.seconds() - start) * 1000 / TURNS for group, start in zip(groups, before, strict=True)]


def _talker(api: httpx.Client, agent: uuid.UUID) -> Callable[[], None]:
    """A function that has one turn in a conversation of its own, which grows to 40 turns and begins anew."""
    state: dict[str, Any] = {"turns": 0, "conversation": ""}

    def talk() -> None:
        if state["turns"] % 20 == 0:
            state["conversation"] = api.post("/conversations/", json={"agent": str(agent)}).json()["id"]
        state["turns"] += 1
        answer = api.post(
            f"/conversations/{state['conversation']}/messages/",
            json={"content": "What did we decide on Monday?", "client_id": uuid.uuid4().hex},
        )
        assert answer.json()["turn"]["status"] == "done", answer.text

    return talk


def _round_trips(identity: Identity, agent: uuid.UUID) -> dict[str, int]:
    """Statements, BEGIN and COMMIT of one turn, counted in this process."""
    with scope(identity):
        chat = services.start_chat(agent_id=agent)
    counts = {}
    services.turn_queued.disconnect(enqueue)  # the work is done here, where it can be counted
    connection.force_debug_cursor = True
    for _ in range(2):  # the second one is warm
        connection.queries_log.clear()
        with scope(identity):
            turn = services.receive_message(
                conversation_id=chat.conversation_id, content="hello", client_id=uuid.uuid4().hex
            )
        counts["receive"] = len(connection.queries_log)
        connection.queries_log.clear()
        for _ in run_turn(TurnKey(turn.tenant_id, turn.workspace_id, turn.id)):
            pass
        counts["worker"] = len(connection.queries_log)
    connection.force_debug_cursor = False
    services.turn_queued.connect(enqueue)
    return counts


def _prepare(title: str, url: str) -> tuple[str, Identity, uuid.UUID]:
    slug = f"bench-{uuid.uuid4().hex[:8]}"
    made = bootstrap(slug=slug, email=f"{slug}@example.com", password=PASSWORD, name="Bench")
    user = User.objects.get(email=f"{slug}@example.com")
    identity = Identity(seats_of(user.id)[0].tenant_id, user.id)
    with scope(identity):
        provider = Provider(name=title, base_url=url)
        catalog.conceal(provider, "a key of no value")
        provider.save()
        model = LanguageModel.objects.create(provider=provider, name="stub")
        Agent.objects.filter(id=made["agent"]).update(model=model)
    return made["api_key"], identity, uuid.UUID(made["agent"])


@contextmanager
def stub_model(*flags: str) -> Iterator[str]:
    """The stub model as a process; answers its base URL."""
    command = [sys.executable, "-m", "benchmarks.stub_model", "--port", str(free_port()), *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def _groups(site: Live) -> list[Group]:
    own = [family(name, site.processes[name].pid) for name in ("web", "worker")]
    database = int(connection.settings_dict["PORT"])
    broker = urlsplit(os.environ["CELERY_BROKER_URL"]).port or 6379
    return [*own, serving("PostgreSQL", database), serving("broker", broker)]


def _print_memory(title: str, site: Live) -> None:
    groups = [*_groups(site), family("beat", site.processes["beat"].pid)]
    _say(f"{title}: " + ", ".join(f"{group.name} {group.megabytes():.0f} MB" for group in groups))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
