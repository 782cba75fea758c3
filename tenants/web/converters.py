"""How a workspace stands in an address: `{id}-{slug}`. The id decides, the slug is for people."""

from __future__ import annotations

import uuid

from tenants.models import Workspace


class WorkspaceConverter:
    """`<workspace:workspace>` in a path: a UUID in, a workspace, an id or an address out."""

    regex = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-[^/]*)?"

    def to_python(self, value: str) -> uuid.UUID:
        return uuid.UUID(value[:36])

    def to_url(self, value: Workspace | uuid.UUID | str) -> str:
        return value.address if isinstance(value, Workspace) else str(value)
