"""API keys: a program's way in as one person, narrowed by scopes, workspaces and time."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tenants import audit, notices
from tenants.models import ApiKey, Workspace
from tenants.permissions import NotAllowed
from tenants.scope import Identity, current_scope

PREFIX = "ms_"
SCOPES = ("read", "write", "manage")
USUAL_SCOPES = ("read", "write")
NAME_MAX = 120


class BadKey(Exception):
    """A key cannot have this name, these scopes, these workspaces or this end."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class KeyRevoked(Exception):
    """This key was revoked or has expired."""


def create_key(
    *,
    name: str,
    scopes: Iterable[str] | None = None,
    expires_at: datetime | None = None,
    workspace_ids: Iterable[uuid.UUID] | None = None,
) -> str:
    """A key for the present person. The answer is its only appearance.

    None takes the usual scopes, no end, and everything that is the person's; an empty list is refused, never
    taken as no limit. A key makes none that could do more than itself, outlive it, or outlast its end. Raises
    BadKey, Workspace.DoesNotExist for one out of reach, NotAllowed where a narrowed key would make another.
    """
    _refuse_narrowed()
    name, secret = name.strip(), PREFIX + secrets.token_urlsafe(32)
    workspaces = None if workspace_ids is None else list(dict.fromkeys(workspace_ids))
    wanted = list(USUAL_SCOPES if scopes is None else dict.fromkeys(scopes))
    _check(name, wanted, expires_at, workspaces)
    maker_id = current_scope().identity.key_id
    if maker_id is not None:
        _check_within(ApiKey.objects.get(id=maker_id), wanted, expires_at)
    key = ApiKey.objects.create(
        user_id=current_scope().person,
        name=name,
        prefix=secret[:9],
        digest=digest(secret),
        scopes=wanted,
        expires_at=expires_at,
        workspaces=workspaces,
        made_by=maker_id,
    )
    audit.record(
        "key.created", key, scopes=wanted, expires_at=expires_at, workspaces=workspaces and len(workspaces)
    )
    return secret


def _refuse_narrowed() -> None:
    """A key that is for some workspaces neither sees nor makes keys that are for more."""
    if current_scope().identity.reach is not None:
        raise NotAllowed("member", "organisation")


def _check(
    name: str, scopes: list[str], expires_at: datetime | None, workspaces: list[uuid.UUID] | None
) -> None:
    if not name or len(name) > NAME_MAX:
        raise BadKey("name", _("A key needs a name of at most %d characters.") % NAME_MAX)
    if not scopes or set(scopes) - set(SCOPES):
        raise BadKey("scopes", _("Choose at least one of: %s.") % ", ".join(SCOPES))
    if expires_at is not None and expires_at <= timezone.now():
        raise BadKey("expires_at", _("This moment has passed."))
    if workspaces is not None and not workspaces:
        raise BadKey("workspace_ids", _("Choose at least one workspace, or all."))
    if set(workspaces or []) - set(current_scope().workspaces):
        raise Workspace.DoesNotExist


def _check_within(maker: ApiKey, scopes: list[str], expires_at: datetime | None) -> None:
    """Raises BadKey where a key would make one that can do more than itself, or outlives it."""
    lacking = [scope for scope in scopes if scope not in maker.scopes]
    if lacking:
        raise BadKey("scopes", _("This key lacks: %s. It makes no key that has it.") % ", ".join(lacking))
    if maker.expires_at and (expires_at is None or expires_at > maker.expires_at):
        raise BadKey("expires_at", _("It cannot end later than the key that makes it."))


def my_keys() -> QuerySet[ApiKey]:
    """The present person's keys, newest first, dead ones too. Raises NotAllowed for a narrowed key."""
    _refuse_narrowed()
    return ApiKey.objects.order_by("-id")


def revoke_key(*, key_id: uuid.UUID) -> ApiKey:
    """End one of the present person's keys for good, at once, with those that it made.

    Raises ApiKey.DoesNotExist, NotAllowed.
    """
    _refuse_narrowed()
    key = ApiKey.objects.select_for_update().get(id=key_id)
    _revoke([key])
    return key


def replace_key(*, name: str) -> str:
    """A key in the place of all the present person's keys of that name."""
    _revoke(ApiKey.objects.select_for_update().filter(name=name))
    return create_key(name=name)


def _revoke(keys: Iterable[ApiKey]) -> None:
    for key in keys:
        if key.revoked_at is None:
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
            audit.record("key.revoked", key)
            notices.key_revoked(key.id)
        _revoke(ApiKey.objects.select_for_update().filter(made_by=key.id, revoked_at=None))


def require_live(identity: Identity) -> None:
    """For what takes longer than a request should, inside a scope: raises KeyRevoked where the key with which
    it began has ended since."""
    if identity.key_id is None:
        return
    lives = Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=timezone.now()))
    if not ApiKey.objects.filter(lives, id=identity.key_id).exists():
        raise KeyRevoked(KeyRevoked.__doc__)


def digest(secret: str) -> str:
    """What is kept of a key, or of an invitation. They are random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
