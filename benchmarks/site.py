"""What benchmarks share: a running site with the CPU of its programs, a tenant of their own, and printing."""

from __future__ import annotations

import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from django.db import connection

from evaluation.cpu import Group, family, serving
from memsite.bootstrap import bootstrap
from tenants.models import User
from tenants.scope import Identity
from tenants.services import seats_of
from tests.live import Live, free_port

PASSWORD = "a password for benchmarks"
OWNER: list[str] = []
"""Where the owner of the tables connects, for what a benchmark does to them; the site never sees it."""


@dataclass(frozen=True)
class Account:
    """A tenant of a benchmark's own: its owner's key and identity, and the first agent."""

    key: str
    identity: Identity
    agent: uuid.UUID

    def api(self, url: str) -> httpx.Client:
        """A client of the site at `url`."""
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=60)


def owner_url() -> str:
    """Where the owner of the tables connects."""
    return OWNER[0]


def open_account() -> Account:
    """A new tenant, as the command `bootstrap` makes it."""
    slug = f"bench-{uuid.uuid4().hex[:8]}"
    email = f"{slug}@example.com"
    made = bootstrap(slug=slug, email=email, password=PASSWORD, name="Bench")
    user = User.objects.get(email=email)
    identity = Identity(seats_of(user.id)[0].tenant_id, user.id)
    return Account(made["api_key"], identity, uuid.UUID(made["agent"]))


@contextmanager
def running(folder: Path, *programs: str, embeds: bool = False) -> Iterator[Live]:
    """The site's programs, started in this order and ended afterwards. The worker embeds only where asked:
    what that costs is measured by itself (`embedding`)."""
    given = {"MEMSITE_LOG": "WARNING", "MEMSITE_EMBEDS": "yes" if embeds else "no"}
    site = Live(dict(os.environ) | given, free_port(), folder)
    try:
        for name in programs:
            site.start(name)
        yield site
    finally:
        site.stop()


def groups_of(site: Live, *programs: str) -> list[Group]:
    """Programs of the site, each with its processes, and PostgreSQL."""
    return [*(family(name, site.processes[name].pid) for name in programs), database()]


def database() -> Group:
    """Every process of PostgreSQL that there is now; what is born later counts when it has ended."""
    return serving("PostgreSQL", int(connection.settings_dict["PORT"]))


def broker() -> Group:
    """The message broker."""
    return serving("broker", urlsplit(os.environ["CELERY_BROKER_URL"]).port or 6379)


def costs(groups: list[Group], act: Callable[[], object], *, times: int, rounds: int) -> list[list[float]]:
    """CPU ms per act for each group, in each round of so many acts."""
    return [_cost(groups, act, times) for _ in range(rounds)]


def _cost(groups: list[Group], act: Callable[[], object], times: int) -> list[float]:
    before = [group.seconds() for group in groups]
    for _ in range(times):
        act()
    time.sleep(0.2)
    return [(group.seconds() - start) * 1000 / times for group, start in zip(groups, before, strict=True)]


def medians(found: list[list[float]]) -> list[float]:
    """The median over the rounds for each group, and last the median of the sums."""
    return [statistics.median(column) for column in zip(*([*each, sum(each)] for each in found), strict=True)]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
