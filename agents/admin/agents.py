"""Agents in the admin."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib.admin import action, display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents import roster
from agents.models import Agent, AgentBlock
from memory.models import Block
from tenants import operators
from tenants.admin.columns import WITHHELD, column, link, table, withheld
from tenants.admin.filters import KIND, presence
from tenants.admin.section import PERSONAL, Section


class AgentSection(Section):
    """Agents of every workspace. What a person told their own agent to be is theirs."""

    words = (_("agent"), _("agents"))
    reading = "agent.read"
    content = ("name", "description", "instructions")
    list_content = {"shown_name": "name"}
    finds_content = True
    list_display = (
        withheld("shown_name", _("name")),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("workspace.get_kind_display", _("kind"), order="workspace__kind"),
        column("model.name", _("model"), order="model__name"),
        column("retired_at", _("retired"), order="retired_at"),
        column("created_at", _("since"), order="created_at"),
    )
    list_select_related = ("workspace", "model")
    list_filter = (KIND, presence("retired_at", _("retired")))
    search_fields = ("name", "description")
    ordering = ("-id",)
    fields = readonly_fields = (
        column("name", _("name")),
        *list_display[1:],
        column("window_size", _("window in tokens")),
        column("description", _("description")),
        column("instructions", _("instructions")),
        "attached",
    )
    actions = ("retire", "bring_back")

    @display(description=_("blocks"))
    def attached(self, row: Agent) -> str:
        """What is in its core memory; of a person's own block only that it is there."""
        found = AgentBlock.objects.filter(agent=row).select_related("workspace").order_by("position", "id")
        rows = [self._attached(each) for each in found[:200]]
        return table((_("block"), _("workspace"), _("for this agent")), rows)

    def _attached(self, row: AgentBlock) -> tuple[Any, ...]:
        label = WITHHELD if operators.is_private(row.workspace_id) else row.label
        return link(Block, row.block_id, label), row.workspace.name, row.get_governance_display() or "-"

    @action(description=_("Retire"))
    def retire(self, request: HttpRequest, rows: QuerySet[Agent]) -> None:
        """Take the chosen shared agents out of the lists; their memory and chats stay."""
        self._change(request, rows.filter(retired_at=None), roster.delete_agent)

    @action(description=_("Bring back"))
    def bring_back(self, request: HttpRequest, rows: QuerySet[Agent]) -> None:
        """Bring the chosen shared agents back."""
        self._change(request, rows.exclude(retired_at=None), roster.bring_back_agent)

    def _change(
        self, request: HttpRequest, rows: QuerySet[Agent], verb: Callable[[uuid.UUID], object]
    ) -> None:
        self.each(
            request,
            rows.exclude(PERSONAL),
            lambda row: verb(row.pk),
            lambda count: (
                ngettext("%(count)s agent changed.", "%(count)s agents changed.", count) % {"count": count}
            ),
        )
