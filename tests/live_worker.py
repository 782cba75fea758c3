"""The worker and beat of live tests: the real ones, which die where a test asks for it.

MEMSITE_KILL_FILE is a file that names points of a turn, one a line: a worker that reaches the first of them
takes its line out and dies. MEMSITE_SWEEP is how often turns, documents and what is not embedded are swept,
in seconds.
MEMSITE_EMBEDS=no leaves rows unembedded, for measurements in which that is not to be counted.
"""

import os
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

from celery.signals import worker_ready

from agents import points
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


if os.environ.get("MEMSITE_KILL_FILE"):
    points.watch(die)
if os.environ.get("MEMSITE_SWEEP"):
    for name in ("sweep-turns", "sweep-documents", "sweep-unembedded"):
        app.conf.beat_schedule[name]["schedule"] = float(os.environ["MEMSITE_SWEEP"])
if os.environ.get("MEMSITE_EMBEDS") == "no":
    worker_ready.connect(embed_nothing)
