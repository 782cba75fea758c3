"""People of the picked tenant, and accounts of the whole site."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.admin import action, display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tenants import operators, people
from tenants.admin.columns import column, link, table
from tenants.admin.filters import choice, switch
from tenants.admin.forms import VerbForm
from tenants.admin.section import OperatorRequest, Section
from tenants.models import Membership, User, WorkspaceMember
from tenants.people import LastOwner
from tenants.permissions import NotAllowed
from tenants.services import seats_of


class RoleForm(VerbForm):
    """A person's role in the tenant."""

    refusals = (NotAllowed, LastOwner)

    class Meta:
        model = Membership
        fields = ("role",)

    def change(self) -> None:
        """Raises NotAllowed, LastOwner."""
        if "role" in self.changed_data:
            people.change_role(membership_id=self.instance.pk, role=self.cleaned_data["role"])


class PersonSection(Section):
    """Seats in the picked tenant. A seat that was left stays in the list."""

    words = (_("person"), _("people"))
    is_changed_here = True
    form = RoleForm
    refusals = (NotAllowed, LastOwner)
    found_by = ("id", "user_id")
    list_display = (
        column("name", _("name"), order="name"),
        column("user.email", _("e-mail"), order="user__email"),
        column("get_role_display", _("role"), order="role"),
        column("is_active", _("active"), order="is_active", boolean=True),
        column("created_at", _("since"), order="created_at"),
    )
    list_select_related = ("user",)
    list_filter = (choice("role", _("role")), switch("is_active", _("active")))
    search_fields = ("name", "user__email")
    ordering = ("name", "id")
    fields = (list_display[0], "account", "role", *list_display[3:], "places")
    readonly_fields = (list_display[0], "account", *list_display[3:], "places")
    actions = ("remove",)

    @display(description=_("account"))
    def account(self, row: Membership) -> str:
        """Their account, by its e-mail."""
        return link(User, row.user_id, row.user.email)

    @display(description=_("workspaces"))
    def places(self, row: Membership) -> str:
        """The workspaces that they are in, with their role there."""
        seats = WorkspaceMember.objects.filter(user_id=row.user_id).select_related("workspace")
        rows = [
            (seat.workspace.name, seat.workspace.get_kind_display(), seat.get_role_display())
            for seat in seats.order_by("workspace__kind", "workspace__name")[:200]
        ]
        return table((_("workspace"), _("kind"), _("role")), rows)

    @action(description=_("Remove from the organisation"))
    def remove(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        """Take the chosen people's seats, as an owner would."""
        self.each(
            request,
            rows.filter(is_active=True),
            lambda row: people.remove_person(membership_id=row.pk),
            lambda count: (
                ngettext("%(count)s person removed.", "%(count)s people removed.", count) % {"count": count}
            ),
        )


class AccountSection(Section):
    """Every account of the site: who can sign in. It tells nothing that a tenant remembers."""

    words = (_("account"), _("accounts"))
    refusals = (operators.OwnAccount,)
    list_display = (
        column("email", _("e-mail"), order="email"),
        column("is_active", _("active"), order="is_active", boolean=True),
        column("is_staff", _("site staff"), order="is_staff", boolean=True),
        column("last_login", _("last sign-in"), order="last_login"),
        column("date_joined", _("since"), order="date_joined"),
    )
    list_filter = (switch("is_active", _("active")), switch("is_staff", _("site staff")))
    search_fields = ("email",)
    ordering = ("-date_joined", "-id")
    fields = readonly_fields = (*list_display, "tenants")
    actions = ("deactivate", "reactivate")

    def get_urls(self) -> list[URLPattern]:
        """Without a log: an account lies in no tenant, and each tenant's log tells its own part."""
        return [url for url in super().get_urls() if not str(url.name).endswith("_history")]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        return super().change_view(request, object_id, form_url, {"show_history": False})

    def subject_of(self, row: User) -> uuid.UUID:
        return row.id

    @display(description=_("organisations"))
    def tenants(self, row: User) -> str:
        """Where the person has a seat."""
        return table(
            (_("organisation"), _("short name")), [(seat.name, seat.slug) for seat in seats_of(row.id)]
        )

    @action(description=_("Deactivate: nobody signs in or uses a key of theirs"))
    def deactivate(self, request: OperatorRequest, rows: QuerySet[User]) -> None:
        """Shut the chosen accounts."""
        self._set_active(request, rows, active=False)

    @action(description=_("Activate again"))
    def reactivate(self, request: OperatorRequest, rows: QuerySet[User]) -> None:
        """Open the chosen accounts."""
        self._set_active(request, rows, active=True)

    def _set_active(self, request: OperatorRequest, rows: QuerySet[User], *, active: bool) -> None:
        self.each(
            request,
            rows.exclude(is_active=active),
            lambda row: operators.set_account_active(row.id, active=active, staff=request.user),
            lambda count: (
                ngettext("%(count)s account changed.", "%(count)s accounts changed.", count)
                % {"count": count}
            ),
        )

    def sentence(self, error: Exception) -> str:
        return str(_("Your own account stays active: somebody else of the staff shuts it."))
