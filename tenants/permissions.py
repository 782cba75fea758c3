"""Roles: what someone who sees a workspace may do in it. Row-level security says who sees."""

from __future__ import annotations

import uuid

from tenants.scope import current_scope

ORDER = ("viewer", "member", "editor", "admin")


class NotAllowed(Exception):
    """Your role in this workspace does not allow that."""

    def __init__(self, needed: str) -> None:
        super().__init__(f"This needs the role {needed} in the workspace.")
        self.needed = needed


def has_role(workspace_id: uuid.UUID, needed: str) -> bool:
    """Whether the present person has at least this role there; a workspace out of reach has none."""
    access = current_scope().workspaces.get(workspace_id)
    return access is not None and ORDER.index(access.role) >= ORDER.index(needed)


def require_role(workspace_id: uuid.UUID, needed: str) -> None:
    """Raises NotAllowed where the present person has less than this role in the workspace."""
    if not has_role(workspace_id, needed):
        raise NotAllowed(needed)
