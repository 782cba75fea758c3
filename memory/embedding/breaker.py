"""A pause after a failure, in which nobody waits for what is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from memory.embedding.base import EmbedderDown

T = TypeVar("T")


class Pausing(EmbedderDown):
    """Nobody was asked: the last one who did found it down, a short while ago."""


class Breaker:
    """Calls go through until one fails; then none does for `pause` seconds, and after that one at a time.

    Nygard, "Release It!" (2007), calls this a circuit breaker.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._until = 0.0
        self._reason = ""
        self._lock = threading.Lock()

    def call(self, act: Callable[[], T]) -> T:
        """What `act` answers. Raises EmbedderDown, and Pausing at once during the pause."""
        self._pass()
        try:
            found = act()
        except EmbedderDown as error:
            self._reason = str(error)
            self._until = time.monotonic() + max(self._pause, error.retry_after)
            raise
        self._reason = ""
        return found

    def _pass(self) -> None:
        with self._lock:
            if not self._reason:
                return
            if time.monotonic() < self._until:
                raise Pausing(self._reason)
            self._until = time.monotonic() + self._pause  # one tries it, the others go on without
