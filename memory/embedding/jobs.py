"""The embedding work of this process: one job at a time, so that turns always find a thread."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import structlog
from django.db import Error as DatabaseFault
from django.db import connection

from memory.embedding.base import EmbedderDown
from memory.embedding.breaker import Pausing
from memory.embedding.catalog import current_row
from memory.embedding.pending import claimed, embed_pending

SECONDS = 20.0
"""A job that has more to do gives its thread back after that, and asks for another one."""
WORKSPACES_MAX = 1000
log = structlog.get_logger()


@dataclass(frozen=True)
class Place:
    """A workspace with rows to embed."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID


def waiting_places(most: int = WORKSPACES_MAX) -> list[Place]:
    """Open workspaces of all tenants with rows that the current model has not embedded, shuffled: a process
    that has just started knows of no turns, and is not to begin with the same one each time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM workspaces_to_embed(%s, %s)", [current_row().name, most])
        places = [Place(*row) for row in cursor.fetchall()]
    random.shuffle(places)
    return places


class Rota:
    """Workspaces that take turns, a batch of rows each, so that a long import holds up nobody else's.

    What is handed in while a job runs is done by that job. The line stays when a job ends: the next job
    begins where it ended, however long a batch takes. Each process has a line of its own, and leaves to the
    others what they work on; one that starts anew fills its line from the database.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[Place, None] = {}
        self._is_running = False
        self._stopped = threading.Event()

    def work(self, places: Iterable[Place], *, seconds: float = SECONDS) -> bool:
        """Embed in these workspaces until nothing is left, or the time is over. Whether something is left."""
        with self._lock:
            self._waiting |= dict.fromkeys(places)
            if self._is_running:
                return False
            self._is_running = True
        try:
            is_up = self._run(self._clock() + seconds)
        finally:
            with self._lock:
                self._is_running, left = False, bool(self._waiting)
        return is_up and left and not self._stopped.is_set()

    def stop(self) -> None:
        """End the job after the batch that it works on: the process is about to end."""
        self._stopped.set()

    def _run(self, until: float) -> bool:
        """Batch after batch until the time is over; whether the embedder is up."""
        while self._clock() < until and not self._stopped.is_set() and (place := self._next()):
            try:
                self._embed(place)
            except Pausing:
                self._put_back(place)
                return False
            except EmbedderDown as error:
                log.warning("texts wait to be embedded", error=str(error))
                return False
            except DatabaseFault:
                log.exception("a workspace could not be embedded", workspace=str(place.workspace_id))
        return True

    def _next(self) -> Place | None:
        """The workspace that has waited longest."""
        with self._lock:
            place = next(iter(self._waiting), None)
            if place:
                del self._waiting[place]
            return place

    def _put_back(self, place: Place) -> None:
        """Nobody was asked: the workspace has not had its turn. One whose batch failed has had it; the sweep
        finds it again, and it comes last."""
        with self._lock:
            self._waiting = {place: None} | self._waiting

    def _embed(self, place: Place) -> None:
        """A batch of the workspace, which goes to the end of the line where there may be more."""
        if embed_batch(place):
            with self._lock:
                self._waiting[place] = None


def embed_batch(place: Place) -> int:
    """How many rows of a workspace were done; 0 where none waits, or another process works on it."""
    with claimed(place.workspace_id) as ours:
        return embed_pending(tenant_id=place.tenant_id, workspace_id=place.workspace_id) if ours else 0


@cache
def rota() -> Rota:
    """The one of this process."""
    return Rota()
