"""Many writers of one block at the same time, each a process with an interpreter of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

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
        ours, theirs = zip(*(socket.socketpair() for _ in range(number)), strict=True)
        descriptors = [end.fileno() for end in theirs]
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *map(str, descriptors)],
            cwd=ROOT,
            env=environment,
            pass_fds=descriptors,
        )
        self.ends = [end.makefile("rw") for end in ours]
        for end in (*ours, *theirs):
            end.close()

    def __enter__(self) -> Writers:
        for end in self.ends:
            assert _answer(end) == {"ready": True}
        return self

    def __exit__(self, *unused: object) -> None:
        for end in self.ends:
            end.close()
        self.process.wait()

    def do(self, jobs: list[Job]) -> list[Done]:
        """Give each job to a process of its own, all at once, and wait for all."""
        assert len(jobs) <= len(self.ends)
        at_work = list(zip(self.ends, jobs, strict=False))
        for end, job in at_work:
            end.write(job.sent())
            end.flush()
        return [Done(**_answer(end)) for end, _ in at_work]


def deal(job: Job, lines: list[str], *, writers: int) -> list[Job]:
    """The lines dealt out to so many writers, each an agent of its own."""
    return [replace(job, agent=uuid.uuid4(), lines=tuple(lines[place::writers])) for place in range(writers)]


def _answer(end: TextIO) -> Any:
    line = end.readline()
    assert line, "a writer ended"
    return json.loads(line)
