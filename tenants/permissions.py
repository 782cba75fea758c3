"""Roles: what someone who sees a workspace may do in it. Row-level security says who sees."""

from __future__ import annotations

import uuid

from django.db import connection

from tenants.scope import current_scope

ORDER = ("viewer", "member", "editor", "admin")


class NotAllowed(Exception):
    """Your role in this workspace, or in the organisation, does not allow that."""

    def __init__(self, needed: str, place: str = "workspace") -> None:
        super().__init__(f"This needs the role {needed} in the {place}.")
        self.needed = needed


def has_role(workspace_id: uuid.UUID, needed: str) -> bool:
    """Whether the present person has at least this role there; a workspace out of reach has none."""
    access = current_scope().workspaces.get(workspace_id)
    return access is not None and ORDER.index(access.role) >= ORDER.index(needed)


def require_role(workspace_id: uuid.UUID, needed: str) -> None:
    """Raises NotAllowed where the present person has less than this role in the workspace."""
    if not has_role(workspace_id, needed):
        raise NotAllowed(needed)


def my_role() -> str | None:
    """The present person's role in the present tenant; None for background work, and for whoever is narrowed
    to some workspaces: who is has no say over the whole."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT my_role()")
        found: str | None = cursor.fetchone()[0]
        return found
