"""Invitations: a link that gives one person, named by e-mail, a seat in a tenant, and a place in a workspace.

It is good until it is used, revoked, or over, and as long as its maker may still invite. Only a hash of its
token is kept: who lost a link gets a new one, and the old one is dead then.
"""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.validators import validate_email
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tenants import audit
from tenants.ids import uuid7
from tenants.keys import digest
from tenants.models import Invitation, Membership, User, WorkspaceMember
from tenants.people import AlreadySeated
from tenants.permissions import require_role
from tenants.scope import Identity, current_scope, scope
from tenants.services import require_team, require_tenant_role

DAYS, DAYS_MAX = 7, 90
ROLES = (Membership.Role.MEMBER, Membership.Role.ADMIN, Membership.Role.AUDITOR)
SEND_SECONDS = 10


class BadInvitation(Exception):
    """This invitation is no longer good. Ask for a new one.

    `reason` is unknown (also where its maker may not invite any more), expired, revoked, accepted, or closed
    where the workspace is.
    """

    def __init__(self, reason: str = "unknown") -> None:
        super().__init__("This invitation is no longer good. Ask for a new one.")
        self.reason = reason


class CannotInvite(Exception):
    """An invitation cannot have this e-mail, role, workspace or time."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Offer:
    """What a link offers, as the invited person sees it first. `workspace_name` is "" where it names none."""

    tenant_id: uuid.UUID
    tenant_name: str
    admins_read_chats: bool
    inviter_name: str
    email: str
    role: str
    workspace_name: str
    workspace_role: str
    expires_at: datetime


def invite(
    *,
    email: str,
    role: str,
    workspace_id: uuid.UUID | None = None,
    workspace_role: str = WorkspaceMember.Role.MEMBER,
    days: int = DAYS,
) -> str:
    """The token of a link for one person.

    Raises NotAllowed, CannotInvite, AlreadySeated, NotShared and WholeOrganisation: a link leads to a team's
    workspace or to none.
    """
    require_tenant_role(Membership.Role.ADMIN)
    email = email.strip().lower()
    _check(email, role, workspace_role, days)
    if workspace_id is not None:
        _check_workspace(workspace_id, role)
    made = Invitation(email=email, role=role, workspace_id=workspace_id, workspace_role=workspace_role)
    token = _new_link(made, days)
    audit.record("invitation.made", made, name=email, role=role, days=days)
    return token


def _new_link(invitation: Invitation, days: int) -> str:
    """A link in the name of the present person; the one before, if there was one, is dead."""
    token = secrets.token_urlsafe(32)
    invitation.digest = digest(token)
    invitation.inviter_id = current_scope().person
    invitation.expires_at = timezone.now() + timedelta(days=days)
    invitation.revoked_at = None
    invitation.save()
    return token


def _check(email: str, role: str, workspace_role: str, days: int) -> None:
    try:
        validate_email(email)
    except ValidationError:
        raise CannotInvite("email", _("This is no e-mail address.")) from None
    if role not in ROLES:
        raise CannotInvite("role", _("An invitation gives one of: %s.") % ", ".join(ROLES))
    if workspace_role not in WorkspaceMember.Role.values:
        raise CannotInvite("workspace_role", _("There is no such role."))
    if not 1 <= days <= DAYS_MAX:
        raise CannotInvite("days", _("A link is good for 1 to %d days.") % DAYS_MAX)
    known = User.objects.filter(email__iexact=email).values_list("id", flat=True).first()
    if known and Membership.objects.filter(user_id=known, is_active=True).exists():
        raise AlreadySeated(AlreadySeated.__doc__)


def _check_workspace(workspace_id: uuid.UUID, role: str) -> None:
    require_role(workspace_id, WorkspaceMember.Role.ADMIN)
    require_team(workspace_id)
    if role == Membership.Role.AUDITOR:
        raise CannotInvite("workspace", _("An auditor is in no workspace but their own."))


def pending() -> QuerySet[Invitation]:
    """Links that wait to be used, those that have expired too, the newest first."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None).order_by("-id")


