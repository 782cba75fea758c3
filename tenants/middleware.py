"""Doors of the pages: session, language, and the scope around every view.

The API, the schema and the probes need none of it; `PagesOnly` keeps their path short.
"""

from __future__ import annotations

import re
import secrets
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from tenants import audit
from tenants.models import User
from tenants.permissions import NotAllowed
from tenants.scope import Identity, scope
from tenants.services import Seat, seats_of


class SeatedRequest(HttpRequest):
    """A page's request as views get it: who asks, for which tenant, and the person's other tenants."""

    user: User
    seat: Seat
    seats: list[Seat]
    identity: Identity


OWN_SCOPE = "memsite_own_scope"
WITHOUT_IDENTITY = "memsite_without_identity"
_REQUEST_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_WORKSPACE = re.compile(r"^/w/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-|/|$)")


def is_page(request: HttpRequest) -> bool:
    """Whether a request is a person's, with a session."""
    return not request.path.startswith(("/api/", "/static/", "/livez", "/readyz"))


def own_scope(view: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a view that opens its own scopes, since it waits or streams and may hold no transaction."""
    setattr(view, OWN_SCOPE, True)
    return view


def without_identity(view: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a page that serves people who are not signed in or have no tenant yet."""
    setattr(view, WITHOUT_IDENTITY, True)
    return view


def give_back() -> None:
    """Give this thread's database connection back to the pool, unless a transaction is open on it."""
    if not connection.in_atomic_block:
        connection.close()


class StreamsHoldNothing:
    """An answer that streams gives the database connection of its request back before it begins.

    Outside every other middleware of the request's thread: sessions may have written on their way out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.streaming:
            give_back()
        return response


class RequestOrigin:
    """From where a request comes, for the audit log: the address that the server names, and an id that a
    proxy gave the request or that is made here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        token = audit.origin.set(audit.Origin(request.META.get("REMOTE_ADDR", "")[:45], request_id))
        try:
            return self.get_response(request)
        finally:
            audit.origin.reset(token)


class PagesOnly(MiddlewareMixin):
    """A Django middleware that leaves everything but pages alone."""

    def process_request(self, request: HttpRequest) -> Any:
        return super().process_request(request) if is_page(request) else None  # type: ignore[misc]

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        return super().process_response(request, response) if is_page(request) else response  # type: ignore[misc]


class PagesOnlySessions(PagesOnly, SessionMiddleware):
    """Sessions, on pages."""


class PagesOnlyCsrf(PagesOnly, CsrfViewMiddleware):
    """Protection against forged forms, on pages; the API takes no cookies."""

    def process_view(
        self, request: HttpRequest, callback: Any, callback_args: Any, callback_kwargs: Any
    ) -> Any:
        if not is_page(request):
            return None
        return super().process_view(request, callback, callback_args, callback_kwargs)


class PagesOnlyAuthentication(AuthenticationMiddleware):
    """The signed-in person, on pages."""

    def process_request(self, request: HttpRequest) -> None:
        if is_page(request):
            super().process_request(request)


class PagesOnlyMessages(PagesOnly, MessageMiddleware):
    """Notes to the person, kept in the session, on pages."""


class PersonLocale:
    """Language and time zone: the person's own, else what the browser asks for, else English and UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = getattr(request, "user", None)
        language = getattr(user, "language", "") or translation.get_language_from_request(request)
        zone = getattr(user, "time_zone", "")
        with translation.override(language), timezone.override(zoneinfo.ZoneInfo(zone) if zone else None):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
            _render(response)
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Content-Language", request.LANGUAGE_CODE or "en")
        return response


class IdentityMiddleware:
    """Find who is asking and for which tenant, and open the scope around the view and its template."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: SeatedRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        if not is_page(request) or _marked(view, WITHOUT_IDENTITY):
            return None
        if not request.user.is_authenticated:
            return None if request.path.startswith("/accounts/") else signed_out(request)
        seat = choose_seat(request)
        if seat is None:
            return None if request.path.startswith(("/accounts/", "/welcome/")) else redirect("welcome")
        request.seat = seat
        request.identity = Identity(seat.tenant_id, request.user.id)
        if _marked(view, OWN_SCOPE):
            give_back()  # the view takes its own: waiting for one with one in hand is how a pool runs dry
            return None
        if request.path.startswith("/accounts/"):
            return None
        try:
            with scope(request.identity):
                response: HttpResponseBase = view(request, *args, **kwargs)
                _render(response)
        except ObjectDoesNotExist:  # not there, or not to be seen: the same to whoever asks
            raise Http404 from None
        except NotAllowed as error:
            raise PermissionDenied(str(error)) from None
        return response


def signed_out(request: HttpRequest) -> HttpResponse:
    """The answer to someone who is not signed in: the login page; 401 to script and to streams, which would
    follow a redirect for ever."""
    wants_part = request.headers.get("HX-Request") == "true"
    if wants_part or "text/event-stream" in request.headers.get("Accept", ""):
        return HttpResponse(_("You are signed out."), status=401, content_type="text/plain; charset=utf-8")
    return redirect_to_login(request.get_full_path())


def choose_seat(request: SeatedRequest) -> Seat | None:
    """The tenant that the address names, else the session's, else the person's first."""
    seats = seats_of(request.user.id)
    request.seats = seats
    named = _WORKSPACE.match(request.path)
    if named:
        wanted = uuid.UUID(named.group(1))
        found = next((seat for seat in seats if wanted in seat.workspaces), None)
        if found:
            if request.session.get("tenant") != str(found.tenant_id):
                request.session["tenant"] = str(found.tenant_id)
            return found
    held = request.session.get("tenant")
    return next((seat for seat in seats if str(seat.tenant_id) == held), seats[0] if seats else None)


def _marked(view: Callable[..., Any], mark: str) -> bool:
    return bool(getattr(view, mark, False) or getattr(getattr(view, "view_class", None), mark, False))


def _render(response: HttpResponseBase) -> None:
    """Templates are rendered while scope, language and zone still hold."""
    if isinstance(response, SimpleTemplateResponse) and not response.is_rendered:
        response.render()
