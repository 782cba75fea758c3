"""The person's own pages: start, profile, organisations, who has read what is theirs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tenants import services
from tenants.models import AuditEvent, Membership, Tenant, Workspace
from tenants.profile import update_me
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, asked, personal_workspace, show, workspace_page
from tenants.web.events import OF_MINE, page_of, shown
from tenants.web.forms import ProfileForm
from tenants.web.notes import note, sent, way_back

LATEST = 3


@require_GET
def home(request: PageRequest) -> HttpResponse:
    """The start: my own workspace; an auditor's is the audit log."""
    is_auditor = request.seat.role == Membership.Role.AUDITOR
    return redirect("audit" if is_auditor else "workspace", personal_workspace())


@require_http_methods(["GET", "POST"])
def me(request: PageRequest) -> HttpResponse:
    """Name, language, time zone, appearance; where one belongs, and who has read what is one's own."""
    before = _profile(request)
    form = ProfileForm(sent(request, "name"), initial=before)
    if request.method == "POST" and form.is_valid() and _is_for_here(request, form):
        update_me(**{name: value for name, value in form.cleaned_data.items() if name != "tenant"})
        with translation.override(form.cleaned_data["language"] or translation.get_language()):
            is_changed = set(form.changed_data) - {"tenant"}
            note(request, _("Saved."), undo=way_back("me", **_said(before)) if is_changed else "")
        return redirect("me")
    context = {
        "form": form,
        "email": request.user.email,
        "home": personal_workspace(),
        "tenant": Tenant.objects.get(),
        "seats": [{"seat": seat, "role": Membership.Role(seat.role).label} for seat in request.seats],
        "readings": shown(_readings()[:LATEST]),
    }
    return show(request, "tenants/me.html", context, status=422 if form.errors else 200)


def _said(before: dict[str, Any]) -> dict[str, Any]:
    """As a browser sends it: a box that is not ticked is left out."""
    return {name: value for name, value in before.items() if value is not False}


def _is_for_here(request: PageRequest, form: ProfileForm) -> bool:
    """Whether the form was made for the organisation that is open now."""
    if form.cleaned_data["tenant"] in {None, request.seat.tenant_id}:
        return True
    told = _("Another organisation is open now: %(name)s. Look at the name, then save again.")
    form.add_error("name", told % {"name": request.seat.name})
    form.data = {**form.data, "tenant": str(request.seat.tenant_id)}
    return False


def _profile(request: PageRequest) -> dict[str, Any]:
    user = request.user
    return {
        "tenant": request.seat.tenant_id,
        "name": services.my_membership().name,
        "language": user.language,
        "time_zone": user.time_zone or "UTC",
        "theme": user.theme,
        "shortcuts": user.shortcuts,
    }


def _readings() -> QuerySet[AuditEvent]:
    """Each time that somebody looked into what is mine, the latest first."""
    found = AuditEvent.objects.filter(subject_id=current_scope().person, action__in=OF_MINE)
    return found.order_by("-id")


@require_GET
def readings(request: PageRequest) -> HttpResponse:
    """All of them; `?before=` goes on after an event."""
    context = {"tenant": Tenant.objects.get(), "home": personal_workspace()} | page_of(
        _readings(), asked(request, "before")
    )
    return show(request, "tenants/readings.html", context, fragment="tenants/_readings.html")


@require_GET
@workspace_page
def first_steps(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """What somebody who has just joined does first, and what the others see of them."""
    teams = Workspace.objects.filter(kind=Workspace.Kind.TEAM).order_by("name", "id")
    context = {
        "workspace": workspace,
        "tenant": Tenant.objects.get(),
        "person": services.my_membership(),
        "teams": list(teams),
    }
    return show(request, "tenants/first_steps.html", context)
