"""Invitations of an organisation: who was asked to join as what, until when, and the link to hand on."""

from __future__ import annotations

import uuid
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tenants import invitations as verbs
from tenants import services
from tenants.models import Invitation, Membership, Workspace
from tenants.people import AlreadySeated, names_of
from tenants.permissions import has_role
from tenants.web import once
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note
from tenants.web.settings_forms import ROLE_HELP, InvitationForm

SECTION = {"section": "settings", "tab": "invitations"}
MOST = 200
# What goes nowhere: e-mail that is printed, kept in memory or thrown away.
NO_POST = ("console", "dummy")


@require_http_methods(["GET", "POST"])
@workspace_page
def invitations(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """GET: those that wait; `?state=joined` or `ended` the others, `?q=` by e-mail. POST: a new one."""
    services.require_tenant_role(Membership.Role.ADMIN)
    if request.method == "GET":
        return _list(request, workspace)
    if once.is_repeated(request):
        return _shown_before(request, workspace)
    form = _form(workspace, request.POST)
    if not form.is_valid():
        return _list(request, workspace, form=form, status=422)
    try:
        token = verbs.invite(**form.wanted())
    except (AlreadySeated, verbs.CannotInvite) as error:
        form.add_error(_field(form, error), _refused(error))
        return _list(request, workspace, form=form, status=422)
    return _handed(request, workspace, token, is_sent=bool(form.cleaned_data.get("send")))


def _form(workspace: Workspace, data: Any = None) -> InvitationForm:
    """The form, with the team workspaces that one may let people into."""
    mine = Workspace.objects.filter(kind=Workspace.Kind.TEAM).order_by("name", "id")
    places = [each for each in mine if has_role(each.id, "admin")]
    here = str(workspace.id) if workspace in places else ""
    return InvitationForm(data, workspaces=places, can_send=can_send(), initial={"workspace": here})


def _field(form: InvitationForm, error: Exception) -> str | None:
    named = getattr(error, "field", "email")
    return named if named in form.fields else None


def _refused(error: Exception) -> str:
    is_in = isinstance(error, AlreadySeated)
    return _("This person is in the organisation already.") if is_in else str(error)


def can_send() -> bool:
    """Whether this site sends e-mail to anywhere."""
    return not any(f".{each}." in settings.EMAIL_BACKEND for each in NO_POST)


def _list(request: PageRequest, workspace: Workspace, *, status: int = 200, **context: Any) -> HttpResponse:
    query, state = asked(request, "q"), asked(request, "state")
    found = Invitation.objects.select_related("workspace").filter(email__icontains=query)
    rows = list(_in_state(found, state).order_by("-id")[:MOST])
    names = names_of(each.inviter_id for each in rows)
    shown = {
        "workspace": workspace,
        "form": _form(workspace),
        "can_send": can_send(),
        "rows": [
            {
                "invitation": each,
                "inviter": names.get(each.inviter_id, ""),
                "is_over": each.expires_at <= timezone.now(),
                "place": _place(each),
            }
            for each in rows
        ],
        "query": query,
        "state": state,
        "help": [(each.label, ROLE_HELP[each]) for each in Membership.Role if each != "owner"],
    }
    page = "tenants/invitations.html"
    return show(request, page, SECTION | shown | context, fragment="tenants/_invitations.html", status=status)


def _in_state(found: Any, state: str) -> Any:
    if state == "joined":
        return found.filter(accepted_at__isnull=False)
    if state == "ended":
        return found.filter(revoked_at__isnull=False, accepted_at=None)
    return found.filter(accepted_at=None, revoked_at=None)


def _place(invitation: Invitation) -> str:
    """The workspace's name, where one sees it."""
    return invitation.workspace.name if invitation.workspace_id and invitation.workspace else ""


def _handed(request: PageRequest, workspace: Workspace, token: str, *, is_sent: bool = False) -> HttpResponse:
    """The page with a link that is shown once, and what became of the e-mail."""
    once.remember(request)
    link = request.build_absolute_uri(reverse("join", args=[token]))
    facts = verbs.read(token)
    sent, failed = "", ""
    if is_sent:
        try:
            verbs.send(facts, link)
        except (OSError, SMTPException):
            failed = _("The email could not be sent. Copy the link and hand it on yourself.")
        else:
            sent = facts.email
    context: dict[str, Any] = {"link": link, "made": facts, "sent": sent, "failed": failed}
    return _list(request, workspace, **context)


def _shown_before(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The form was sent again: another link would let the first one die, which may be on its way."""
    once.say_link_was_shown(request)
    return redirect("invitations", workspace)


@require_POST
@workspace_page
def renew(request: PageRequest, workspace: Workspace, invitation: uuid.UUID) -> HttpResponse:
    """A new link in the place of the old one, which dies; with `send` it goes out by e-mail too."""
    services.require_tenant_role(Membership.Role.ADMIN)
    if once.is_repeated(request):
        return _shown_before(request, workspace)
    try:
        token = verbs.renew(invitation_id=invitation)
    except (AlreadySeated, verbs.CannotInvite) as error:
        messages.error(request, _refused(error))
        return redirect("invitations", workspace)
    return _handed(request, workspace, token, is_sent=can_send() and "send" in request.POST)


@require_POST
@workspace_page
def revoke(request: PageRequest, workspace: Workspace, invitation: uuid.UUID) -> HttpResponse:
    """Let the link die."""
    services.require_tenant_role(Membership.Role.ADMIN)
    found = Invitation.objects.get(id=invitation)
    verbs.revoke(invitation_id=invitation)
    note(request, _("The link for %(email)s no longer works.") % {"email": found.email})
    return redirect("invitations", workspace)
