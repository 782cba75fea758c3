"""Invitations: a signed link that gives one person, named by e-mail, a seat in a tenant.

The link holds everything and is good for a week. It is accepted in the name of whoever made it, so it dies
with their right to invite; a second use finds the person seated already.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.core import signing

from tenants.models import Membership, Tenant, User
from tenants.permissions import NotAllowed
from tenants.scope import Identity, current_scope, scope
from tenants.services import AlreadySeated, add_person, my_membership, require_tenant_role, seats_of

SALT = "memsite.invitation"
DAYS = 7
ROLES = (Membership.Role.MEMBER, Membership.Role.ADMIN, Membership.Role.AUDITOR)


class BadInvitation(Exception):
    """This invitation is no longer good. Ask for a new one."""


@dataclass(frozen=True)
class Invitation:
    """Who invites whom to what."""

    tenant_id: uuid.UUID
    tenant_name: str
    inviter_id: uuid.UUID
    inviter_name: str
    email: str
    role: str


def invite(*, email: str, role: str) -> str:
    """The token of a link for one person. Raises NotAllowed, ValueError for a role that no link gives."""
    require_tenant_role(Membership.Role.ADMIN)
    if role not in ROLES:
        raise ValueError(f"An invitation gives one of {', '.join(ROLES)}.")
    said = {
        "tenant": str(current_scope().tenant_id),
        "inviter": str(current_scope().person),
        "email": email.lower(),
        "role": str(role),
    }
    return signing.dumps(said, salt=SALT)


def read(token: str) -> Invitation:
    """What a link says, as long as its maker may still invite. Raises BadInvitation."""
    try:
        said = signing.loads(token, salt=SALT, max_age=DAYS * 24 * 3600)
    except signing.BadSignature:
        raise BadInvitation(BadInvitation.__doc__) from None
    inviter_id = uuid.UUID(said["inviter"])
    try:
        with scope(Identity(uuid.UUID(said["tenant"]), inviter_id)):
            require_tenant_role(Membership.Role.ADMIN)
            tenant, inviter = Tenant.objects.get(), my_membership()
    except (NotAllowed, Tenant.DoesNotExist, Membership.DoesNotExist):
        raise BadInvitation(BadInvitation.__doc__) from None
    return Invitation(tenant.id, tenant.name, inviter_id, inviter.name, said["email"], said["role"])


def accept(invitation: Invitation, user: User, *, name: str) -> Identity:
    """Seat the invited person. Raises BadInvitation where it is meant for somebody else."""
    if user.email.lower() != invitation.email:
        raise BadInvitation(BadInvitation.__doc__)
    if invitation.tenant_id not in {seat.tenant_id for seat in seats_of(user.id)}:
        try:
            with scope(Identity(invitation.tenant_id, invitation.inviter_id)):
                add_person(user=user, name=name, role=invitation.role)
        except AlreadySeated:  # a seat that was taken from them
            raise BadInvitation(BadInvitation.__doc__) from None
    return Identity(invitation.tenant_id, user.id)
