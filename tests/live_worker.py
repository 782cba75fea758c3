"""The worker and beat of live tests: the real ones, which die where a test asks for it.

MEMSITE_KILL_FILE is a file that names points of a turn, one a line: a worker that reaches the first of them
takes its line out and dies. MEMSITE_SWEEP is how often turns are swept, in seconds, where not every 5.
"""

import os
import signal
from pathlib import Path

from agents import points
from memsite.celery import app

__all__ = ["app"]


def die(point: str) -> None:
    asked = Path(os.environ["MEMSITE_KILL_FILE"])
    lines = asked.read_text().split() if asked.exists() else []
    if lines[:1] == [point]:
        asked.write_text("\n".join(lines[1:]))
        os.kill(os.getpid(), signal.SIGKILL)


if os.environ.get("MEMSITE_KILL_FILE"):
    points.watch(die)
if os.environ.get("MEMSITE_SWEEP"):
    app.conf.beat_schedule["sweep-turns"]["schedule"] = float(os.environ["MEMSITE_SWEEP"])
