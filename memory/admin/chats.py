"""Chats in the admin: that they are, and what was said only where the tenant lets the site's staff read."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.admin import display
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.models import Conversation, Message
from tenants.admin.columns import column, short, table
from tenants.admin.filters import KIND, day, presence
from tenants.admin.section import Section

MESSAGES = 100
CLIP = 2_000


class ChatSection(Section):
    """Every chat is private, a team's too."""

    words = (_("chat"), _("chats"))
    reading = "chat.read"
    content = ("title",)
    is_always_private = True
    found_by = ("id", "owner_id")
    list_display = (
        "end",
        column("owner.email", _("person"), order="owner__email"),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("workspace.get_kind_display", _("kind"), order="workspace__kind"),
        column("spoken", _("messages"), order="spoken"),
        column("created_at", _("begun"), order="created_at"),
        column("last_message_at", _("last message"), order="last_message_at"),
        column("deleted_at", _("deleted"), order="deleted_at"),
    )
    list_select_related = ("workspace", "owner")
    list_filter = (KIND, presence("deleted_at", _("deleted")), day("last_message_at", _("last message")))
    search_fields = ("owner__email",)
    ordering = ("-last_message_at", "-id")
    fields = readonly_fields = (
        column("title", _("title")),
        *list_display[1:],
        "said",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        last = Message.objects.filter(conversation_id=OuterRef("pk"), position__isnull=False)
        rows: QuerySet[Conversation] = super().get_queryset(request)
        return rows.annotate(spoken=Subquery(last.order_by("-position").values("position")[:1]))

    def subject_of(self, row: Conversation) -> uuid.UUID:
        return row.owner_id

    @display(description=_("chat"))
    def end(self, row: Conversation) -> str:
        """Its id: a title is what somebody wrote."""
        return short(row.pk)

    @display(description=_("what was said"))
    def said(self, row: Any) -> str:
        """The last messages, the newest first."""
        if row.is_withheld:
            return str(_("not shown"))
        spoken = Message.objects.filter(conversation=row).order_by("-position")[:MESSAGES]
        rows = [(each.created_at, _who(each), each.content[:CLIP]) for each in spoken]
        return table((_("when"), _("who"), _("text")), rows)


def _who(message: Message) -> str:
    role = message.get_role_display()
    return f"{role} ({_('on a branch that was left')})" if message.is_abandoned else role
