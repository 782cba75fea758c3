"""People with a role each, and what the log says of them, for tests about teams."""

from __future__ import annotations

import uuid

from tenants import audit, people
from tenants.audit import Asked
from tenants.models import AuditEvent, Membership, User
from tests.cast import PASSWORD, Cast, Person, seated


def newcomer(name: str = "somebody") -> User:
    """Somebody with an account and no seat."""
    return User.objects.create_user(f"{name}-{uuid.uuid4().hex[:12]}@example.com", PASSWORD)


def join(cast: Cast, name: str, role: str = "member") -> Person:
    """Somebody new in Alice's tenant, with a key."""
    user = newcomer(name.lower())
    with cast.alice.scope():
        people.add_person(user=user, name=name, role=role)
    return seated(name, user, cast.alice.identity.tenant_id)


def seat(by: Person, of: Person) -> Membership:
    """Somebody's seat, alive or not, as somebody else sees it."""
    with by.scope():
        return Membership.objects.get(user_id=of.user.id)


def give(cast: Cast, person: Person, role: str) -> None:
    """Alice gives somebody another role."""
    with cast.alice.scope():
        people.change_role(membership_id=Membership.objects.get(user_id=person.user.id).id, role=role)


def told(by: Person, action: str = "", **asked: object) -> list[AuditEvent]:
    """The events that somebody sees, newest first."""
    with by.scope():
        return list(audit.search(Asked(action=action, **asked)))  # type: ignore[arg-type]


def actions(by: Person, **asked: object) -> list[str]:
    """What the events say was done, newest first."""
    return [event.action for event in told(by, **asked)]
