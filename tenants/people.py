"""The people of a tenant: seats, roles, leaving and removing."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.db import IntegrityError, connection, transaction

from tenants import audit, notices
from tenants.ids import uuid7
from tenants.models import Membership, Tenant, User, Workspace
from tenants.permissions import NotAllowed
from tenants.scope import current_scope
from tenants.services import my_membership, require_tenant_role, seats_of

Role = Membership.Role


class AlreadySeated(Exception):
    """This person has a seat in this tenant."""


class LastOwner(Exception):
    """An organisation keeps an owner. Make somebody else one first."""


class BadRole(Exception):
    """There is no such role."""


@dataclass(frozen=True)
class Handover:
    """A workspace that would lose its last admin, and who becomes it."""

    workspace: str
    to: str


@dataclass(frozen=True)
class Leaving:
    """What happens when a seat ends.

    `private` is closed for everybody and kept. `shared` stays to those who are in it: the ones that the asker
    sees. `keys` is how many live keys die.
    """

    membership: Membership
    private: Workspace | None
    shared: list[Workspace]
    handovers: list[Handover]
    keys: int
    is_last_owner: bool


def names_of(people: Iterable[uuid.UUID | None]) -> dict[uuid.UUID | None, str]:
    """The names under which people are known in the present tenant, by id; who never sat in it has none."""
    rows = Membership.objects.filter(user_id__in={person for person in people if person})
    return dict(rows.values_list("user_id", "name"))


def add_person(*, user: User, name: str, role: str = Role.MEMBER) -> None:
    """Give a person a seat in the present tenant, or the one back that they had.

    Raises NotAllowed, AlreadySeated, BadRole.
    """
    _require_role_for(role)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT add_person(%s, %s, %s, %s)", [user.id, name, role, [uuid7() for _ in range(4)]]
            )
    except IntegrityError:
        raise AlreadySeated(AlreadySeated.__doc__) from None
    seat = Membership.objects.get(user_id=user.id)
    audit.record("person.added", seat, subject_id=user.id, role=role)


def _require_role_for(*roles: str) -> None:
    """Owners are made, changed and removed by owners, everybody else by admins too."""
    if set(roles) - set(Role.values):
        raise BadRole(BadRole.__doc__)
    require_tenant_role(Role.OWNER if Role.OWNER in roles else Role.ADMIN)


def change_role(*, membership_id: uuid.UUID, role: str) -> Membership:
    """Give somebody another role. Who becomes an auditor leaves all workspaces but their own.

    Raises Membership.DoesNotExist, NotAllowed, LastOwner, BadRole.
    """
    seat = _locked_seat(membership_id)
    _require_role_for(seat.role, role)
    if seat.role == role:
        return seat
    _keep_an_owner(seat)
    before, seat.role = seat.role, role
    audit.record("person.role_changed", seat, subject_id=seat.user_id, before=before, role=role)
    _hand_over("SELECT * FROM change_seat(%s, %s)", seat.id, role)
    notices.person_moved(seat.user_id)
    return seat


def transfer_ownership(*, membership_id: uuid.UUID) -> None:
    """Make somebody else an owner, and the present person, who is one, an admin.

    Raises Membership.DoesNotExist, NotAllowed.
    """
    seat = _locked_seat(membership_id)
    mine = my_membership()
    if mine.role != Role.OWNER:
        raise NotAllowed(Role.OWNER, "organisation")
    change_role(membership_id=seat.id, role=Role.OWNER)
    if seat.id != mine.id:
        change_role(membership_id=mine.id, role=Role.ADMIN)


def preview_leaving(*, membership_id: uuid.UUID) -> Leaving:
    """What would happen if this seat ended: one's own, or another's for who may end it.

    Raises Membership.DoesNotExist, NotAllowed.
    """
    seat = Membership.objects.get(id=membership_id, is_active=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT preview_end(%s)", [seat.id])
        found = json.loads(cursor.fetchone()[0] or "null")
    if found is None:
        raise NotAllowed(Role.OWNER if seat.role == Role.OWNER else Role.ADMIN, "organisation")
    own = found["private"]
    return Leaving(
        seat,
        _named(own, Workspace.Kind.PERSONAL) if own else None,
        [_named(each, each["kind"]) for each in found["shared"]],
        [Handover(**each) for each in found["handovers"]],
        found["keys"],
        found["is_last_owner"],
    )


def _named(found: dict[str, str], kind: str) -> Workspace:
    """A workspace by name alone: it may be out of reach."""
    key = uuid.UUID(found["id"])
    return Workspace(id=key, tenant_id=current_scope().tenant_id, kind=kind, name=found["name"])


def remove_person(*, membership_id: uuid.UUID) -> None:
    """End somebody's seat. Shared memory stays; their own workspace is closed for everybody and kept.

    Raises Membership.DoesNotExist, NotAllowed, LastOwner.
    """
    seat = _locked_seat(membership_id)
    if seat.user_id == current_scope().user_id:
        return _end(seat, "person.left")
    _require_role_for(seat.role)
    return _end(seat, "person.removed")


def leave_tenant() -> None:
    """End one's own seat. Raises LastOwner; NotAllowed for a key that is narrowed to some workspaces."""
    if current_scope().identity.reach is not None:
        raise NotAllowed(Role.MEMBER, "organisation")
    remove_person(membership_id=my_membership().id)


