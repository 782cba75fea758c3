"""The worker and beat of live tests: the real ones, which die where a test asks for it.

MEMSITE_KILL_FILE is a file that names points of a turn, one a line: a worker that reaches the first of them
takes its line out and dies. MEMSITE_SWEEP is how often turns, documents and what is not embedded are swept,
in seconds.
MEMSITE_EMBEDS=no leaves rows unembedded, for measurements in which that is not to be counted.
MEMSITE_BELL is the address of a bell that agents can ring (`tests.agents.bell`).
"""

import os
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

from celery.signals import worker_init, worker_ready

from agents.turns import points
from memsite.celery import app

__all__ = ["app"]


def die(point: str) -> None:
    asked = Path(os.environ["MEMSITE_KILL_FILE"])
    lines = asked.read_text().split() if asked.exists() else []
    if lines[:1] == [point]:
        asked.write_text("\n".join(lines[1:]))
        os.kill(os.getpid(), signal.SIGKILL)


def embed_nothing(**_: Any) -> None:
    import_module("memory.embedding.jobs").rota().stop()  # Django is set up by now


def hang_a_bell(**_: Any) -> None:
    bell = import_module("tests.agents.bell")
    import_module("agents.tools.catalog").TOOLS["ring_bell"] = bell.tool_of(os.environ["MEMSITE_BELL"])


if os.environ.get("MEMSITE_KILL_FILE"):
    points.watch(die)
if os.environ.get("MEMSITE_SWEEP"):
    for name in ("sweep-turns", "sweep-approvals", "sweep-documents", "sweep-unembedded"):
        app.conf.beat_schedule[name]["schedule"] = float(os.environ["MEMSITE_SWEEP"])
if os.environ.get("MEMSITE_BELL"):
    worker_init.connect(hang_a_bell)
if os.environ.get("MEMSITE_EMBEDS") == "no":
    worker_ready.connect(embed_nothing)
