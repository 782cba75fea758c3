"""The API's door: a key in the Authorization header says tenant, person and what may be done."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import connection
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tenants.keys import digest
from tenants.models import ApiKey
from tenants.scope import Identity, scope


class Caller:
    """The person behind a key, as Django REST framework wants to see one."""

    is_authenticated = True

    def __init__(self, user_id: uuid.UUID) -> None:
        self.id = self.pk = user_id


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer KEY`. Sets `request.identity` on the request."""

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[Caller, list[str]] | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        keyword, _, secret = header.partition(" ")
        if keyword.lower() != self.keyword.lower() or not secret.strip():
            raise AuthenticationFailed("Send the key as: Authorization: Bearer KEY.")
        found = find_key(secret.strip())
        if found is None:
            raise AuthenticationFailed("This key is not known, has expired or was revoked.")
        request._request.identity, scopes = found  # type: ignore[attr-defined]
        return Caller(found[0].user_id), scopes  # type: ignore[arg-type]

    def authenticate_header(self, request: Request) -> str:
        return self.keyword


def find_key(secret: str) -> tuple[Identity, list[str]] | None:
    """Identity and scopes of a live key; its last use is noted at most once a minute."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM key_by_digest(%s)", [digest(secret)])
        row = cursor.fetchone()
    if row is None:
        return None
    key, tenant, person, scopes, seen, workspaces = row
    identity = Identity(tenant, person, None if workspaces is None else frozenset(workspaces), key)
    if _stale(seen):
        with scope(identity):
            ApiKey.objects.filter(id=key).update(last_used_at=timezone.now())
    return identity, _as_list(scopes)


def _as_list(scopes: Any) -> list[str]:
    return list(json.loads(scopes) if isinstance(scopes, str) else scopes)


def _stale(seen: datetime | None) -> bool:
    return seen is None or timezone.now() - seen > timedelta(minutes=1)


class HasIdentity(BasePermission):
    """Signed in by a key whose scopes cover what the view asks for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not getattr(request._request, "identity", None):
            return False
        reads = request.method in {"GET", "HEAD", "OPTIONS"}
        needed = getattr(view, "scope_to_read" if reads else "scope_to_write", "manage")
        if needed not in cast(list[str], request.auth or []):
            raise PermissionDenied(f"This key lacks the scope {needed}.")
        if getattr(view, "is_about_the_whole", False) and request._request.identity.reach is not None:  # type: ignore[attr-defined]
            raise PermissionDenied("This key is narrowed to some workspaces.")
        return True


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the key stands in the OpenAPI schema."""

    target_class = "tenants.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An API key, made in the settings."}
