"""A launcher in a process of its own, on a data folder and in an environment that nobody else shares."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from memsite.embedded.folder import PROJECT, read_environment

PATIENCE = 150.0
# A command that says when the services are there, and then waits to be ended.
WAITING = (sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(600)")


class Launcher:
    """Starts `python -m memsite.embedded` on one data folder."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = unused_port()
        self._place = Path(tempfile.mkdtemp())
        self._started: list[subprocess.Popen[str]] = []

    def environment(self, changes: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment without what the tests themselves were given."""
        ours = ("DATABASE_", "CELERY_", "MEMSITE_", "SECRET_KEY", "PORT", "PYTEST_", "DJANGO_")
        bare = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return bare | {"MEMSITE_DATA": str(self.data), "PORT": str(self.port)} | dict(changes or {})

    def start(self, *arguments: str, changes: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Starts the launcher; what it says goes to files that `said` reads."""
        outputs = [self._place.joinpath(name).open("w") for name in ("out", "err")]
        process = subprocess.Popen(
            [sys.executable, "-m", "memsite.embedded", *arguments],
            cwd=PROJECT,
            env=self.environment(changes),
            stdout=outputs[0],
            stderr=outputs[1],
            text=True,
        )
        for output in outputs:
            output.close()
        self._started.append(process)
        return process

    def start_services(self, *, fast: bool = True) -> subprocess.Popen[str]:
        """Starts the services alone and waits until they are there. Fast ones may lose their last second."""
        process = self.start("exec", *(["--fast"] if fast else []), "--", *WAITING)
        until(lambda: "ready" in self.said() or process.poll() is not None)
        assert process.poll() is None, self.complained()
        return process

    def execute(
        self, *command: str, fast: bool = True, changes: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command with the services to its end."""
        options = ["--fast"] if fast else []
        return self.finish("exec", *options, "--", *command, changes=changes)

    def finish(
        self, *arguments: str, changes: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs the launcher to its end."""
        process = self.start(*arguments, changes=changes)
        code = process.wait(timeout=PATIENCE)
        return subprocess.CompletedProcess(arguments, code, self.said(), self.complained())

    def said(self) -> str:
        """What the launcher that was started last has written so far."""
        return (self._place / "out").read_text()

    def complained(self) -> str:
        """What it has written to its standard error so far."""
        return (self._place / "err").read_text()

    def addresses(self) -> dict[str, str]:
        """The addresses that the launcher wrote into the data folder."""
        return read_environment(self.data / "memsite.env") | read_environment(self.data / "owner.env")

    def pids(self) -> dict[str, int]:
        """The numbers of the processes that it looks after, by name."""
        found = {}
        for file in (self.data / "pids").glob("*.pid"):
            with contextlib.suppress(FileNotFoundError, ValueError):  # it may end, or begin, just now
                found[file.stem] = json.loads(file.read_text())["pid"]
        return found

    def kill_everything(self) -> None:
        """`kill -9` of the launcher and of all that it started, none of which can do anything about it."""
        running = [process for process in self._started if process.poll() is None]
        for process in running:
            process.send_signal(signal.SIGSTOP)
        for pid in [*self.pids().values(), *(process.pid for process in running)]:
            kill(pid)
        for process in running:
            process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stops what a test left running."""
        for process in self._started:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=PATIENCE)
        shutil.rmtree(self._place)
        if self.cluster.parent != self.data and self.cluster.exists():
            shutil.rmtree(self.cluster.parent)

    @property
    def cluster(self) -> Path:
        """Where PostgreSQL's files lie."""
        file = self.data / "embedded.json"
        with contextlib.suppress(FileNotFoundError, ValueError):
            return Path(json.loads(file.read_text())["cluster"] or self.data / "postgres")
        return self.data / "postgres"


def kill(pid: int) -> None:
    """`kill -9`, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def until(is_true: Callable[[], object]) -> None:
    """Waits until something is so; fails when it takes unreasonably long."""
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.02)


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
