"""What programs do most with blocks over the API, beside the Letta server: list an agent's, change one."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from agents.blocks import add_agent_block
from agents.core_memory import agent_blocks
from agents.models import Agent
from benchmarks.site import Account, costs, groups_of, medians, open_account, running, say
from memory.core import BlockFields
from memory.models import Block
from tenants.scope import scope

ROUNDS, TIMES, BLOCKS = 5, 200, 6
# CPU ms of the app and of PostgreSQL, measured with Letta 0.16.8 on another day; and what memsite aims at.
LETTA = {"list": (26, 8), "change": (57, 15)}
GOALS = {"list": 5, "change": 8}


def measure(folder: Path) -> None:
    """Print CPU per request for the web process and PostgreSQL."""
    account = open_account()
    block = _fill(account)
    with running(folder, "web") as site, account.api(site.url) as api:
        say(f"\nblocks over the API: CPU ms per request, median of {ROUNDS} rounds of {TIMES}")
        say(f"  {'':<46} {'web':>6} {'PostgreSQL':>10} {'all':>6} {'goal':>6}   Letta")
        for kind, title, act in (
            ("list", f"list an agent's {BLOCKS} blocks", lambda: _list(api, account)),
            ("change", "change a block (PATCH with If-Match)", _changer(api, block)),
            ("change", "change a block (an operation)", _operator(api, block)),
        ):
            for _ in range(30):
                act()
            web, database, whole = medians(costs(groups_of(site, "web"), act, times=TIMES, rounds=ROUNDS))
            letta = " + ".join(map(str, LETTA[kind]))
            say(f"  {title:<46} {web:6.1f} {database:10.1f} {whole:6.1f} {GOALS[kind]:6d}   {letta}")


def _fill(account: Account) -> Block:
    """The agent gets so many blocks of a usual length; answers the last."""
    with scope(account.identity):
        agent = Agent.objects.get(id=account.agent)
        for place in range(BLOCKS - len(agent_blocks(agent))):
            text = "\n".join(f"What was decided in week {week}." for week in range(20))
            block = add_agent_block(agent.id, BlockFields(label=f"notes_{place}", value=text))
        assert len(agent_blocks(agent)) == BLOCKS
        return block


def _list(api: httpx.Client, account: Account) -> None:
    answer = api.get(f"/agents/{account.agent}/blocks/")
    assert answer.status_code == 200, answer.text
    assert len(_listed(answer.json())) == BLOCKS


def _listed(body: Any) -> list[Any]:
    return list(body["results"] if isinstance(body, dict) else body)


def _changer(api: httpx.Client, block: Block) -> Callable[[], None]:
    """A function that puts another text in the block, saying which version it saw."""
    version = itertools.count(1)

    def change() -> None:
        value = f"{block.value}\nLast: {uuid.uuid4()}"
        number = next(version)
        answer = api.patch(f"/blocks/{block.id}/", json={"value": value}, headers={"If-Match": f'"{number}"'})
        assert answer.status_code == 200, answer.text

    return change


def _operator(api: httpx.Client, block: Block) -> Callable[[], None]:
    """A function that replaces the block's last line with another."""

    def operate() -> None:
        body = {"operation": "rethink", "content": f"{block.value}\nLast: {uuid.uuid4()}"}
        answer = api.post(f"/blocks/{block.id}/operations/", json=body)
        assert answer.status_code == 200, answer.text

    return operate