def revoke(*, invitation_id: uuid.UUID) -> None:
    """Let a link die. Raises NotAllowed, Invitation.DoesNotExist where it was used already."""
    made = _unused(invitation_id)
    if made.revoked_at is None:
        made.revoked_at = timezone.now()
        made.save(update_fields=["revoked_at"])
        audit.record("invitation.revoked", made, name=made.email)


def renew(*, invitation_id: uuid.UUID, days: int = DAYS) -> str:
    """The token of a new link in the place of one that was lost, has expired or was revoked.

    Raises NotAllowed, CannotInvite, AlreadySeated, Invitation.DoesNotExist where it was used already.
    """
    made = _unused(invitation_id)
    _check(made.email, made.role, made.workspace_role, days)
    if made.workspace_id is not None:
        _check_workspace(made.workspace_id, made.role)
    token = _new_link(made, days)
    audit.record("invitation.renewed", made, name=made.email, days=days)
    return token


def _unused(invitation_id: uuid.UUID) -> Invitation:
    require_tenant_role(Membership.Role.ADMIN)
    return Invitation.objects.select_for_update(of=["self"]).get(id=invitation_id, accepted_at=None)


def read(token: str) -> Offer:
    """What a link offers, as long as its maker may still invite. Raises BadInvitation."""
    state, offer = _found(token)
    if state != "open":
        raise BadInvitation(state)
    return offer


def _found(token: str) -> tuple[str, Offer]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state, tenant, tenant_name, admins_read_chats, inviter_name, email, role, "
            "workspace_name, workspace_role, expires_at FROM invitation_by_digest(%s)",
            [digest(token)],
        )
        row = cursor.fetchone()
    if row is None:
        raise BadInvitation
    state, *facts = row
    return state, Offer(*facts)


def accept(token: str, user: User, *, name: str) -> Identity:
    """Seat the invited person, or give them back the seat that they had; answers who they are there.

    A second use by the same person changes nothing. Raises BadInvitation, also where it is meant for somebody
    else.
    """
    with transaction.atomic():
        state, offer = _found(token)
        with connection.cursor() as cursor:
            shown = (name.strip() or user.email.partition("@")[0])[:120]
            ids = [uuid7() for _ in range(4)]
            cursor.execute(
                "SELECT tenant, is_first FROM accept_invitation(%s, %s, %s, %s)",
                [digest(token), user.id, shown, ids],
            )
            row = cursor.fetchone()
        if row is None:
            raise BadInvitation("unknown" if state == "open" else state)
        identity = Identity(row[0], user.id)
        if row[1]:
            _tell_accepted(identity, offer)
    return identity


def _tell_accepted(identity: Identity, offer: Offer) -> None:
    with scope(identity):
        audit.record(
            "invitation.accepted",
            kind="invitation",
            name=offer.email,
            subject_id=identity.user_id,
            role=offer.role,
            workspace=offer.workspace_name,
        )


def send(offer: Offer, link: str) -> None:
    """Send a link by e-mail, in the language of who sends it.

    Raises smtplib.SMTPException or OSError where that fails: the link is good all the same.
    """
    facts = {"inviter": offer.inviter_name, "organisation": offer.tenant_name, "link": link}
    subject = _("%(inviter)s invites you to %(organisation)s") % facts
    body = _(
        "%(inviter)s invites you to work with %(organisation)s on memsite.\n\n"
        "Open this link to join:\n%(link)s\n\n"
        "It is meant for you alone. If you expected no invitation, you need do nothing."
    )
    EmailMessage(
        " ".join(subject.split()),  # a name with a line break in it would end the header
        body % facts,
        to=[offer.email],
        connection=get_connection(timeout=SEND_SECONDS),
    ).send()
    audit.record("invitation.sent", kind="invitation", name=offer.email)
