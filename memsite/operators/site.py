"""The admin site of the staff: its addresses, its frame, and the sections on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.translation import gettext as _
from unfold.sites import UnfoldAdminSite

from agents.admin.agents import AgentSection
from agents.admin.turns import StepSection, TurnSection
from agents.models import Agent, Step, Turn
from memory.admin.blocks import BlockSection
from memory.admin.chats import ChatSection
from memory.admin.proposals import ProposalSection
from memory.admin.versions import VersionSection
from memory.models import Block, BlockVersion, Conversation, Proposal
from memsite.operators import overview, picking
from memsite.operators.access import View, operated
from tenants.admin.log import LogSection
from tenants.admin.people import AccountSection, PersonSection
from tenants.admin.section import OperatorRequest
from tenants.middleware import without_identity
from tenants.models import AuditEvent, Membership, User

# In the order of the navigation, each with its icon.
SECTIONS = (
    (Membership, PersonSection, "group"),
    (Agent, AgentSection, "smart_toy"),
    (Block, BlockSection, "sticky_note_2"),
    (BlockVersion, VersionSection, "history"),
    (Proposal, ProposalSection, "rule"),
    (Conversation, ChatSection, "forum"),
    (Turn, TurnSection, "sync_alt"),
    (Step, StepSection, "stairs"),
    (AuditEvent, LogSection, "receipt_long"),
)


class OperatorSite(UnfoldAdminSite):  # type: ignore[misc]
    """The staff's admin. It has no sign-in of its own: who is not signed in as staff finds nothing here."""

    empty_value_display = "-"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Every view of the admin passes here."""
        return operated(view)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The list of tenants, the picked one, the sections; nothing of Django's own beside."""
        urls: list[URLPattern | URLResolver] = [
            path("", self.admin_view(self.index), name="index"),
            path("tenant/", self.admin_view(self.tenant), name="tenant"),
            path("tenant/leave/", self.admin_view(picking.leave), name="leave"),
            path("tenant/<uuid:tenant>/", self.admin_view(picking.pick), name="pick"),
            path("jsi18n/", self.admin_view(self.i18n_javascript), name="jsi18n"),
        ]
        for model, section in self._registry.items():
            address = f"{model._meta.app_label}/{model._meta.model_name}/"
            urls.append(path(address, include(section.urls)))
        for each in patterns_in(urls):
            each.callback = without_identity(each.callback)  # the door of the admin finds its own
        return urls

    def index(self, request: OperatorRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The tenants of the site."""
        return picking.tenants_page(request, self.each_context(request))

    def tenant(self, request: OperatorRequest) -> HttpResponse:
        """The tenant that was picked."""
        return overview.tenant_page(request, self.each_context(request))

    def has_permission(self, request: HttpRequest) -> bool:
        """The door has let only staff in."""
        return True

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The frame shows `get_sidebar_list` in its place."""
        return []

    def get_log_entries(self, request: HttpRequest) -> list[Any]:
        """Django's own log is not kept: each tenant's audit log is."""
        return []

    def each_context(self, request: OperatorRequest) -> dict[str, Any]:
        """What the frame of every page shows: among it the tenant in which one works."""
        frame: dict[str, Any] = super().each_context(request)
        held = request.tenant
        return frame | {
            "tenant": held,
            "site_url": reverse("home"),
            "environment": [held.name, "warning"] if held else None,
        }

    def get_sidebar_list(self, request: OperatorRequest) -> list[dict[str, Any]]:
        """The whole site's sections, and those of the picked tenant."""
        site = {
            "title": _("Site"),
            "items": [
                self._item(request, _("Organisations"), reverse("admin:index"), "apartment"),
                self._item(request, _("Accounts"), reverse("admin:tenants_user_changelist"), "badge"),
            ],
        }
        if request.tenant is None:
            return [site]
        inside = [self._item(request, _("Overview"), reverse("admin:tenant"), "home")]
        for model, _section, icon in SECTIONS:
            section = self._registry[model]
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
            inside.append(self._item(request, section.title, reverse(name), icon))
        return [site, {"title": request.tenant.name, "separator": True, "items": inside}]

    def _item(self, request: HttpRequest, title: str, link: str, icon: str) -> dict[str, Any]:
        """`title` is text; the frame shows it unescaped, so nothing that somebody typed comes here."""
        is_here = request.path == link or (link.count("/") > 3 and request.path.startswith(link))
        return {"title": title, "link": link, "icon": icon, "active": is_here, "has_permission": True}


def patterns_in(urls: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    """Every address among these and below them."""
    for each in urls:
        if isinstance(each, URLPattern):
            yield each
        else:
            yield from patterns_in(each.url_patterns)


site = OperatorSite(name="admin")
site.register(User, AccountSection)
for _model, _section, _icon in SECTIONS:
    site.register(_model, _section)
