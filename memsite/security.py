"""Headers that hold a browser to what the site means: no foreign host, no inline script or style."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
# The theme of the staff's admin writes styles into its elements and evaluates expressions in its attributes.
# Its pages set this by themselves (`memsite.operators.access`); foreign hosts are as far off as elsewhere.
ADMIN_POLICY = f"{POLICY}; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"


class SecurityHeaders:
    """Adds the content security policy to every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response


class KeepingRedirect(HttpResponsePermanentRedirect):
    """308: the client sends the same verb and body again, where 301 lets it send a GET."""

    status_code = 308


class Slashes(CommonMiddleware):
    """An address without its last slash is sent to the one with it, and nothing of the request is lost."""

    response_redirect_class = KeepingRedirect
