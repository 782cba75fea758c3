"""What work costs: CPU of this process and of PostgreSQL, never time on the clock, which others share."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from evaluation.cpu import family


@dataclass(frozen=True)
class Cost:
    """CPU seconds: of this process with all its threads, and of PostgreSQL where it runs on this machine."""

    app: float
    database: float | None

    def __sub__(self, other: Cost) -> Cost:
        both = self.database is not None and other.database is not None
        return Cost(self.app - other.app, (self.database or 0) - (other.database or 0) if both else None)

    def __add__(self, other: Cost) -> Cost:
        both = self.database is not None and other.database is not None
        return Cost(self.app + other.app, (self.database or 0) + (other.database or 0) if both else None)

    def in_seconds(self) -> dict[str, float | None]:
        """As the report has it."""
        return {"app": round(self.app, 2), "postgresql": _rounded(self.database, 1)}

    def in_milliseconds(self, times: int) -> dict[str, float | None]:
        """For one of so many, as the report has it."""
        each = 1000 / max(times, 1)
        return {"app": round(self.app * each, 2), "postgresql": _rounded(self.database, each)}


def _rounded(seconds: float | None, factor: float) -> float | None:
    return None if seconds is None else round(seconds * factor, 2)


NOTHING = Cost(0.0, 0.0)


class Meter:
    """Counts from when it is made; `lap` answers what was spent since the last lap."""

    def __init__(self) -> None:
        self._server = _server()
        self._last = self._now()

    def lap(self) -> Cost:
        """What was spent since the last lap."""
        now = self._now()
        spent, self._last = now - self._last, now
        return spent

    def _now(self) -> Cost:
        # Anew each time: processes of PostgreSQL come and go, and their parent counts those that ended.
        database = family("PostgreSQL", self._server).seconds() if self._server else None
        return Cost(time.process_time(), database)


def _server() -> int | None:
    """The process above the one that serves this connection; None where it is not on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    try:
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    except OSError:
        return None
    return int(rest.split()[1]) if name.endswith("(postgres") else None
