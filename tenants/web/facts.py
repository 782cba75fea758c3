"""The particulars of an event of the audit log, in words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tenants.models import Membership, WorkspaceMember

# What `audit.record` was told beside the thing itself. A test holds this to what the code tells it.
NAMES = {
    "action": gettext_lazy("Action"),
    "actor": gettext_lazy("Who"),
    "admins_read_chats": gettext_lazy("Owners and admins may read members' chats, also those written before"),
    "agent": gettext_lazy("Id of the agent"),
    "agent_name": gettext_lazy("Agent"),
    "before": gettext_lazy("Before"),
    "blocks": gettext_lazy("Blocks that went along"),
    "came_from": gettext_lazy("From the workspace"),
    "changes": gettext_lazy("Changed"),
    "copy_of": gettext_lazy("Copy of the block"),
    "count": gettext_lazy("How many"),
    "days": gettext_lazy("Good for so many days"),
    "description": gettext_lazy("Description"),
    "edited": gettext_lazy("With a text of the editor's own"),
    "expires_at": gettext_lazy("Ends"),
    "fields": gettext_lazy("Changed"),
    "filters": gettext_lazy("Filtered by"),
    "format": gettext_lazy("Format"),
    "governance": gettext_lazy("Rule"),
    "instructions": gettext_lazy("Instructions"),
    "keys": gettext_lazy("API keys revoked"),
    "label": gettext_lazy("Label"),
    "limit": gettext_lazy("Limit"),
    "made_by": gettext_lazy("Made with the key"),
    "method": gettext_lazy("Method"),
    "model": gettext_lazy("Model"),
    "model_id": gettext_lazy("Model"),
    "moved": gettext_lazy("Another address"),
    "name": gettext_lazy("Name"),
    "new_key": gettext_lazy("Another key"),
    "operation": gettext_lazy("Operation"),
    "operators_read": gettext_lazy("The staff of this site may see content"),
    "proposal": gettext_lazy("Proposal"),
    "reason": gettext_lazy("Reason"),
    "role": gettext_lazy("Role"),
    "route": gettext_lazy("Page or call"),
    "scopes": gettext_lazy("What it may do"),
    "sections": gettext_lazy("Sections"),
    "since": gettext_lazy("Since"),
    "size": gettext_lazy("Bytes"),
    "text": gettext_lazy("Name"),
    "to": gettext_lazy("To"),
    "unit": gettext_lazy("Counted in"),
    "until": gettext_lazy("Until"),
    "value": gettext_lazy("Text"),
    "version": gettext_lazy("Version"),
    "window": gettext_lazy("Window in tokens"),
    "workspace": gettext_lazy("Workspace"),
    "workspaces": gettext_lazy("Workspaces"),
}
_ROLES = {"before", "role", "to"}
_CODES = {
    "free": gettext_lazy("write freely"),
    "propose": gettext_lazy("propose-only"),
    "read_only": gettext_lazy("read-only"),
    "characters": gettext_lazy("characters"),
    "tokens": gettext_lazy("tokens"),
    "read": gettext_lazy("reads"),
    "write": gettext_lazy("writes"),
    "manage": gettext_lazy("manages"),
}
_OF_NAMES = {"fields", "filters"}
_WORDED = {"governance", "unit", "scopes"}


def facts_of(details: dict[str, Any]) -> list[tuple[str, str]]:
    """Each particular with its name; those that say nothing are left out."""
    said = [(name, value) for name, value in details.items() if value not in (None, "", [], {})]
    return [(_named(name), _plain(name, value)) for name, value in said]


def _named(name: str) -> str:
    return str(NAMES.get(name, name))


def _plain(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(_plain(name, each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{_named(key)}: {_plain(key, each)}" for key, each in value.items())
    if name in _OF_NAMES:
        return _named(str(value))
    if name in _WORDED:
        return str(_CODES.get(str(value), value))
    return _role(str(value)) if name in _ROLES else str(value)


def _role(code: str) -> str:
    """A role by its name; what is none, such as a person's name, as it is."""
    for roles in (Membership.Role, WorkspaceMember.Role):
        if code in roles.values:
            return str(roles(code).label)
    return code
