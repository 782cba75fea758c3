"""What a person changes is checked against what they saw."""

from __future__ import annotations

import uuid
from typing import Any


class StaleVersion(Exception):
    """Somebody changed it since the version that you saw. Look at the newest one, then change that."""

    def __init__(self, version: int, newest: uuid.UUID) -> None:
        super().__init__(StaleVersion.__doc__)
        # What programs read off the refusal: the version that stands, and the record that holds it.
        self.facts: dict[str, Any] = {"version": version, "newest": str(newest), "code": "stale_version"}
