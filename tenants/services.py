"""What can be done about people, tenants, workspaces and keys."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core import signing
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.text import slugify

from tenants.ids import uuid7
from tenants.models import ApiKey, Membership, User, Workspace, WorkspaceMember
from tenants.permissions import NotAllowed, require_role
from tenants.scope import Identity, current_scope, scope

KEY_PREFIX = "ms_"
KEY_SCOPES = ("read", "write")
SETUP_SALT = "memsite.setup"


class SlugTaken(Exception):
    """Another tenant has this short name. Choose a different one."""


class AlreadySeated(Exception):
    """This person has a seat in this tenant."""


class NotShared(Exception):
    """A personal workspace is one person's. Open a team's workspace to share something."""


@dataclass(frozen=True)
class Seat:
    """One tenant that a person belongs to, as the doors need it before a scope is open."""

    tenant_id: uuid.UUID
    slug: str
    name: str
    role: str
    display_name: str
    workspaces: frozenset[uuid.UUID]


def seats_of(user_id: uuid.UUID) -> list[Seat]:
    """The tenants of a person, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM tenants_of(%s)", [user_id])
        return [_seat(*row) for row in cursor.fetchall()]


def _seat(
    tenant_id: uuid.UUID, slug: str, name: str, role: str, display_name: str, workspaces: list[uuid.UUID]
) -> Seat:
    return Seat(tenant_id, slug, name, role, display_name, frozenset(workspaces))


def any_tenant() -> bool:
    """Whether the site has been set up."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT any_tenant()")
        return bool(cursor.fetchone()[0])


def tenant_by_slug(slug: str) -> uuid.UUID | None:
    """The tenant of a short name, for commands."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_by_slug(%s)", [slug])
        found: uuid.UUID | None = cursor.fetchone()[0]
        return found


def setup_token() -> str:
    """What makes a link to the set-up page; it is good for a day, and once: until there is a tenant."""
    return signing.dumps("setup", salt=SETUP_SALT)


def setup_allowed(token: str) -> bool:
    """Whether this token opens the set-up page now."""
    try:
        signing.loads(token, salt=SETUP_SALT, max_age=24 * 3600)
    except signing.BadSignature:
        return False
    return not any_tenant()


def create_tenant(*, name: str, owner: User, owner_name: str, slug: str = "") -> Identity:
    """A tenant with its organisation workspace and its owner.

    Raises SlugTaken for a slug that was asked for; one that is made of the name gets an ending instead, and
    nobody learns that there is another tenant of that name.
    """
    tenant_id = uuid7()
    ids = [uuid7() for _ in range(5)]
    for wanted in [slug] if slug else _slugs(name, tenant_id):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(
                    "SELECT create_tenant(%s, %s, %s, %s, %s, %s)",
                    [tenant_id, wanted, name, owner.id, owner_name, ids],
                )
        except IntegrityError:
            continue
        return Identity(tenant_id, owner.id)
    raise SlugTaken(SlugTaken.__doc__)


def _slugs(name: str, tenant_id: uuid.UUID) -> list[str]:
    """Short names for a tenant, the nicest first; the last one is nobody else's."""
    ending = tenant_id.hex[-12:]
    begin = slugify(name)[:48].strip("-_")
    return [begin, f"{begin}-{ending}"] if begin else [f"t-{ending}"]


def add_person(*, user: User, name: str, role: str = Membership.Role.MEMBER) -> None:
    """Give a person a seat in the present tenant. Raises NotAllowed, AlreadySeated."""
    require_tenant_role(Membership.Role.OWNER if role == Membership.Role.OWNER else Membership.Role.ADMIN)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT add_person(%s, %s, %s, %s)", [user.id, name, role, [uuid7() for _ in range(4)]]
            )
    except IntegrityError:
        raise AlreadySeated(AlreadySeated.__doc__) from None


def open_workspace(*, name: str) -> Workspace:
    """A team workspace of which the present person is admin. The present scope does not reach it yet."""
    ids = [uuid7(), uuid7()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_workspace(%s, %s)", [name, ids])
    with scope(Identity(current_scope().tenant_id, current_scope().user_id, frozenset({ids[0]}))):
        return Workspace.objects.get(id=ids[0])


def my_membership() -> Membership:
    """The present person's seat in the present tenant."""
    return Membership.objects.get(user_id=current_scope().person)


def require_tenant_role(needed: str) -> None:
    """Raises NotAllowed unless the present person is owner, or `needed` is admin and they are admin."""
    enough = {"owner"} if needed == Membership.Role.OWNER else {"owner", "admin"}
    if current_scope().user_id is None or my_membership().role not in enough:
        raise NotAllowed(needed)


def create_key(*, name: str, scopes: list[str] | None = None, expires_at: datetime | None = None) -> str:
    """A key for the present person. The answer is its only appearance."""
    secret = KEY_PREFIX + secrets.token_urlsafe(32)
    ApiKey.objects.create(
        user_id=current_scope().person,
        name=name,
        prefix=secret[:9],
        digest=digest(secret),
        scopes=scopes or list(KEY_SCOPES),
        expires_at=expires_at,
    )
    return secret


def replace_key(*, name: str) -> str:
    """A key in the place of all the present person's keys of that name."""
    ApiKey.objects.filter(name=name, user_id=current_scope().person, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    return create_key(name=name)


def digest(secret: str) -> str:
    """What is kept of a key. It is random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def add_member(*, workspace_id: uuid.UUID, user_id: uuid.UUID, role: str) -> WorkspaceMember:
    """Let a person of this tenant into a workspace, or change their role there.

    Raises NotAllowed, NotShared, Membership.DoesNotExist where they have no seat.
    """
    require_role(workspace_id, WorkspaceMember.Role.ADMIN)
    if current_scope().workspaces[workspace_id].kind == Workspace.Kind.PERSONAL:
        raise NotShared(NotShared.__doc__)
    membership = Membership.objects.get(user_id=user_id, is_active=True)
    member, _ = WorkspaceMember.objects.update_or_create(
        workspace_id=workspace_id, user_id=user_id, defaults={"membership": membership, "role": role}
    )
    return member


def password_link(*, user_id: uuid.UUID) -> tuple[str, str]:
    """`uid, token` of a link with which a member of this tenant chooses a new password.

    For sites without SMTP: an owner hands it over. Raises NotAllowed; Membership.DoesNotExist where the
    person is not of this tenant; an admin of one tenant may not take over a person who sits in others.
    """
    require_tenant_role(Membership.Role.OWNER)
    user = User.objects.get(id=Membership.objects.get(user_id=user_id).user_id)
    if len(seats_of(user.id)) > 1 or user.is_staff:
        raise NotAllowed(Membership.Role.OWNER)
    return user_pk_to_url_str(user), default_token_generator.make_token(user)
