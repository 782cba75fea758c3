"""One writer of a block: a process that reads jobs from a socket, a line of JSON each, and answers each.

`tests.memory.writers` starts one process, which loads Django and then forks into all of them. A writer is
as far from its fellows as workers and web processes are: an interpreter, a pool of connections and a scope
of its own.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
import time
import uuid
from contextlib import suppress
from typing import Any, TextIO

from memory import core
from memory.actors import Actor, ActorKind
from memory.models import Block
from memory.operations import Append
from tenants.scope import Identity, scope
from tests.cast import Client


def main() -> None:
    """Become a writer for each descriptor of a socket that the arguments name, and wait for all to end."""
    descriptors = [int(each) for each in sys.argv[1:]]
    while descriptors:
        own = descriptors.pop()
        if not os.fork():
            for other in descriptors:
                os.close(other)
            return work(own)
        os.close(own)
    with suppress(ChildProcessError):
        while os.wait():
            pass
    return None


def work(descriptor: int) -> None:
    """Say that one is ready, then do jobs until the socket closes."""
    with socket.socket(fileno=descriptor) as end, end.makefile("rw") as stream:
        say(stream, {"ready": True})
        for line in stream:
            job = json.loads(line)
            start = time.process_time()
            refused = KINDS[job["kind"]](job)
            say(stream, {"refused": refused, "cpu": time.process_time() - start})


def say(stream: TextIO, answer: dict[str, Any]) -> None:
    stream.write(json.dumps(answer) + "\n")
    stream.flush()


def append(job: dict[str, Any]) -> int:
    """An agent: each line is one operation on whatever stands there."""
    agent = Actor(ActorKind.AGENT, uuid.UUID(job["agent"]))
    for line in job["lines"]:
        with scope(identity(job)):
            core.operate(uuid.UUID(job["block"]), Append(line), actor=agent)
        time.sleep(random.uniform(0, 2 * job["rest"]))
    return 0


def edit(job: dict[str, Any]) -> int:
    """A person at the API, who says which version they saw and tries again with what they missed.

    They opened the block while it was new and empty: of several people at most one meets nobody.
    """
    api = Client(headers={"Authorization": f"Bearer {job['key']}"}, SERVER_NAME="localhost")
    address, refused = f"/api/v1/blocks/{job['block']}/", 0
    seen = {"value": "", "version": 1}
    for line in job["lines"]:
        held, version = seen["value"], seen["version"]
        while (answer := change(api, address, held, version, line)).status_code != 200:
            assert answer.status_code == 409, answer.content
            held, version = answer.json()["theirs"], answer.json()["version"]
            refused += 1
        time.sleep(random.uniform(0, 2 * job["rest"]))
        seen = api.get(address).json()
    return refused


def change(api: Client, address: str, held: str, version: int, line: str) -> Any:
    body = {"value": with_line(held, line)}
    return api.patch(address, body, content_type="application/json", headers={"If-Match": f'"{version}"'})


def overwrite(job: dict[str, Any]) -> int:
    """What this house does not do: read, add the line, and write the whole, without a lock or a version."""
    for line in job["lines"]:
        with scope(identity(job)):
            held = Block.objects.get(id=job["block"]).value
        with scope(identity(job)):
            Block.objects.filter(id=job["block"]).update(value=with_line(held, line))
    return 0


def with_line(held: str, line: str) -> str:
    return f"{held}\n{line}" if held else line


def identity(job: dict[str, Any]) -> Identity:
    return Identity(uuid.UUID(job["tenant"]), uuid.UUID(job["person"]))


KINDS = {"append": append, "edit": edit, "overwrite": overwrite}
