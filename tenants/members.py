"""The members of a workspace: letting in, roles there, leaving."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import QuerySet

from tenants import audit, notices
from tenants.models import Membership, Workspace, WorkspaceMember
from tenants.people import BadRole
from tenants.permissions import ORDER, require_role
from tenants.scope import current_scope
from tenants.services import NotShared, require_team

Role = WorkspaceMember.Role


class AuditorStaysOut(Exception):
    """An auditor reads the audit log, and is in no workspace but their own."""


class HeldByRole(Exception):
    """An owner or admin of the organisation is admin of its workspace."""


class LastAdmin(Exception):
    """A workspace keeps an admin. Make somebody else one first."""


class LastMember(Exception):
    """Nobody else is in this workspace. Close it instead of leaving it."""


def add_member(*, workspace_id: uuid.UUID, user_id: uuid.UUID, role: str) -> WorkspaceMember:
    """Let a person of this tenant into a workspace, or change their role there.

    Raises NotAllowed, NotShared, AuditorStaysOut, HeldByRole, LastAdmin, BadRole; Membership.DoesNotExist
    where they have no seat.
    """
    require_role(workspace_id, Role.ADMIN)
    if current_scope().workspaces[workspace_id].kind == Workspace.Kind.PERSONAL:
        raise NotShared(NotShared.__doc__)
    if role not in Role.values:
        raise BadRole(BadRole.__doc__)
    workspace = _locked(workspace_id)
    seat = Membership.objects.get(user_id=user_id, is_active=True)
    _check_place(workspace, seat, role)
    held = WorkspaceMember.objects.filter(workspace_id=workspace_id, user_id=user_id).first()
    if held is None:
        member = WorkspaceMember.objects.create(
            workspace_id=workspace_id, user_id=user_id, membership=seat, role=role
        )
        _tell("member.added", member, seat, role=role)
        return member
    return _change(held, seat, role)


def _check_place(workspace: Workspace, seat: Membership, role: str) -> None:
    if seat.role == Membership.Role.AUDITOR:
        raise AuditorStaysOut(AuditorStaysOut.__doc__)
    governs = seat.role in {Membership.Role.OWNER, Membership.Role.ADMIN}
    if workspace.kind == Workspace.Kind.ORGANISATION and governs and role != Role.ADMIN:
        raise HeldByRole(HeldByRole.__doc__)


def _change(held: WorkspaceMember, seat: Membership, role: str) -> WorkspaceMember:
    if held.role == Role.ADMIN and role != Role.ADMIN and not _admins(held.workspace_id, seat).exists():
        raise LastAdmin(LastAdmin.__doc__)
    before = held.role
    held.role, held.membership = role, seat
    held.save(update_fields=["role", "membership"])
    if before != role:
        _tell("member.role_changed", held, seat, before=before, role=role)
    return held


def remove_member(*, workspace_id: uuid.UUID, user_id: uuid.UUID) -> None:
    """Take somebody out of a team's workspace; what they wrote there stays.

    Raises NotAllowed, NotShared, WholeOrganisation, LastMember; WorkspaceMember.DoesNotExist.
    """
    if user_id == current_scope().user_id:
        return leave_workspace(workspace_id=workspace_id)
    require_role(workspace_id, Role.ADMIN)
    require_team(workspace_id)
    _locked(workspace_id)
    return _take_out(_member(workspace_id, user_id), "member.removed")


def leave_workspace(*, workspace_id: uuid.UUID) -> None:
    """Leave a team's workspace; where its last admin leaves, the next by role becomes one.

    Raises NotShared, WholeOrganisation; LastMember where nobody else is there.
    """
    require_role(workspace_id, Role.VIEWER)
    require_team(workspace_id)
    _locked(workspace_id)
    mine = _member(workspace_id, current_scope().person)
    if mine.role == Role.ADMIN and not _admins(workspace_id, mine.membership).exists():
        _hand_over(mine)
    _take_out(mine, "workspace.left")


def _hand_over(mine: WorkspaceMember) -> None:
    others = _others(mine.workspace_id, mine.membership).select_related("membership")
    ranked = sorted(others, key=lambda each: (-ORDER.index(each.role), each.membership_id))
    if not ranked:
        raise LastMember(LastMember.__doc__)
    heir = ranked[0]
    heir.role = Role.ADMIN
    heir.save(update_fields=["role"])
    seat = heir.membership
    audit.record("workspace.handed_over", mine.workspace, subject_id=seat.user_id, to=seat.name)


def _take_out(member: WorkspaceMember, action: str) -> None:
    _tell(action, member, member.membership, role=member.role)
    notices.person_moved(member.user_id)
    member.delete()


def _tell(action: str, member: WorkspaceMember, seat: Membership, **details: Any) -> None:
    audit.record(action, member, kind="member", name=seat.name, subject_id=seat.user_id, **details)


def _locked(workspace_id: uuid.UUID) -> Workspace:
    """A workspace, locked: two of its admins who leave or step down at once take turns."""
    return Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)


def _member(workspace_id: uuid.UUID, user_id: uuid.UUID) -> WorkspaceMember:
    return WorkspaceMember.objects.select_related("membership", "workspace").get(
        workspace_id=workspace_id, user_id=user_id
    )


def _others(workspace_id: uuid.UUID, seat: Membership) -> QuerySet[WorkspaceMember]:
    """Members whose seat is alive, but for one."""
    rows = WorkspaceMember.objects.filter(workspace_id=workspace_id, membership__is_active=True)
    return rows.exclude(membership__role=Membership.Role.AUDITOR).exclude(membership=seat)


def _admins(workspace_id: uuid.UUID, seat: Membership) -> QuerySet[WorkspaceMember]:
    return _others(workspace_id, seat).filter(role=Role.ADMIN)
