"""Which database does what: the owner migrates, the app serves."""

from __future__ import annotations

from typing import Any


class OwnerMigrates:
    """Migrations run as the owner of the tables and never through the address that serves."""

    def allow_migrate(self, db: str, app_label: str, **_: Any) -> bool:
        return db == "owner"
