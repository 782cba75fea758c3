"""Who is there: the owner for whom the demo is made, and a colleague who is made for it."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass

from django.core.management.base import CommandError
from django.urls import reverse

from memsite.bootstrap import bootstrap
from memsite.demo.content import COLLEAGUE_NAME, OWNER_NAME
from tenants import people
from tenants.models import Membership, User
from tenants.scope import Identity, scope
from tenants.services import Seat, seats_of

NEW_TENANT = "demo"


@dataclass(frozen=True)
class SignIn:
    """How somebody comes in: a password that was just made, or else the address where one is chosen."""

    email: str
    password: str = ""
    link: str = ""


@dataclass(frozen=True)
class DemoPeople:
    """Both as identities, with how those come in whom nobody has told yet."""

    owner: Identity
    colleague: Identity
    colleague_id: uuid.UUID
    sign_ins: list[SignIn]


def gather(email: str) -> DemoPeople:
    """The owner of that e-mail, or of the oldest tenant, or of a new one; and the colleague.

    Raises CommandError where that e-mail owns no tenant.
    """
    owner, seat, sign_ins = _owner(email)
    colleague_id, sign_in = _colleague(owner, seat)
    return DemoPeople(owner, Identity(owner.tenant_id, colleague_id), colleague_id, [*sign_ins, sign_in])


def _owner(email: str) -> tuple[Identity, Seat, list[SignIn]]:
    for user in _candidates(email):
        seat = next((seat for seat in seats_of(user.id) if seat.role == Membership.Role.OWNER), None)
        if seat:
            return Identity(seat.tenant_id, user.id), seat, []
    if email:
        raise CommandError(f"{email} owns no organisation on this site.")
    made = SignIn(f"ada@{NEW_TENANT}.example", secrets.token_urlsafe(12))
    bootstrap(slug=NEW_TENANT, email=made.email, password=made.password, name=OWNER_NAME)
    identity, seat, _ = _owner(made.email)
    return identity, seat, [made]


def _candidates(email: str) -> list[User]:
    people = User.objects.filter(is_active=True).order_by("date_joined", "id")
    return list(people.filter(email__iexact=email) if email else people)


def _colleague(owner: Identity, seat: Seat) -> tuple[uuid.UUID, SignIn]:
    """A member of the organisation, under an e-mail that no mail reaches (RFC 2606)."""
    email, password = f"mei@{seat.slug}.example", secrets.token_urlsafe(12)
    user = User.objects.filter(email=email).first()
    is_new = user is None
    user = user or User.objects.create_user(email, password, language="zh-hans")
    with scope(owner):
        if not Membership.objects.filter(user_id=user.id, is_active=True).exists():
            people.add_person(user=user, name=COLLEAGUE_NAME)
        sign_in = SignIn(email, password) if is_new else SignIn(email, link=_link(user))
    return user.id, sign_in


def _link(user: User) -> str:
    uid, token = people.password_link(user_id=user.id)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
