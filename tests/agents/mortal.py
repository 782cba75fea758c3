"""A site whose worker dies and is started again, as a supervisor does it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from agents.models import Turn, TurnEvent
from tests.cast import Person
from tests.live import Live, make_live

QUICK = {"MEMSITE_TURN_LEASE": "2", "MEMSITE_SWEEP": "1"}


class MortalSite:
    """Worker and beat on the test database; `die_at` says where the worker dies next."""

    def __init__(self, **environment: str) -> None:
        self.live: Live = make_live(**environment)
        self._points: Path = self.live.folder / "die-at"
        self.live.environment["MEMSITE_KILL_FILE"] = str(self._points)
        self.deaths = 0
        self._over = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, name="supervisor")

    def __enter__(self) -> MortalSite:
        for name in ("worker", "beat"):
            self.live.start(name)
        self._supervisor.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self._over.set()
        self._supervisor.join()
        self.live.stop()

    def die_at(self, *points: str) -> None:
        """The worker dies when it reaches the first of these points, then at the next, and so on."""
        self._points.write_text("\n".join(points))

    def kill_worker(self) -> None:
        """`kill -9`; the supervisor starts another one."""
        self.live.processes["worker"].kill()

    def _supervise(self) -> None:
        while not self._over.wait(0.1):
            if not self.live.is_running("worker"):
                self.deaths += 1
                self.live.start("worker")


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    """Wait for something that comes by itself."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it did not come about")
        time.sleep(0.05)


def has_told(person: Person, turn: Turn, text: str) -> bool:
    """Whether such text stands in a turn's events."""
    with person.scope():
        told = TurnEvent.objects.filter(turn=turn, kind="text").order_by("seq")
        return text in "".join(event.data["text"] for event in told)
