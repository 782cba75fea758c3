"""When a record was last found, and how often: kept here for a while and written apart, since a search must
not write. What a process that is killed has not written is lost, and nobody misses it."""

from __future__ import annotations

import atexit
import json
import threading
import uuid
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import connection
from django.utils import timezone

from tenants.scope import current_scope, in_background, scope

EVERY = 60.0
"""Seconds for which accesses are gathered: the next pages of a search come in that time, and find the order
that they expect."""

# Neither column stands in an index, and rows have room on their page: such an update touches no index (HOT).
# It waits for nobody who changes a row at this moment: an access of that one is not counted.
WRITE = """
WITH a AS (
  SELECT e.id, a.times, a.at FROM memory_indexentry e
  JOIN json_to_recordset(%(found)s) AS a(id uuid, times integer, at timestamptz) ON e.id = a.id
  WHERE e.tenant_id = %(tenant)s AND e.workspace_id = %(workspace)s
  ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED)
UPDATE memory_indexentry e SET access_count = e.access_count + a.times,
  accessed_at = greatest(e.accessed_at, a.at)
FROM a
WHERE e.id = a.id AND e.tenant_id = %(tenant)s AND e.workspace_id = %(workspace)s
"""

Place = tuple[uuid.UUID, uuid.UUID]


class Accesses:
    """What was found and is not written yet, by tenant and workspace."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[Place, dict[uuid.UUID, tuple[int, datetime]]] = defaultdict(dict)
        self._timer: threading.Timer | None = None

    def note(self, entries: Iterable[tuple[uuid.UUID, uuid.UUID]]) -> None:
        """Entries, each with its workspace, were found just now by who is asking."""
        tenant_id, now = current_scope().tenant_id, timezone.now()
        with self._lock:
            for entry_id, workspace_id in entries:
                found = self._found[tenant_id, workspace_id]
                found[entry_id] = (found.get(entry_id, (0, now))[0] + 1, now)
            if self._found and self._timer is None:
                self._timer = threading.Timer(EVERY, self._write_and_close)
                self._timer.daemon = True
                self._timer.start()

    def waiting(self) -> int:
        """How many entries were found and are not written yet."""
        with self._lock:
            return sum(map(len, self._found.values()))

    def write(self) -> None:
        """Write what was gathered, in one statement a workspace."""
        with self._lock:
            found, self._found, self._timer = self._found, defaultdict(dict), None
        for (tenant_id, workspace_id), entries in found.items():
            rows = [
                {"id": str(key), "times": times, "at": at.isoformat()}
                for key, (times, at) in sorted(entries.items())
            ]
            with scope(in_background(tenant_id, workspace_id)), connection.cursor() as cursor:
                told = json.dumps(rows)
                cursor.execute(WRITE, {"found": told, "tenant": tenant_id, "workspace": workspace_id})

    def _write_and_close(self) -> None:
        try:
            self.write()
        finally:
            connection.close()


accesses = Accesses()
atexit.register(accesses.write)
