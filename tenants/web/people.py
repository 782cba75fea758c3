"""The people of an organisation, for its owners and admins: their roles, leaving, a way back in."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tenants import people as verbs
from tenants import services
from tenants.models import Membership, Tenant, User, Workspace, WorkspaceMember
from tenants.scope import current_scope
from tenants.web import once
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note, sent, way_back
from tenants.web.settings_forms import ROLE_HELP, RoleForm

SECTION = {"section": "settings", "tab": "people"}
Role = Membership.Role
MOST = 500  # in one list; the filter finds the others


@require_GET
@workspace_page
def people(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Everybody; `?q=` filters by name, `?role=` by role."""
    services.require_tenant_role(Role.ADMIN)
    query, role = asked(request, "q"), asked(request, "role")
    found = Membership.objects.filter(is_active=True, name__icontains=query)
    found = found.filter(role=role) if role else found
    rows = list(found.order_by("name", "id")[: MOST + 1])
    emails = _emails(rows)
    context = {
        "workspace": workspace,
        "rows": [{"member": each, "email": emails.get(each.user_id, "")} for each in rows[:MOST]],
        "is_cut": len(rows) > MOST,
        "query": query,
        "role": role,
        "roles": Role.choices,
        "help": [(each.label, ROLE_HELP[each]) for each in Role],
        "my_id": current_scope().user_id,
    }
    return show(request, "tenants/people.html", SECTION | context, fragment="tenants/_people.html")


def _emails(rows: list[Membership]) -> dict[uuid.UUID, str]:
    found = User.objects.filter(id__in=[each.user_id for each in rows])
    return dict(found.values_list("id", "email"))


@require_GET
@workspace_page
def person(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """One person: role, workspaces, and what an owner or admin can do about them."""
    return _person(request, workspace, membership)


def _person(
    request: PageRequest, workspace: Workspace, membership: uuid.UUID, *, status: int = 200, **context: Any
) -> HttpResponse:
    services.require_tenant_role(Role.ADMIN)
    found = _seat(membership)
    mine = request.seat.role
    is_me = found.user_id == current_scope().user_id
    places = WorkspaceMember.objects.filter(membership=found).select_related("workspace")
    shown = {
        "workspace": workspace,
        "person": found,
        "email": _emails([found]).get(found.user_id, ""),
        "places": [each for each in places if each.workspace.kind != Workspace.Kind.PERSONAL],
        "is_me": is_me,
        "is_owner": mine == Role.OWNER,
        "can_change": not is_me and (mine == Role.OWNER or found.role != Role.OWNER),
        "form": RoleForm(initial={"role": found.role}, given_by=mine),
        "help": [(each.label, ROLE_HELP[each]) for each in Role],
        "tenant": Tenant.objects.get(),
    }
    return show(request, "tenants/person.html", SECTION | shown | context, status=status)


def _seat(membership: uuid.UUID) -> Membership:
    return Membership.objects.get(id=membership, is_active=True)


@require_POST
@workspace_page
def change_role(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """Give somebody another role; the note at the bottom takes it back.

    Who becomes an auditor loses their workspaces, which no note brings back: a page says so first.
    """
    found = _seat(membership)
    form = RoleForm(sent(request, "role"), given_by=request.seat.role)
    if not form.is_valid():
        return _person(request, workspace, membership, form=form, status=422)
    role = form.cleaned_data["role"]
    if role == Role.AUDITOR and found.role != role and "sure" not in request.POST:
        services.require_tenant_role(Role.ADMIN)
        context = {"workspace": workspace, "person": found, "leaving": _leaving(membership)}
        return show(request, "tenants/make_auditor.html", SECTION | context)
    try:
        changed = verbs.change_role(membership_id=membership, role=role)
    except verbs.LastOwner:
        form.add_error("role", _last_owner())
        return _person(request, workspace, membership, form=form, status=422)
    back = way_back("person-role", workspace.id, membership, role=found.role)
    told = _("%(name)s is %(role)s now.") % {"name": changed.name, "role": changed.get_role_display()}
    note(request, told, undo="" if role == Role.AUDITOR else back)
    return redirect("person", workspace, membership)


def _leaving(membership: uuid.UUID) -> verbs.Leaving:
    return verbs.preview_leaving(membership_id=membership)


def _last_owner() -> str:
    return _("An organisation keeps an owner. Make somebody else one first.")


@require_http_methods(["GET", "POST"])
@workspace_page
def remove(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """What removing a person does to what is theirs and what is shared, and doing it."""
    services.require_tenant_role(Role.ADMIN)
    found = _seat(membership)
    refused = ""
    if request.method == "POST":
        try:
            verbs.remove_person(membership_id=membership)
        except verbs.LastOwner:
            refused = _last_owner()
        else:
            told = _("%(name)s is removed. Shared memory stays; what was their own is closed and kept.")
            note(request, told % {"name": found.name})
            return redirect("people", workspace)
    context = {"workspace": workspace, "person": found, "leaving": _leaving(membership), "refused": refused}
    return show(request, "tenants/remove_person.html", SECTION | context, status=422 if refused else 200)


@require_http_methods(["GET", "POST"])
@workspace_page
def transfer(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """What handing over an organisation means, and doing it."""
    services.require_tenant_role(Role.OWNER)
    found = _seat(membership)
    if request.method == "POST":
        verbs.transfer_ownership(membership_id=membership)
        note(request, _("%(name)s is the owner now, and you are an admin.") % {"name": found.name})
        return redirect("people", workspace)
    context = {"workspace": workspace, "person": found}
    return show(request, "tenants/transfer.html", SECTION | context)


@require_POST
@workspace_page
def reset_link(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """A link with which a member chooses a new password, shown once to the owner."""
    if once.is_repeated(request):
        once.say_link_was_shown(request)
        return redirect("person", workspace, membership)
    found = _seat(membership)
    uid, token = verbs.password_link(user_id=found.user_id)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
    once.remember(request)
    context: dict[str, Any] = {"link": request.build_absolute_uri(path), "link_for": found}
    return _person(request, workspace, membership, **context)
