"""Versions of blocks in the admin: what each changed, and the way back to it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.admin import display
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from memory import core
from memory.admin.showing import compared
from memory.models import Block, BlockVersion
from memory.operations import BlockError
from memory.web.refusals import sentence
from tenants.admin.columns import column, link, withheld
from tenants.admin.filters import KIND, choice
from tenants.admin.section import OperatorRequest, Section


class VersionSection(Section):
    """Every state of every block. The database keeps them as they are; to restore one makes a new one."""

    words = (_("version"), _("versions"))
    reading = "block.read"
    content = ("value",)
    list_content = {"shown_label": "block__label"}
    finds_content = True
    linked = ("block_id",)
    found_by = ("id", "block_id", "actor_id")
    list_display = (
        withheld("shown_label", _("block")),
        column("number", _("version"), order="number"),
        column("get_operation_display", _("how"), order="operation"),
        column("get_actor_kind_display", _("by"), order="actor_kind"),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("valid_from", _("when"), order="id"),
    )
    list_select_related = ("workspace",)
    list_filter = (KIND, choice("operation", _("how")), choice("actor_kind", _("by")))
    search_fields = ("block__label",)
    ordering = ("-id",)
    fields = readonly_fields = (
        "of",
        column("number", _("version")),
        column("get_operation_display", _("how")),
        column("get_actor_kind_display", _("by")),
        column("actor_id", _("by whom")),
        column("approved_by", _("approved by")),
        column("source.get_kind_display", _("source")),
        column("valid_from", _("when")),
        column("erased_at", _("erased")),
        "change",
        column("value", _("text")),
    )
    change_form_outer_after_template = "admin/operators/restore.html"

    def get_custom_urls(self) -> tuple[tuple[str, str, Any], ...]:
        return (("<uuid:object_id>/restore/", "memory_blockversion_restore", self.restore),)

    @display(description=_("block"))
    def of(self, row: BlockVersion) -> str:
        """The block, by its id: its label may be private."""
        return link(Block, row.block_id, row.block_id)

    @display(description=_("what changed"))
    def change(self, row: Any) -> str:
        """Against the version before, word by word."""
        if row.is_withheld:
            return str(_("not shown"))
        before = BlockVersion.objects.filter(block_id=row.block_id, number=row.number - 1).first()
        return compared(before.value if before else "", row.value)

    def restore(self, request: OperatorRequest, object_id: uuid.UUID, **_options: Any) -> HttpResponse:
        """Make this version's text the block's again, as a new version."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self.get_queryset(request).filter(pk=object_id).first()
        if row is None:
            raise Http404
        if self.is_private(row):
            raise PermissionDenied
        try:
            core.restore(row.block_id, row.number, actor=core.by_me())
        except BlockError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, _now("Version %(number)s is current again.") % {"number": row.number})
        return redirect("admin:memory_block_change", row.block_id)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **options: Any) -> Any:
        row = options["obj"]
        context["can_restore"] = not self.is_private(row) and row.erased_at is None
        return super().render_change_form(request, context, **options)
