"""One-step turns and turns with a memory write, over the API, with an instant stub model."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from django.db import connection

from agents import services
from agents.llm import catalog
from agents.models import Agent, LanguageModel, Provider
from agents.tasks import enqueue
from agents.turns import line
from agents.turns.loop import run_turn
from benchmarks.site import Account, broker, costs, groups_of, medians, open_account, running, say
from evaluation.cpu import Group, family
from tenants.scope import Identity, RowKey, scope
from tests.live import Live, free_port

ROUNDS, TURNS = 5, 40


def measure(folder: Path) -> None:
    """Print CPU per turn and process, memory, and round trips."""
    with running(folder, "worker", "beat", "web") as site:
        _print_memory("memory after start", site)
        for title, flags in (("one step", []), ("two steps, a memory write", ["--memory"])):
            with stub_model(*flags) as url:
                _measure_shape(site, title, url)
        _print_memory("memory after the turns", site)


def _measure_shape(site: Live, title: str, url: str) -> None:
    account = _prepare(title, url)
    groups = _groups(site)
    talk = _talker(account.api(site.url), account.agent)
    for _ in range(5):
        talk()
    found = medians(costs(groups, talk, times=TURNS, rounds=ROUNDS))
    say(f"\n{title}: CPU ms per turn, median of {ROUNDS} rounds of {TURNS} turns (POST that waits)")
    for name, cost in zip([*(group.name for group in groups), "all"], found, strict=True):
        say(f"  {name:<12} {cost:7.1f}")
    for name, count in _round_trips(account.identity, account.agent).items():
        say(f"  round trips, {name:<8} {count:3d}")


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
    line.turn_queued.disconnect(enqueue)  # the work is done here, where it can be counted
    connection.force_debug_cursor = True
    for _ in range(2):  # the second one is warm
        connection.queries_log.clear()
        with scope(identity):
            turn = services.receive_message(
                conversation_id=chat.conversation_id, content="hello", client_id=uuid.uuid4().hex
            )
        counts["receive"] = len(connection.queries_log)
        connection.queries_log.clear()
        for _ in run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id)):
            pass
        counts["worker"] = len(connection.queries_log)
    connection.force_debug_cursor = False
    line.turn_queued.connect(enqueue)
    return counts


def _prepare(title: str, url: str) -> Account:
    account = open_account()
    with scope(account.identity):
        provider = Provider(name=title, base_url=url)
        catalog.conceal(provider, "a key of no value")
        provider.save()
        model = LanguageModel.objects.create(provider=provider, name="stub")
        Agent.objects.filter(id=account.agent).update(model=model)
    return account


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
    return [*groups_of(site, "web", "worker"), broker()]


def _print_memory(title: str, site: Live) -> None:
    groups = [*_groups(site), family("beat", site.processes["beat"].pid)]
    say(f"{title}: " + ", ".join(f"{group.name} {group.megabytes():.0f} MB" for group in groups))
