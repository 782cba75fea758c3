"""The first pages: setting up a site, and a place to work for someone who signed up."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from memsite import bootstrap
from tenants import invitations, services
from tenants.middleware import signed_out, without_identity
from tenants.models import User
from tenants.scope import scope
from tenants.web.forms import JoinForm, SetupForm, TenantForm

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
    """An invitation: the invited person makes an account, or accepts with the one they have."""
    try:
        invitation = invitations.read(token)
    except invitations.BadInvitation:
        return render(request, "tenants/join_closed.html", status=404)
    context: dict[str, Any] = {"invitation": invitation}
    if request.user.is_authenticated:
        context["is_meant"] = request.user.email.lower() == invitation.email
        if request.method == "POST" and context["is_meant"]:
            return _seated(request, invitation, request.user, request.user.email.partition("@")[0])
        return render(request, "tenants/join.html", context)
    if User.objects.filter(email__iexact=invitation.email).exists():
        return redirect_to_login(request.get_full_path())
    form = JoinForm(request.POST or None, email=invitation.email)
    if request.method == "POST" and form.is_valid():
        user = User.objects.create_user(
            invitation.email, form.cleaned_data["password"], time_zone=form.cleaned_data["time_zone"]
        )
        return _seated(request, invitation, user, form.cleaned_data["name"])
    return render(request, "tenants/join.html", context | {"form": form}, status=422 if form.errors else 200)


def _seated(request: HttpRequest, invitation: invitations.Invitation, user: User, name: str) -> HttpResponse:
    """Give the person their seat and an agent, and let them in."""
    with scope(invitations.accept(invitation, user, name=name)):
        bootstrap.ensure_first_agent()
    login(request, user, backend=BACKEND)
    request.session["tenant"] = str(invitation.tenant_id)
    return redirect("home")


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