def _end(seat: Membership, action: str) -> None:
    _keep_an_owner(seat)
    told = preview_leaving(membership_id=seat.id)
    audit.record(action, seat, subject_id=seat.user_id, role=seat.role, keys=told.keys)
    _hand_over("SELECT * FROM empty_seat(%s)", seat.id)
    notices.person_moved(seat.user_id)
    # Last: who ends their own seat is nobody in the tenant from here on.
    Membership.objects.filter(id=seat.id).update(is_active=False)


def _hand_over(statement: str, *values: uuid.UUID | str) -> None:
    """Run a function that answers which workspaces it gave to whom, and add that to the log."""
    with connection.cursor() as cursor:
        cursor.execute(statement, [*map(str, values)])
        given = cursor.fetchall()
    for workspace_id, title, user_id, name in given:
        audit.record(
            "workspace.handed_over",
            kind="workspace",
            object_id=workspace_id,
            name=title,
            workspace_id=workspace_id,
            subject_id=user_id,
            to=name,
        )


def _locked_seat(membership_id: uuid.UUID) -> Membership:
    """A seat, with the tenant locked: two who leave or change roles at once take turns."""
    Tenant.objects.select_for_update(no_key=True).get()
    return Membership.objects.get(id=membership_id, is_active=True)


def _keep_an_owner(seat: Membership) -> None:
    """Raises LastOwner where a seat is the only owner's. The database holds the same."""
    others = Membership.objects.filter(role=Role.OWNER, is_active=True).exclude(id=seat.id)
    if seat.role == Role.OWNER and not others.exists():
        raise LastOwner(LastOwner.__doc__)


def password_link(*, user_id: uuid.UUID) -> tuple[str, str]:
    """`uid, token` of a link with which a member of this tenant chooses a new password.

    For sites without SMTP: an owner hands it over. Raises NotAllowed; Membership.DoesNotExist where the
    person is not of this tenant; an admin of one tenant may not take over a person who sits in others.
    """
    require_tenant_role(Role.OWNER)
    seat = Membership.objects.get(user_id=user_id)
    user = User.objects.get(id=seat.user_id)
    if len(seats_of(user.id)) > 1 or user.is_staff:
        raise NotAllowed(Role.OWNER, "organisation")
    audit.record("person.reset_link_made", seat, subject_id=user.id)
    return user_pk_to_url_str(user), default_token_generator.make_token(user)
