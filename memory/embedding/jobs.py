"""The embedding work of this process: one job at a time, so that turns always find a thread."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterable
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
    """Open workspaces of all tenants with rows that the current model has not embedded."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM workspaces_to_embed(%s, %s)", [current_row().name, most])
        return [Place(*row) for row in cursor.fetchall()]


class Rota:
    """Workspaces that take turns, a batch of rows each, so that a long import holds up nobody else's.

    What is handed in while a job runs is done by that job. Places are not remembered beyond it: the database
    knows what is left.
    """

    def __init__(self) -> None:
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
            self._run(time.monotonic() + seconds)
        finally:
            with self._lock:
                left, self._waiting, self._is_running = bool(self._waiting), {}, False
        return left and not self._stopped.is_set()

    def stop(self) -> None:
        """End the job after the batch that it works on: the process is about to end."""
        self._stopped.set()

    def _run(self, until: float) -> None:
        while time.monotonic() < until and not self._stopped.is_set() and (place := self._next()):
            try:
                self._embed(place)
            except EmbedderDown as error:
                if not isinstance(error, Pausing):
                    log.warning("texts wait to be embedded", error=str(error))
                with self._lock:
                    self._waiting.clear()
            except DatabaseFault:
                log.exception("a workspace could not be embedded", workspace=str(place.workspace_id))

    def _next(self) -> Place | None:
        """The workspace that has waited longest."""
        with self._lock:
            place = next(iter(self._waiting), None)
            if place:
                del self._waiting[place]
            return place

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
