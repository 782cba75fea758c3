"""Identifiers that sort by time: UUID version 7 (RFC 9562, section 5.7)."""

from __future__ import annotations

import secrets
import threading
import time
import uuid

_lock = threading.Lock()
_last = 0


def uuid7() -> uuid.UUID:
    """A new identifier; two made in one process are in the order in which they were made.

    48 bits of milliseconds, then 12 bits of a fraction of the millisecond, counted up where the clock
    stands still (method 3 of the RFC), then 62 random bits.
    """
    global _last
    with _lock:
        now = time.time_ns() * 4096 // 1_000_000
        _last = max(now, _last + 1)
        stamp = _last
    milliseconds, fraction = divmod(stamp, 4096)
    timed = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | 7 << 76 | fraction << 64
    return uuid.UUID(int=timed | 2 << 62 | secrets.randbits(62))
