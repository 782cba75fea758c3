"""The base of the API's views: a handler runs inside the caller's scope, and answers data."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db import connection
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.api.bodies import Body
from tenants.models import Workspace
from tenants.scope import Identity, current_scope, scope

Handler = TypeVar("Handler", bound=Callable[..., Any])
VERBS = ("get", "post", "put", "patch", "delete")
OWN_SCOPES = "opens_own_scopes"


def own_scopes(handler: Handler) -> Handler:
    """Mark a handler that waits or streams: it opens its own scopes, and none while nothing happens."""
    setattr(handler, OWN_SCOPES, True)
    return handler


class ScopedView(APIView):
    """Each handler runs inside one scope, the caller's; a refusal rolls back all that it did.

    The scopes that a key needs here for reading and for everything else are the class's. What is about the
    organisation as a whole is not for keys that are narrowed to some workspaces.
    """

    scope_to_read = "read"
    scope_to_write = "write"
    is_about_the_whole = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for verb in VERBS:
            handler = vars(cls).get(verb)
            if handler is not None and not getattr(handler, OWN_SCOPES, False):
                setattr(cls, verb, _in_scope(handler))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What one person was answered lies in no cache: it may hold a secret, or what is erased later."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        finished.headers.setdefault("Cache-Control", "private, no-store")
        return finished

    def said(self, body: type[Body], **options: Any) -> dict[str, Any]:
        """The request's body, checked. Raises ValidationError."""
        found = body(data=self.request.data, **options)
        found.is_valid(raise_exception=True)
        return dict(found.validated_data)

    def asked(self, query: type[Body]) -> dict[str, Any]:
        """The request's query string, checked. Raises ValidationError."""
        found = query(data=self.request.query_params.dict())
        found.is_valid(raise_exception=True)
        return dict(found.validated_data)


class GoverningView(ScopedView):
    """What it changes governs people: that needs a key with `manage`."""

    scope_to_write = "manage"


class ConfidentialView(GoverningView):
    """What it shows is for who governs, too."""

    scope_to_read = "manage"
    is_about_the_whole = True


def _in_scope(handler: Callable[..., Response]) -> Callable[..., Response]:
    @wraps(handler)
    def scoped(view: ScopedView, request: Request, **kwargs: Any) -> Response:
        with scope(identity_of(request)):
            return handler(view, request, **kwargs)

    return scoped


def identity_of(request: Request) -> Identity:
    """Who is asking, as the key says."""
    found: Identity = request._request.identity  # type: ignore[attr-defined]
    return found


def reachable(workspace_id: Any) -> None:
    """Raises Workspace.DoesNotExist where a workspace is out of reach, as where there is none."""
    if workspace_id is not None and workspace_id not in current_scope().workspaces:
        raise Workspace.DoesNotExist


def let_go() -> None:
    """Give the database connection back before a wait."""
    if not connection.in_atomic_block:
        connection.close()
