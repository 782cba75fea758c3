"""One LISTEN connection per process, fanned out to whoever follows a turn or a conversation, and told where a
key or a seat has ended.

Subscribers are plain callbacks, called from the hub's thread with the payload, or with None when the
connection was lost and events may have been missed: read the table then.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.db import connections

from tenants import notices
from tenants.notices import CHANNEL

Callback = Callable[[dict[str, Any] | None], None]
# How the connection is named in pg_stat_activity.
NAME = "memsite events"
RETRY_SECONDS = 1.0
CHECK_SECONDS = 30.0
log = structlog.get_logger()


class Hub:
    """Starts its thread with the first subscriber."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._followers: dict[str, set[Callback]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._listening = threading.Event()

    def subscribe(self, callback: Callback, *keys: str) -> Callable[[], None]:
        """Call back for each payload under these keys, answers how to end it. A key is the id of a turn or a
        conversation, or the name of a notice.

        Comes back when the LISTEN is in force, so that nothing is missed between a read and the first call.
        """
        with self._lock:
            for key in keys:
                self._followers[key].add(callback)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
                self._thread.start()
        self._listening.wait(timeout=5)
        return lambda: self._unsubscribe(callback, keys)

    def _unsubscribe(self, callback: Callback, keys: tuple[str, ...]) -> None:
        with self._lock:
            for key in keys:
                self._followers[key].discard(callback)
                if not self._followers[key]:
                    del self._followers[key]

    def _run(self) -> None:
        while True:
            try:
                self._listen()
            except psycopg.Error as error:
                log.warning("event connection lost", error=str(error))
            self._listening.clear()
            threading.Event().wait(RETRY_SECONDS)

    def _listen(self) -> None:
        with psycopg.connect(**_parameters(), autocommit=True, application_name=NAME) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._listening.set()
            self._tell_all()
            while True:
                for notice in connection.notifies(timeout=CHECK_SECONDS):
                    self._tell(json.loads(notice.payload))
                connection.execute("SELECT 1")  # a connection that died silently is noticed

    def _tell(self, payload: dict[str, Any]) -> None:
        with self._lock:
            followers = [follower for key in _keys_of(payload) for follower in self._followers.get(key, ())]
        for follower in followers:
            follower(payload)

    def _tell_all(self) -> None:
        with self._lock:
            followers = [follower for group in self._followers.values() for follower in group]
        for follower in followers:
            follower(None)


def _keys_of(payload: dict[str, Any]) -> tuple[str, ...]:
    if "revoked" in payload:
        return (notices.name_of(payload["revoked"]),)
    return payload["turn"], payload["conversation"]


def _parameters() -> dict[str, Any]:
    """The app's address, or a direct one where it stands behind a transaction pooler."""
    if settings.LISTEN_URL:
        return {"conninfo": settings.LISTEN_URL}
    found = connections["default"].get_connection_params()
    return {key: found[key] for key in ("dbname", "user", "password", "host", "port") if key in found}


hub = Hub()
