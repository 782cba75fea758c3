"""Following a turn: replay what is written, then what comes, to the end.

No connection and no transaction is held while nothing happens. Whether who follows may still look is asked
with each reading: at the latest after 15 seconds, and at once where a notice tells of an ended key or seat.
"""

from __future__ import annotations

import asyncio
import queue
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection

from agents import events
from agents.events import Event
from agents.hub import hub
from agents.models import Turn
from tenants import notices
from tenants.keys import require_live
from tenants.scope import Identity, scope

PING_SECONDS = 15.0
LOOK_SECONDS = 5.0
END = events.END


async def follow(identity: Identity, turn_id: uuid.UUID, after: int = 0) -> AsyncIterator[Event | None]:
    """A turn's events after a number, until `done`; None when nothing came for 15 seconds.

    Raises Turn.DoesNotExist where the identity does not see the turn, or no longer; KeyRevoked where its key
    has ended.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def tell(payload: dict[str, Any] | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody follows any more
            loop.call_soon_threadsafe(arrived.put_nowait, payload)

    names = [str(turn_id), *notices.names_for(identity)]
    stop = await asyncio.to_thread(hub.subscribe, tell, *names)
    try:
        fresh, looked = await _read(identity, turn_id, after), loop.time()
        while True:
            for event in fresh:
                after = event.seq
                yield event
                if event.kind == END:
                    return
            try:
                payload = await asyncio.wait_for(arrived.get(), PING_SECONDS)
            except TimeoutError:
                yield None
                payload = None
            fresh = carried(payload, after)
            if fresh is None or loop.time() - looked > PING_SECONDS:
                fresh, looked = await _read(identity, turn_id, after), loop.time()
    finally:
        stop()


def wait(identity: Identity, turn_id: uuid.UUID, seconds: float) -> bool:
    """Wait until a turn has ended; False when it still runs after so many seconds."""
    arrived: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    stop = hub.subscribe(arrived.put, str(turn_id), *notices.names_for(identity))
    deadline = time.monotonic() + seconds
    try:
        while status_of(identity, turn_id) not in Turn.ENDED:
            if not _await_end(arrived, deadline):
                return False
        return True
    finally:
        stop()


def _await_end(arrived: queue.SimpleQueue[dict[str, Any] | None], deadline: float) -> bool:
    """Until something says that the turn may have ended; False at the deadline."""
    look_again = time.monotonic() + LOOK_SECONDS
    while True:
        left = min(deadline, look_again) - time.monotonic()
        if left <= 0:
            return time.monotonic() < deadline
        try:
            payload = arrived.get(timeout=left)
        except queue.Empty:
            continue
        if payload is None or "events" not in payload or any(kind == END for _, kind, _ in payload["events"]):
            return True


def carried(payload: dict[str, Any] | None, after: int) -> list[Event] | None:
    """The events that a payload carries beyond `after`; None where the table has to be read."""
    if payload is None or "events" not in payload:
        return None
    found = [Event(kind, data, seq) for seq, kind, data in payload["events"] if seq > after]
    return None if found and found[0].seq != after + 1 else found


def status_of(identity: Identity, turn_id: uuid.UUID) -> str:
    """How a turn stands now. Raises Turn.DoesNotExist, KeyRevoked."""
    try:
        with scope(identity):
            require_live(identity)
            return str(Turn.objects.get(id=turn_id).status)
    finally:
        _give_back()


def read_now(identity: Identity, turn_id: uuid.UUID, after: int) -> list[Event]:
    """Written events after a number; with a `done` of its own where the turn's rows are gone already."""
    try:
        with scope(identity):
            require_live(identity)
            turn = Turn.objects.get(id=turn_id)
            found = events.read(turn_id, after)
    finally:
        _give_back()
    if turn.has_ended and (not found or found[-1].kind != END):
        found.append(Event(END, {"status": turn.status}, (found[-1].seq if found else after) + 1))
    return found


def _give_back() -> None:
    """Return the connection to the pool, unless the caller is in a transaction of its own."""
    if not connection.in_atomic_block:
        connection.close()


_read: Callable[..., Any] = sync_to_async(read_now, thread_sensitive=False)
