"""What the frame of every page shows: workspace, chats, who I am. Costs nothing where it is unused."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents import services
from agents.models import MainContext
from memory import proposals
from tenants.models import Membership, Workspace
from tenants.services import Seat
from tenants.web.doors import PageRequest, personal_workspace

CHATS_SHOWN = 60


@dataclass(frozen=True)
class Group:
    """Chats under one heading."""

    title: str
    chats: list[MainContext]


def grouped(chats: list[MainContext], now: datetime) -> list[Group]:
    """Chats by when something was last said: pinned, today, this week, earlier."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    week = midnight - timedelta(days=6)
    groups = {title: Group(title, []) for title in (_("Pinned"), _("Today"), _("This week"), _("Earlier"))}
    for chat in chats:
        conversation = chat.conversation
        if conversation.pinned_at:
            title = _("Pinned")
        elif conversation.last_message_at >= midnight:
            title = _("Today")
        else:
            title = _("This week") if conversation.last_message_at >= week else _("Earlier")
        groups[title].chats.append(chat)
    return [group for group in groups.values() if group.chats]


class Navigation:
    """Each part is read when the page asks for it, inside the scope of its view."""

    def __init__(self, request: PageRequest) -> None:
        self._request = request

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace of the page; my own where the page has none."""
        return getattr(self._request, "workspace", None) or personal_workspace()

    @cached_property
    def workspaces(self) -> list[Workspace]:
        """All that are mine, my own first."""
        order = {kind: place for place, kind in enumerate(("personal", "team", "organisation"))}
        return sorted(Workspace.objects.all(), key=lambda each: (order[each.kind], each.name))

    @cached_property
    def _chats(self) -> list[MainContext]:
        rows = services.with_waiting(services.chats(workspace_id=self.workspace.id))
        return list(rows[: CHATS_SHOWN + 1])

    @property
    def groups(self) -> list[Group]:
        """The latest chats of the workspace."""
        return grouped(self._chats[:CHATS_SHOWN], timezone.now())

    @property
    def has_more(self) -> bool:
        """Whether there are more chats than the list holds."""
        return len(self._chats) > CHATS_SHOWN

    @property
    def person(self) -> str:
        """My name here."""
        return str(self._request.seat.display_name)

    @property
    def is_admin(self) -> bool:
        """Whether the tenant's settings are mine to change."""
        return self._request.seat.role in {Membership.Role.OWNER, Membership.Role.ADMIN}

    @cached_property
    def _waiting(self) -> dict[uuid.UUID, int]:
        return proposals.count_open_by_workspace()

    @property
    def open_count(self) -> int:
        """How many proposals wait for me in this workspace."""
        return self._waiting.get(self.workspace.id, 0)

    @property
    def waiting(self) -> list[tuple[Workspace, int]]:
        """Where proposals wait for me, and how many."""
        return [(each, self._waiting[each.id]) for each in self.workspaces if each.id in self._waiting]

    @property
    def reads_audit(self) -> bool:
        """Whether the tenant's audit log is mine to read."""
        return self.is_admin or self._request.seat.role == Membership.Role.AUDITOR

    @property
    def can_open_workspaces(self) -> bool:
        """Anyone may, but an auditor."""
        return self._request.seat.role != Membership.Role.AUDITOR

    @property
    def other_organisations(self) -> list[Seat]:
        """My seats in other tenants."""
        return [seat for seat in self._request.seats if seat.tenant_id != self._request.seat.tenant_id]


def navigation(request: PageRequest) -> dict[str, Any]:
    """The context processor."""
    return {"nav": Navigation(request)}
