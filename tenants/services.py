"""What can be done about tenants and their workspaces, and which of them a person has."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.core import signing
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.text import slugify

from tenants import audit, notices
from tenants.ids import uuid7
from tenants.models import Membership, Tenant, User, Workspace, WorkspaceMember
from tenants.permissions import NotAllowed, my_role, require_role
from tenants.scope import Identity, current_scope, scope

SETUP_SALT = "memsite.setup"


class SlugTaken(Exception):
    """Another tenant has this short name. Choose a different one."""


class NotShared(Exception):
    """A personal workspace is one person's. Open a team's workspace to share something."""


class WholeOrganisation(Exception):
    """Everybody of the organisation is in its workspace; it is not left, and not closed."""


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
    identity = Identity(tenant_id, owner.id)
    for wanted in [slug] if slug else _slugs(name, tenant_id):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(
                    "SELECT create_tenant(%s, %s, %s, %s, %s, %s)",
                    [tenant_id, wanted, name, owner.id, owner_name, ids],
                )
                with scope(identity):
                    audit.record("tenant.created", kind="tenant", object_id=tenant_id, name=name)
        except IntegrityError:
            continue
        return identity
    raise SlugTaken(SlugTaken.__doc__)


def _slugs(name: str, tenant_id: uuid.UUID) -> list[str]:
    """Short names for a tenant, the nicest first; the last one is nobody else's."""
    ending = tenant_id.hex[-12:]
    begin = slugify(name)[:48].strip("-_")
    return [begin, f"{begin}-{ending}"] if begin else [f"t-{ending}"]


def update_tenant(
    *, name: str | None = None, admins_read_chats: bool | None = None, operators_read: bool | None = None
) -> Tenant:
    """Rename the present tenant, or say who besides its members may read in it; None leaves as it is.

    Raises NotAllowed: an admin renames, and only an owner opens chats to admins or content to site staff.
    """
    wanted = {"name": name, "admins_read_chats": admins_read_chats, "operators_read": operators_read}
    needed = Membership.Role.ADMIN if {admins_read_chats, operators_read} == {None} else Membership.Role.OWNER
    if my_role() not in {Membership.Role.OWNER, needed}:
        raise NotAllowed(needed, "organisation")
    tenant = Tenant.objects.select_for_update(no_key=True).get()
    changes = {
        field: value
        for field, value in wanted.items()
        if value is not None and getattr(tenant, field) != value
    }
    for field, value in changes.items():
        setattr(tenant, field, value)
    if changes:
        tenant.save(update_fields=list(changes))
        audit.record("tenant.changed", tenant, changes=changes)
    return tenant


def open_workspace(*, name: str) -> Workspace:
    """A team workspace of which the present person is admin. The present scope does not reach it yet.

    Raises NotAllowed for an auditor, and for a key that is narrowed to other workspaces.
    """
    if my_role() in {None, Membership.Role.AUDITOR}:
        raise NotAllowed(Membership.Role.MEMBER, "organisation")
    ids = [uuid7(), uuid7()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_workspace(%s, %s)", [name, ids])
    with scope(current_scope().identity.narrowed([ids[0]])):
        workspace = Workspace.objects.get(id=ids[0])
        audit.record("workspace.opened", workspace)
    return workspace


def rename_workspace(*, workspace_id: uuid.UUID, name: str) -> Workspace:
    """Give a workspace another name. Raises NotAllowed unless the present person is its admin."""
    require_role(workspace_id, WorkspaceMember.Role.ADMIN)
    workspace = Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)
    if workspace.name != name:
        before, workspace.name = workspace.name, name
        workspace.save(update_fields=["name"])
        audit.record("workspace.renamed", workspace, before=before)
    return workspace


def close_workspace(*, workspace_id: uuid.UUID) -> None:
    """Take a team's workspace out of everybody's reach, with all that lies in it; nothing is lost.

    Raises NotAllowed, NotShared, WholeOrganisation.
    """
    require_role(workspace_id, WorkspaceMember.Role.ADMIN)
    require_team(workspace_id)
    workspace = Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)
    audit.record("workspace.closed", workspace)
    for user_id in WorkspaceMember.objects.filter(workspace=workspace).values_list("user_id", flat=True):
        notices.person_moved(user_id)
    workspace.retired_at = timezone.now()
    workspace.save(update_fields=["retired_at"])


def closed_workspaces() -> list[Workspace]:
    """The closed workspaces whose admin the present person is, the last one first. They are out of reach:
    there is nothing in them to be seen until they are open again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT workspace, title, closed_at FROM closed_workspaces()")
        return [
            Workspace(
                id=key,
                tenant_id=current_scope().tenant_id,
                kind=Workspace.Kind.TEAM,
                name=name,
                retired_at=at,
            )
            for key, name, at in cursor.fetchall()
        ]


def reopen_workspace(*, workspace_id: uuid.UUID) -> Workspace:
    """Open a closed workspace again, as it was. The present scope does not reach it yet.

    Raises Workspace.DoesNotExist where there is none that the present person may open.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT reopen_workspace(%s)", [workspace_id])
        if not cursor.fetchone()[0]:
            raise Workspace.DoesNotExist
    with scope(current_scope().identity):
        workspace = Workspace.objects.get(id=workspace_id)
        audit.record("workspace.reopened", workspace)
    return workspace


def require_team(workspace_id: uuid.UUID) -> None:
    """Raises NotShared for a personal workspace, WholeOrganisation for the organisation's."""
    kind = current_scope().workspaces[workspace_id].kind
    if kind == Workspace.Kind.PERSONAL:
        raise NotShared(NotShared.__doc__)
    if kind == Workspace.Kind.ORGANISATION:
        raise WholeOrganisation(WholeOrganisation.__doc__)


def my_membership() -> Membership:
    """The present person's seat in the present tenant."""
    return Membership.objects.get(user_id=current_scope().person)


def require_tenant_role(needed: str) -> None:
    """Raises NotAllowed unless the present person is owner, or `needed` is admin and they are admin.

    Staff of the site, where they are let in, may do what an owner may.
    """
    if my_role() not in {Membership.Role.OWNER, "staff", needed}:
        raise NotAllowed(needed, "organisation")
