"""The picked tenant's audit log. It is read and never written here."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.admin import display
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tenants.admin.columns import WITHHELD, column
from tenants.admin.filters import choice, day
from tenants.admin.section import OperatorRequest, Section
from tenants.models import AuditEvent, Workspace
from tenants.web.events import sentence

# Kinds of things whose names are shown, where the thing is nobody's own. A chat's is not among them, whoever
# reads the chat, and what comes new is not shown until somebody has thought about it.
NAMED = ("tenant", "workspace", "membership", "account", "agent", "block", "route")


class LogSection(Section):
    """What was done in the tenant. Names of private things are not shown, whatever the tenant allows."""

    words = (_("event"), _("events"))
    heading = _("audit log")
    found_by = ("id", "object_id", "actor_id", "subject_id", "key_id")
    list_display = (
        column("at", _("when"), order="id"),
        "who",
        column("get_actor_kind_display", _("as"), order="actor_kind"),
        "done",
        "object",
        column("workspace_name", _("workspace"), order="workspace_name"),
        column("address", _("from where"), order="address"),
    )
    list_filter = (choice("actor_kind", _("as")), day("at", _("when")))
    search_fields = ("shown_actor", "action", "workspace_name", "address", "request_id")
    ordering = ("-id",)
    fields = readonly_fields = (
        *list_display,
        column("action", _("code")),
        column("object_kind", _("kind")),
        column("object_id", _("object's id")),
        column("actor_id", _("actor's id")),
        column("key_id", _("key's id")),
        column("request_id", _("request")),
        "more",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Events without the names of things that are private, or in a workspace that nobody reaches now."""
        shared = Workspace.objects.exclude(kind=Workspace.Kind.PERSONAL).filter(id=OuterRef("workspace_id"))
        is_open = (Q(workspace_id=None) | Exists(shared)) & Q(object_kind__in=NAMED)
        # An agent's name is its person's; its id says which it is.
        is_known = ~Q(actor_kind=AuditEvent.Actor.AGENT)
        rows: QuerySet[AuditEvent] = super().get_queryset(request)
        return rows.annotate(
            shown_name=Case(When(is_open, then=F("object_name")), default=Value("")),
            shown_actor=Case(When(is_known, then=F("actor_name")), default=Value("")),
        ).defer("object_name", "actor_name")

    def open_content(self, request: OperatorRequest, row: Any) -> None:
        """A page shows no more of a name than the list does."""
        row.object_name, row.actor_name = row.shown_name, row.shown_actor

    @display(description=_("who"), ordering="shown_actor")
    def who(self, row: Any) -> str:
        """The name of who did it, as it was then."""
        return str(row.shown_actor or "-")

    @display(description=_("action"), ordering="action")
    def done(self, row: AuditEvent) -> str:
        """What was done, in words."""
        return sentence(row.action)

    @display(description=_("object"), ordering="object_kind")
    def object(self, row: Any) -> str:
        """What it was done to, by its name where that is nobody's own."""
        return str(row.shown_name or WITHHELD) if row.object_id else "-"

    @display(description=_("details"))
    def more(self, row: Any) -> str:
        """Numbers and words about it, as they are kept, without names; of private things numbers alone."""
        told = {
            name: value
            for name, value in row.details.items()
            if not name.endswith("_name") and (row.shown_name or isinstance(value, int))
        }
        return json.dumps(told, ensure_ascii=False, indent=2)
