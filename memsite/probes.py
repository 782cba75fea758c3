"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse

from tenants.middleware import without_identity


@without_identity
def livez(request: HttpRequest) -> HttpResponse:
    """200 while the process answers."""
    return HttpResponse("ok", content_type="text/plain")


@without_identity
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers to a role that row-level security binds, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT any_tenant()")
    except Error:
        return HttpResponse("the database does not answer", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")
