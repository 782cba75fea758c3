"""Who is in a workspace: letting in, roles there, leaving; and closing the whole of it."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection

from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants import members, people, services
from tenants.models import Workspace, WorkspaceMember
from tenants.permissions import NotAllowed
from tests.cast import Cast, Person
from tests.tenants.governing import actions, join, seat, told


def role_of(person: Person, workspace_id: uuid.UUID) -> str | None:
    with person.scope() as entered:
        access = entered.workspaces.get(workspace_id)
        return access and access.role


def test_an_admin_lets_in_changes_and_takes_out(cast: Cast) -> None:
    cast.let_bob_in("viewer")
    assert role_of(cast.bob, cast.team) == "viewer"
    cast.let_bob_in("editor")
    assert role_of(cast.bob, cast.team) == "editor"
    with cast.alice.scope():
        members.remove_member(workspace_id=cast.team, user_id=cast.bob.user.id)
    assert role_of(cast.bob, cast.team) is None
    seen = [event for event in told(cast.alice, "member.") if event.subject_id == cast.bob.user.id]
    assert [event.action for event in seen] == ["member.removed", "member.role_changed", "member.added"]
    assert {(event.workspace_id, event.workspace_name) for event in seen} == {(cast.team, "Research")}
    assert seen[1].details == {"before": "viewer", "role": "editor"}


def test_the_same_role_again_is_no_event(cast: Cast) -> None:
    cast.let_bob_in("viewer")
    cast.let_bob_in("viewer")
    assert actions(cast.alice, action="member.") == ["member.added"]


@pytest.mark.parametrize("role", ["viewer", "member", "editor"])
def test_who_is_no_admin_takes_nobody_out(cast: Cast, role: str) -> None:
    cast.let_bob_in(role)
    with cast.bob.scope(), pytest.raises(NotAllowed):
        members.remove_member(workspace_id=cast.team, user_id=cast.alice.user.id)


def test_a_workspace_keeps_an_admin(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.alice.scope(), pytest.raises(members.LastAdmin):
        members.add_member(workspace_id=cast.team, user_id=cast.alice.user.id, role="editor")
    cast.let_bob_in("admin")
    with cast.alice.scope():
        members.add_member(workspace_id=cast.team, user_id=cast.alice.user.id, role="editor")
    assert role_of(cast.alice, cast.team) == "editor"


def test_the_last_admin_who_leaves_hands_over_by_role(cast: Cast) -> None:
    viewer = join(cast, "Vera")
    with cast.alice.scope():
        members.add_member(workspace_id=cast.team, user_id=viewer.user.id, role="viewer")
    cast.let_bob_in("member")
    with cast.alice.scope():
        members.leave_workspace(workspace_id=cast.team)
    assert role_of(cast.alice, cast.team) is None
    assert role_of(cast.bob, cast.team) == "admin"
    assert role_of(viewer, cast.team) == "viewer"
    (event,) = told(cast.alice, "workspace.handed_over")
    assert (event.object_id, event.subject_id) == (cast.team, cast.bob.user.id)


def test_who_is_alone_closes_instead_of_leaving(cast: Cast) -> None:
    with cast.alice.scope(), pytest.raises(members.LastMember):
        members.leave_workspace(workspace_id=cast.team)
    with cast.alice.scope(), pytest.raises(members.LastMember):
        members.remove_member(workspace_id=cast.team, user_id=cast.alice.user.id)


def test_a_member_whose_seat_has_ended_is_no_heir(cast: Cast) -> None:
    """Also where their row was left behind."""
    cast.let_bob_in("admin")
    with cast.alice.scope():
        people.Membership.objects.filter(user_id=cast.bob.user.id).update(is_active=False)
    with cast.alice.scope(), pytest.raises(members.LastMember):
        members.leave_workspace(workspace_id=cast.team)


def test_nobody_leaves_the_organisation_or_their_own(cast: Cast) -> None:
    with cast.bob.scope():
        with pytest.raises(services.WholeOrganisation):
            members.leave_workspace(workspace_id=cast.organisation)
        with pytest.raises(services.NotShared):
            members.leave_workspace(workspace_id=cast.bob.personal)
    with cast.alice.scope():
        with pytest.raises(services.WholeOrganisation):
            members.remove_member(workspace_id=cast.organisation, user_id=cast.bob.user.id)
        with pytest.raises(services.WholeOrganisation):
            services.close_workspace(workspace_id=cast.organisation)
        with pytest.raises(services.NotShared):
            services.close_workspace(workspace_id=cast.alice.personal)


def test_who_governs_the_organisation_stays_admin_of_its_workspace(cast: Cast) -> None:
    admin = join(cast, "Ada", "admin")
    with admin.scope():
        members.add_member(workspace_id=cast.organisation, user_id=cast.bob.user.id, role="editor")
        with pytest.raises(members.HeldByRole):
            members.add_member(workspace_id=cast.organisation, user_id=cast.alice.user.id, role="viewer")
    assert role_of(cast.bob, cast.organisation) == "editor"


def test_a_workspace_out_of_reach_is_governed_by_nobody_outside(cast: Cast) -> None:
    """Also by an admin of the organisation, who is not in it."""
    admin = join(cast, "Ada", "admin")
    for person in (admin, cast.bob, cast.charlie):
        with person.scope():
            for act in (
                lambda: members.add_member(workspace_id=cast.team, user_id=cast.bob.user.id, role="admin"),
                lambda: members.remove_member(workspace_id=cast.team, user_id=cast.alice.user.id),
                lambda: members.leave_workspace(workspace_id=cast.team),
                lambda: services.rename_workspace(workspace_id=cast.team, name="Theirs"),
                lambda: services.close_workspace(workspace_id=cast.team),
            ):
                with pytest.raises(NotAllowed):
                    act()
            with pytest.raises(Workspace.DoesNotExist):
                services.reopen_workspace(workspace_id=cast.team)


def test_a_closed_workspace_is_out_of_reach_and_comes_back_as_it_was(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.alice.scope():
        core.create_block(workspace_id=cast.team, fields=BlockFields(label="kept"), actor=core.by_me())
    with cast.bob.scope():
        assert Block.objects.filter(label="kept").exists()
        with pytest.raises(NotAllowed):
            services.close_workspace(workspace_id=cast.team)
    with cast.alice.scope():
        services.close_workspace(workspace_id=cast.team)
    for person, may_open in ((cast.alice, True), (cast.bob, False)):
        with person.scope() as entered:
            assert cast.team not in entered.workspaces
            assert not Block.objects.filter(label="kept").exists()
            assert [each.id for each in services.closed_workspaces()] == ([cast.team] if may_open else [])
    with cast.bob.scope(), pytest.raises(Workspace.DoesNotExist):
        services.reopen_workspace(workspace_id=cast.team)
    with cast.alice.scope():
        assert services.reopen_workspace(workspace_id=cast.team).name == "Research"
        assert services.closed_workspaces() == []
    assert role_of(cast.bob, cast.team) == "editor"
    with cast.bob.scope():
        assert Block.objects.filter(label="kept").exists()
    assert actions(cast.alice, object_id=cast.team)[:2] == ["workspace.reopened", "workspace.closed"]


def test_background_work_does_not_reach_a_closed_workspace(cast: Cast) -> None:
    with cast.alice.scope():
        services.close_workspace(workspace_id=cast.team)
    with connection.cursor() as cursor:
        settings = [str(cast.alice.identity.tenant_id), "", f"{cast.team},{cast.organisation}"]
        cursor.execute("SELECT workspace FROM enter_scope(%s, %s, %s, '')", settings)
        assert cursor.fetchall() == [(cast.organisation,)]


def test_a_workspace_is_renamed_by_its_admin(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.bob.scope(), pytest.raises(NotAllowed):
        services.rename_workspace(workspace_id=cast.team, name="Bob's")
    with cast.alice.scope():
        assert services.rename_workspace(workspace_id=cast.team, name="Discovery").name == "Discovery"
    (event,) = told(cast.alice, "workspace.renamed")
    assert (event.object_name, event.details) == ("Discovery", {"before": "Research"})


def test_a_person_who_is_out_is_out_of_the_rows_too(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.alice.scope():
        people.remove_person(membership_id=seat(cast.alice, cast.bob).id)
        assert not WorkspaceMember.objects.filter(user_id=cast.bob.user.id).exists()
