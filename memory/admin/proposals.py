"""Proposals in the admin: what waits for a yes, and the way to close it."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import action, display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from memory import proposals
from memory.admin.showing import compared
from memory.models import Block, Proposal
from memory.operations import BlockError
from memory.proposals import NotOpen
from memory.web.refusals import sentence
from tenants.admin.columns import column, link, withheld
from tenants.admin.filters import KIND, choice
from tenants.admin.section import PERSONAL, Section
from tenants.permissions import NotAllowed


class ProposalSection(Section):
    """Changes that somebody proposed. To approve one is for the team; staff may close what is left over."""

    words = (_("proposal"), _("proposals"))
    reading = "proposal.read"
    content = ("value", "arguments", "reason", "note")
    list_content = {"shown_label": "block__label"}
    finds_content = True
    linked = ("block_id",)
    found_by = ("id", "block_id", "actor_id", "asked_by", "conversation_id", "turn_id")
    refusals = (NotAllowed, BlockError, NotOpen)
    list_display = (
        withheld("shown_label", _("block")),
        column("get_status_display", _("status"), order="status"),
        column("get_operation_display", _("how"), order="operation"),
        column("get_actor_kind_display", _("by"), order="actor_kind"),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("created_at", _("proposed"), order="id"),
        column("decided_at", _("decided"), order="decided_at"),
    )
    list_select_related = ("workspace",)
    list_filter = (choice("status", _("status")), KIND, choice("actor_kind", _("by")))
    search_fields = ("block__label",)
    ordering = ("-id",)
    fields = readonly_fields = (
        "of",
        column("get_status_display", _("status")),
        column("get_operation_display", _("how")),
        column("get_actor_kind_display", _("by")),
        column("actor_id", _("by whom")),
        column("asked_by", _("asked by")),
        column("created_at", _("proposed")),
        column("reason", _("reason")),
        "change",
        column("decided_by", _("decided by")),
        column("decided_at", _("decided")),
        column("note", _("note")),
    )
    actions = ("close",)

    def sentence(self, error: Exception) -> str:
        return sentence(error) if isinstance(error, BlockError) else super().sentence(error)

    @display(description=_("block"))
    def of(self, row: Proposal) -> str:
        """The block, by its id: its label may be private."""
        return link(Block, row.block_id, row.block_id)

    @display(description=_("what would change"))
    def change(self, row: Any) -> str:
        """Against the version that it was made for."""
        return str(_("not shown")) if row.is_withheld else compared(row.base.value, row.value)

    @action(description=_("Close without a change"))
    def close(self, request: HttpRequest, rows: QuerySet[Proposal]) -> None:
        """Reject the chosen proposals that are open and lie in a shared workspace."""
        self.each(
            request,
            rows.exclude(PERSONAL).filter(status=Proposal.Status.OPEN),
            lambda row: proposals.reject(row.pk),
            lambda count: (
                ngettext("%(count)s proposal closed.", "%(count)s proposals closed.", count)
                % {"count": count}
            ),
        )
