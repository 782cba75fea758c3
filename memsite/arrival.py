"""The first pages: setting up a site, and a place to work for someone who signed up."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from memsite import bootstrap
from tenants import invitations, services
from tenants.middleware import signed_out, without_identity
from tenants.models import Membership, User, WorkspaceMember
from tenants.scope import scope
from tenants.web.doors import personal_workspace
from tenants.web.forms import JoinForm, SeatForm, SetupForm, TenantForm
from tenants.web.settings_forms import PLACE_HELP, ROLE_HELP

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@without_identity
@never_cache
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link that the start prints: makes the first tenant, its owner and an agent."""
    if not services.setup_allowed(token):
        return render(request, "setup_closed.html", {"is_set_up": services.any_tenant()}, status=404)
    form = SetupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return _set_up(request, form)
        except bootstrap.Refused as error:
            form.add_error(None, str(error))
    return render(request, "setup.html", {"form": form}, status=422 if form.errors else 200)


def _set_up(request: HttpRequest, form: SetupForm) -> HttpResponse:
    given = form.cleaned_data
    user, _identity = bootstrap.set_up(
        tenant_name=given["tenant"], email=given["email"], password=given["password"], name=given["name"]
    )
    user.time_zone = given["time_zone"]
    user.save(update_fields=["time_zone"])
    login(request, user, backend=BACKEND)
    return redirect("home")


@without_identity
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation: who invites into what, and the form with which the invited person comes in.

    They make an account or, signed in, say under which name the others will see them.
    """
    try:
        invitation = invitations.read(token)
    except invitations.BadInvitation as error:
        return render(request, "tenants/join_closed.html", {"reason": error.reason}, status=404)
    form = _join_form(request, invitation)
    if form and request.method == "POST" and form.is_valid():
        try:
            return _seated(request, token, form)
        except invitations.BadInvitation as error:  # it was taken back, or used, at this moment
            return render(request, "tenants/join_closed.html", {"reason": error.reason}, status=404)
        except IntegrityError:  # the form was sent twice, and the other one has made the account
            return redirect(request.get_full_path())
    context = _told(invitation) | {"form": form, "here": request.get_full_path()}
    return render(request, "tenants/join.html", context, status=422 if form and form.errors else 200)


def _join_form(request: HttpRequest, invitation: invitations.Offer) -> SeatForm | None:
    """The form for who is here; none for somebody else, nor for whoever has to sign in first."""
    data = request.POST if request.method == "POST" else None
    if request.user.is_authenticated:
        is_meant = request.user.email.lower() == invitation.email.lower()
        known = [seat.display_name for seat in services.seats_of(request.user.id)]
        return SeatForm(data, initial={"name": known[0] if known else ""}) if is_meant else None
    has_account = User.objects.filter(email__iexact=invitation.email).exists()
    return None if has_account else JoinForm(data, email=invitation.email)


def _told(invitation: invitations.Offer) -> dict[str, Any]:
    """What the page says of an invitation, in words."""
    role, place = Membership.Role(invitation.role), WorkspaceMember.Role(invitation.workspace_role)
    return {
        "invitation": invitation,
        "role": role.label,
        "role_help": ROLE_HELP[role],
        "place": place.label,
        "place_help": PLACE_HELP[place],
    }


def _seated(request: HttpRequest, token: str, form: SeatForm) -> HttpResponse:
    """Give the person their seat and an agent, and lead them in."""
    given = form.cleaned_data
    with transaction.atomic():
        user = request.user if request.user.is_authenticated else _account(token, given)
        identity = invitations.accept(token, user, name=given["name"])
        with scope(identity):
            bootstrap.ensure_first_agent()
            home = personal_workspace()
    if not request.user.is_authenticated:
        login(request, user, backend=BACKEND)
    request.session["tenant"] = str(identity.tenant_id)
    return redirect("first-steps", home)


def _account(token: str, given: dict[str, Any]) -> User:
    email = invitations.read(token).email
    return User.objects.create_user(email, given["password"], time_zone=given["time_zone"])


@without_identity
@never_cache
@require_http_methods(["GET", "POST"])
def welcome(request: HttpRequest) -> HttpResponse:
    """Where someone lands who has an account and no tenant."""
    if not request.user.is_authenticated:
        return signed_out(request)
    if services.seats_of(request.user.id):
        return redirect("home")
    if settings.SIGNUP != "open":
        return render(request, "tenants/welcome.html")
    form = TenantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        identity = services.create_tenant(name=given["tenant"], owner=request.user, owner_name=given["name"])
        with scope(identity):
            bootstrap.ensure_first_agent()
        return redirect("home")
    return render(request, "tenants/welcome.html", {"form": form}, status=422 if form.errors else 200)
