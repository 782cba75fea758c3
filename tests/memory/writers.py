"""Many writers of one block at the same time, each a process with an interpreter of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tenants.scope import Identity

ROOT = Path(__file__).resolve().parents[2]
START = "import django; django.setup(); from tests.memory.writer import main; main()"


@dataclass(frozen=True)
class Job:
    """Lines for one block, written in one of the ways of `tests.memory.writer`, as somebody.

    `rest` is how many seconds a writer waits after each line, more or less.
    """

    kind: str
    block: uuid.UUID
    identity: Identity
    key: str
    rest: float = 0
    agent: uuid.UUID | None = None
    lines: tuple[str, ...] = ()

    def sent(self) -> str:
        """As one line of JSON."""
        whose = {"tenant": self.identity.tenant_id, "person": self.identity.user_id}
        return json.dumps(vars(self) | whose | {"identity": None}, default=str) + "\n"


@dataclass(frozen=True)
class Done:
    """What a writer says of its job: how often it was refused and tried again, and its CPU seconds."""

    refused: int
    cpu: float


class Writers:
    """Processes that wait for jobs; `environment` says which database and settings are theirs."""

    def __init__(self, number: int, environment: Mapping[str, str]) -> None:
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-c", START],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(number)
        ]

    def __enter__(self) -> Writers:
        for process in self.processes:
            assert _answer(process) == {"ready": True}
        return self

    def __exit__(self, *unused: object) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.communicate()

    def do(self, jobs: list[Job]) -> list[Done]:
        """Give each job to a process of its own, all at once, and wait for all."""
        assert len(jobs) <= len(self.processes)
        at_work = list(zip(self.processes, jobs, strict=False))
        for process, job in at_work:
            assert process.stdin is not None
            process.stdin.write(job.sent())
            process.stdin.flush()
        return [Done(**_answer(process)) for process, _ in at_work]


def deal(job: Job, lines: list[str], *, writers: int) -> list[Job]:
    """The lines dealt out to so many writers, each an agent of its own."""
    return [replace(job, agent=uuid.uuid4(), lines=tuple(lines[place::writers])) for place in range(writers)]


def _answer(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"writer {process.pid} ended with {process.wait()}"
    return json.loads(line)
