"""Pages about the person and the people of a tenant."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tenants import invitations, services
from tenants.models import Membership, User, Workspace
from tenants.profile import update_me
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, asked, personal_workspace, show, workspace_page
from tenants.web.forms import InvitationForm, ProfileForm


@require_GET
def home(request: PageRequest) -> HttpResponse:
    """The start: my own workspace."""
    return redirect("workspace", personal_workspace())


@require_http_methods(["GET", "POST"])
def me(request: PageRequest) -> HttpResponse:
    """Name, language, time zone, appearance."""
    form = ProfileForm(request.POST or None, initial=_profile(request.user))
    if request.method == "POST" and form.is_valid():
        update_me(**form.cleaned_data)
        with translation.override(form.cleaned_data["language"] or translation.get_language()):
            messages.success(request, _("Saved."))
        return redirect("me")
    context = {"form": form, "email": request.user.email}
    return show(request, "tenants/me.html", context, status=422 if form.errors else 200)


def _profile(user: Any) -> dict[str, Any]:
    return {
        "name": services.my_membership().name,
        "language": user.language,
        "time_zone": user.time_zone or "UTC",
        "theme": user.theme,
        "shortcuts": user.shortcuts,
    }


@require_GET
@workspace_page
def members(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The people of this tenant, for its owners and admins; `?q=` filters by name."""
    services.require_tenant_role(Membership.Role.ADMIN)
    return show(request, "tenants/members.html", _people(request))


@require_POST
@workspace_page
def invite(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A link that gives one person a seat here; shown to be copied, nothing is sent."""
    services.require_tenant_role(Membership.Role.ADMIN)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return show(request, "tenants/members.html", _people(request) | {"form": form}, status=422)
    token = invitations.invite(**form.cleaned_data)
    link = request.build_absolute_uri(reverse("join", args=[token]))
    context = _people(request) | {"invitation": link, "invited": form.cleaned_data["email"]}
    return show(request, "tenants/members.html", context)


@require_POST
@workspace_page
def reset_link(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """A link with which a member chooses a new password, shown once to the owner."""
    person = Membership.objects.get(id=membership)
    uid, token = services.password_link(user_id=person.user_id)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
    context = _people(request) | {"link": request.build_absolute_uri(path), "link_for": person}
    return show(request, "tenants/members.html", context, fragment="tenants/_reset_link.html")


def _people(request: PageRequest) -> dict[str, Any]:
    query = asked(request, "q")
    people = list(Membership.objects.filter(is_active=True, name__icontains=query).order_by("name", "id"))
    emails = dict(User.objects.filter(id__in=[each.user_id for each in people]).values_list("id", "email"))
    mine = services.my_membership()
    return {
        "people": [{"member": each, "email": emails[each.user_id]} for each in people],
        "query": query,
        "is_owner": mine.role == Membership.Role.OWNER,
        "my_id": current_scope().user_id,
        "form": InvitationForm(),
        "section": "members",
    }
