"""Operators: the site's staff. They are nobody's member; they enter one tenant at a time, which its log says.

The database decides who is staff (`my_staff()` in SQL) and reaches the tenant's workspaces for them. What
people wrote in private is theirs: an operator reads it where the tenant allows that, and each reading is
written down. See docs/decisions/0010-the-sites-staff.md.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Model

from tenants import audit
from tenants.models import Tenant, User, Workspace, WorkspaceMember
from tenants.scope import Identity, current_scope, scope
from tenants.services import seats_of

PAGE = 50


class OwnAccount(Exception):
    """You cannot shut your own account: somebody else of the staff does that."""


class NoAccount(Exception):
    """There is no account with this e-mail."""


@dataclass(frozen=True)
class TenantFacts:
    """A tenant in the list of all, as an operator sees it before entering one."""

    id: uuid.UUID
    slug: str
    name: str
    created_at: datetime
    people: int
    operators_read: bool


def identity_of(staff: User, tenant_id: uuid.UUID) -> Identity:
    """An operator in a tenant. A scope of it reaches nothing where the database knows them as no staff."""
    return Identity(tenant_id, None, staff_id=staff.id)


def all_tenants(staff: User, *, words: str = "", page: int = 1) -> tuple[list[TenantFacts], int]:
    """One page of the tenants whose name or short name holds `words`, and how many there are in all."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM tenants_for_staff(%s, %s, %s, %s)", [staff.id, words, PAGE, (page - 1) * PAGE]
        )
        rows = cursor.fetchall()
    return [TenantFacts(*row[:-1]) for row in rows], rows[0][-1] if rows else 0


def enter(staff: User, tenant_id: uuid.UUID) -> Tenant:
    """Begin to work in a tenant: its log says so. Raises Tenant.DoesNotExist."""
    return _noted(staff, tenant_id, "tenant.entered")


def leave(staff: User, tenant_id: uuid.UUID) -> Tenant:
    """Stop working in a tenant. Raises Tenant.DoesNotExist."""
    return _noted(staff, tenant_id, "tenant.left")


def _noted(staff: User, tenant_id: uuid.UUID, action: str) -> Tenant:
    with scope(identity_of(staff, tenant_id)):
        tenant = Tenant.objects.get()
        audit.record(action, tenant)
    return tenant


def is_private(workspace_id: uuid.UUID) -> bool:
    """Whether a workspace is one person's own."""
    return current_scope().workspaces[workspace_id].kind == Workspace.Kind.PERSONAL


def person_of(workspace_id: uuid.UUID) -> uuid.UUID | None:
    """The person whose own a workspace is; nobody for one that is shared."""
    if not is_private(workspace_id):
        return None
    return WorkspaceMember.objects.filter(workspace_id=workspace_id).values_list("user_id", flat=True).first()


def note_reading(action: str, row: Model, *, subject_id: uuid.UUID | None, workspace_id: uuid.UUID) -> None:
    """Write down that something private was read, without its name: it too may be what somebody wrote."""
    kind = str(row._meta.model_name)
    audit.record(
        action, kind=kind, object_id=row.pk, name="", workspace_id=workspace_id, subject_id=subject_id
    )


def set_account_active(user_id: uuid.UUID, *, active: bool, staff: User) -> User:
    """Shut a person's account, or open it again; the log of each of their tenants says so.

    Raises OwnAccount, User.DoesNotExist.
    """
    if user_id == staff.id:
        raise OwnAccount(OwnAccount.__doc__)
    user = User.objects.get(id=user_id)
    if user.is_active == active:
        return user
    with transaction.atomic():
        user.is_active = active
        user.save(update_fields=["is_active"])
        action = "account.reactivated" if active else "account.deactivated"
        for seat in seats_of(user.id):
            with scope(identity_of(staff, seat.tenant_id)):
                audit.record(
                    action, kind="account", object_id=user.id, name=seat.display_name, subject_id=user.id
                )
    return user


def appoint(email: str, *, is_staff: bool = True) -> User:
    """Make the person of an account staff of the site, or no longer. Raises NoAccount."""
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise NoAccount(NoAccount.__doc__)
    user.is_staff = is_staff
    user.save(update_fields=["is_staff"])
    return user
