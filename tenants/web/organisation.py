"""An organisation as a whole: its name, who may read what in it, and leaving it."""

from __future__ import annotations

import uuid
from contextlib import suppress

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tenants import people, services
from tenants.models import Membership, Tenant, Workspace
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, sent, way_back
from tenants.web.settings_forms import OrganisationForm

SECTION = {"section": "settings", "tab": "organisation"}


@require_http_methods(["GET", "POST"])
@workspace_page
def organisation(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Everybody reads here who may read their chats; the owner sets it."""
    tenant = Tenant.objects.get()
    role = request.seat.role
    is_owner = role == Membership.Role.OWNER
    before = _typed(tenant)
    form = OrganisationForm(sent(request, "name"), initial=before, is_owner=is_owner)
    if request.method == "POST":
        services.require_tenant_role(Membership.Role.ADMIN)
        if form.is_valid():
            services.update_tenant(**form.cleaned_data)
            undo = way_back("organisation", workspace.id, **_said(before)) if form.has_changed() else ""
            note(request, _("Saved."), undo=undo)
            return redirect("organisation", workspace)
    context = {
        "workspace": workspace,
        "tenant": tenant,
        "form": form,
        "is_owner": is_owner,
        "can_change": is_owner or role == Membership.Role.ADMIN,
    }
    page = "tenants/organisation.html"
    return show(request, page, SECTION | context, status=422 if form.errors else 200)


def _typed(tenant: Tenant) -> dict[str, str | bool]:
    return {
        "name": tenant.name,
        "admins_read_chats": tenant.admins_read_chats,
        "operators_read": tenant.operators_read,
    }


def _said(before: dict[str, str | bool]) -> dict[str, str | bool]:
    """As a browser sends it: a box that is not ticked is left out."""
    return {name: value for name, value in before.items() if value}


@require_http_methods(["GET", "POST"])
@workspace_page
def leave(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """What leaving an organisation does to what is mine and what is shared, and doing it.

    The workspace in the address says which organisation, whatever another tab has switched to.
    """
    mine = services.my_membership()
    if request.method == "POST":
        with suppress(people.LastOwner):  # the page says why
            people.leave_tenant()
            request.session.pop("tenant", None)
            note(request, _("You left %(name)s.") % {"name": request.seat.name})
            return redirect("home")
    leaving = people.preview_leaving(membership_id=mine.id)
    context = {"workspace": workspace, "tenant": Tenant.objects.get(), "person": mine, "leaving": leaving}
    status = 422 if request.method == "POST" else 200
    return show(request, "tenants/leave_organisation.html", SECTION | context, status=status)


@require_GET
def switch(request: PageRequest, tenant: uuid.UUID) -> HttpResponse:
    """Go to another of my organisations. Raises Tenant.DoesNotExist where I have no seat."""
    if tenant not in {seat.tenant_id for seat in request.seats}:
        raise Tenant.DoesNotExist
    request.session["tenant"] = str(tenant)
    return redirect("home")
