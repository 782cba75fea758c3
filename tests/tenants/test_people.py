"""Seats: roles, leaving, removing, coming back, and what happens to what is theirs and what is shared."""

from __future__ import annotations

import pytest
from django.db import InternalError, ProgrammingError, connection

from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants import invitations, keys, members, people, services
from tenants.authentication import find_key
from tenants.models import ApiKey, Membership, WorkspaceMember
from tenants.permissions import NotAllowed
from tenants.scope import scope
from tests.cast import Cast, Person
from tests.tenants.governing import give, join, newcomer, seat, told

ROLES = ("owner", "admin", "member", "auditor")


def remove(by: Person, whom: Person) -> None:
    with by.scope():
        people.remove_person(membership_id=Membership.objects.get(user_id=whom.user.id).id)


def workspaces(person: Person) -> set[object]:
    with person.scope() as entered:
        return set(entered.workspaces)


def test_a_role_in_the_organisation_is_given_by_who_may(cast: Cast) -> None:
    """An admin governs everybody but owners, and makes none; a member and an auditor govern nobody."""
    by = {"owner": cast.alice} | {role: join(cast, role, role) for role in ROLES if role != "owner"}
    for asker, person in by.items():
        for before in ROLES:
            for after in ROLES:
                whom = join(cast, "Whom", before)
                may = asker == "owner" or (asker == "admin" and "owner" not in {before, after})
                with person.scope():
                    if may:
                        changed = people.change_role(
                            membership_id=Membership.objects.get(user_id=whom.user.id).id, role=after
                        )
                        assert changed.role == after
                    else:
                        with pytest.raises(NotAllowed):
                            people.change_role(
                                membership_id=Membership.objects.get(user_id=whom.user.id).id, role=after
                            )
                assert seat(cast.alice, whom).role == (after if may else before), (asker, before, after)


def test_the_database_holds_the_same_where_the_domain_is_passed(cast: Cast) -> None:
    admin, auditor = join(cast, "Ada", "admin"), join(cast, "Otto", "auditor")
    for person in (cast.bob, auditor, admin):
        for call in ("change_seat(%s, 'admin')", "empty_seat(%s)"):
            with pytest.raises((ProgrammingError, InternalError), match="not yours"), person.scope():
                _call(call, seat(cast.alice, cast.alice).id)
    with pytest.raises((ProgrammingError, InternalError), match="not yours"), admin.scope():
        _call("change_seat(%s, 'owner')", seat(cast.alice, admin).id)
    with pytest.raises((ProgrammingError, InternalError), match="not yours"), cast.charlie.scope():
        _call("empty_seat(%s)", seat(cast.alice, cast.bob).id)
    with cast.alice.scope():
        _call("change_seat(%s, 'admin')", seat(cast.alice, cast.bob).id)


def _call(call: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {call}", values)


def test_who_governs_the_organisation_is_admin_of_its_workspace(cast: Cast) -> None:
    with cast.bob.scope() as entered:
        assert entered.workspaces[cast.organisation].role == "member"
    give(cast, cast.bob, "admin")
    with cast.bob.scope() as entered:
        assert entered.workspaces[cast.organisation].role == "admin"
    give(cast, cast.bob, "member")
    with cast.bob.scope() as entered:
        assert entered.workspaces[cast.organisation].role == "member"


def test_a_removed_person_sees_nothing_and_their_keys_are_dead(cast: Cast) -> None:
    cast.let_bob_in("editor")
    assert cast.team in workspaces(cast.bob)
    assert find_key(cast.bob.key)
    remove(cast.alice, cast.bob)
    assert workspaces(cast.bob) == set()
    assert find_key(cast.bob.key) is None
    assert services.seats_of(cast.bob.user.id) == []
    assert cast.bob.browser.get(f"/w/{cast.bob.personal}/").status_code in {302, 404}
    (event,) = told(cast.alice, "person.removed")
    assert (event.actor_id, event.subject_id) == (cast.alice.user.id, cast.bob.user.id)
    assert event.details == {"role": "member", "keys": 1}


def test_shared_memory_stays_and_private_memory_is_closed_for_everybody(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.bob.scope():
        for home, label in ((cast.team, "shared"), (cast.bob.personal, "private")):
            core.create_block(workspace_id=home, fields=BlockFields(label=label), actor=core.by_me())
    remove(cast.alice, cast.bob)
    with cast.alice.scope():
        assert Block.objects.filter(label="shared").exists()
        assert not Block.objects.filter(label="private").exists()


def test_who_comes_back_finds_their_own_and_no_team(cast: Cast) -> None:
    cast.let_bob_in("editor")
    with cast.bob.scope():
        core.create_block(
            workspace_id=cast.bob.personal, fields=BlockFields(label="private"), actor=core.by_me()
        )
    remove(cast.alice, cast.bob)
    with cast.alice.scope():
        token = invitations.invite(email=cast.bob.user.email, role="member")
    identity = invitations.accept(token, cast.bob.user, name="Robert")
    assert identity == cast.bob.identity
    with cast.bob.scope() as entered:
        assert set(entered.workspaces) == {cast.bob.personal, cast.organisation}
        assert Block.objects.filter(label="private").exists()
        assert services.my_membership().name == "Robert"
        assert ApiKey.objects.filter(revoked_at=None).count() == 0, "keys are dead for good"
    assert find_key(cast.bob.key) is None


def test_a_person_leaves_by_themselves(cast: Cast) -> None:
    with cast.bob.scope():
        people.leave_tenant()
    assert workspaces(cast.bob) == set()
    assert [event.action for event in told(cast.alice, "person.left")] == ["person.left"]


def test_a_narrowed_key_does_not_end_its_persons_seat(cast: Cast) -> None:
    with cast.bob.scope() as entered:
        narrowed = entered.identity.narrowed([cast.organisation])
    with pytest.raises(NotAllowed), scope(narrowed):
        people.leave_tenant()


def test_an_admin_does_not_remove_an_owner(cast: Cast) -> None:
    admin = join(cast, "Ada", "admin")
    with pytest.raises(NotAllowed):
        remove(admin, cast.alice)
    with pytest.raises(NotAllowed):
        remove(cast.bob, admin)
    remove(admin, cast.bob)
    assert not seat(cast.alice, cast.bob).is_active


def test_a_seat_of_another_tenant_is_not_there(cast: Cast) -> None:
    hers, his = seat(cast.alice, cast.alice).id, seat(cast.charlie, cast.charlie).id
    acts = {
        "role": lambda key: people.change_role(membership_id=key, role="member"),
        "owner": lambda key: people.transfer_ownership(membership_id=key),
        "remove": lambda key: people.remove_person(membership_id=key),
        "preview": lambda key: people.preview_leaving(membership_id=key),
    }
    for act in acts.values():
        with cast.charlie.scope(), pytest.raises(Membership.DoesNotExist):
            act(hers)
        with cast.alice.scope(), pytest.raises(Membership.DoesNotExist):
            act(his)


def test_it_says_before_what_would_happen(cast: Cast) -> None:
    cast.let_bob_in("member")
    with cast.bob.scope():
        services.open_workspace(name="Bob's own team")
        keys.create_key(name="another")
    with cast.alice.scope():
        leaving = people.preview_leaving(membership_id=seat(cast.alice, cast.bob).id)
    assert leaving.membership.user_id == cast.bob.user.id
    assert leaving.private is not None
    assert leaving.private.name == "Bob"
    assert {each.id for each in leaving.shared} == {cast.team, cast.organisation}, "what Alice sees"
    assert [(each.workspace, each.to) for each in leaving.handovers] == [("Bob's own team", "Alice")]
    assert (leaving.keys, leaving.is_last_owner) == (2, False)
    remove(cast.alice, cast.bob)
    with cast.alice.scope() as entered:
        mine = {key for key, access in entered.workspaces.items() if access.role == "admin"}
        assert WorkspaceMember.objects.filter(workspace__name="Bob's own team", workspace__in=mine).exists()
    (event,) = told(cast.alice, "workspace.handed_over")
    assert (event.object_name, event.subject_id) == ("Bob's own team", cast.alice.user.id)


def test_nobody_previews_anothers_leaving_who_may_not_end_it(cast: Cast) -> None:
    with cast.bob.scope():
        assert people.preview_leaving(membership_id=seat(cast.alice, cast.bob).id).private
        with pytest.raises(NotAllowed):
            people.preview_leaving(membership_id=seat(cast.alice, cast.alice).id)


def test_who_leaves_hands_over_to_the_next_by_role_in_the_workspace(cast: Cast) -> None:
    viewer, editor = join(cast, "Vera"), join(cast, "Edda")
    with cast.bob.scope():
        shared = services.open_workspace(name="Shared")
        alone = services.open_workspace(name="Alone")
    with cast.bob.scope():
        members.add_member(workspace_id=shared.id, user_id=viewer.user.id, role="viewer")
        members.add_member(workspace_id=shared.id, user_id=editor.user.id, role="editor")
    with cast.bob.scope():
        people.leave_tenant()
    with editor.scope() as entered:
        assert entered.workspaces[shared.id].role == "admin"
    with viewer.scope() as entered:
        assert entered.workspaces[shared.id].role == "viewer"
    with cast.alice.scope() as entered:
        assert shared.id not in entered.workspaces, "the owner is let in only where nobody else is"
        assert entered.workspaces[alone.id].role == "admin"


def test_an_auditor_hands_over_and_is_in_no_team(cast: Cast) -> None:
    cast.let_bob_in("admin")
    with cast.bob.scope():
        alone = services.open_workspace(name="Alone")
    give(cast, cast.bob, "auditor")
    assert workspaces(cast.bob) == {cast.bob.personal}
    with cast.alice.scope() as entered:
        assert entered.workspaces[alone.id].role == "admin"
        with pytest.raises(members.AuditorStaysOut):
            members.add_member(workspace_id=cast.team, user_id=cast.bob.user.id, role="viewer")
    with cast.bob.scope(), pytest.raises(NotAllowed):
        services.open_workspace(name="An auditor's")
    give(cast, cast.bob, "member")
    assert workspaces(cast.bob) == {cast.bob.personal, cast.organisation}


def test_ownership_is_handed_over_by_an_owner(cast: Cast) -> None:
    with cast.bob.scope(), pytest.raises(NotAllowed):
        people.transfer_ownership(membership_id=seat(cast.alice, cast.bob).id)
    with cast.alice.scope():
        people.transfer_ownership(membership_id=seat(cast.alice, cast.bob).id)
    assert seat(cast.bob, cast.bob).role == "owner"
    assert seat(cast.bob, cast.alice).role == "admin"
    with cast.alice.scope(), pytest.raises(NotAllowed):
        people.transfer_ownership(membership_id=seat(cast.bob, cast.alice).id)


def test_only_roles_that_there_are_can_be_given(cast: Cast) -> None:
    with cast.alice.scope():
        with pytest.raises(people.BadRole):
            people.change_role(membership_id=seat(cast.alice, cast.bob).id, role="king")
        with pytest.raises(people.BadRole):
            people.add_person(user=newcomer(), name="x", role="")
        with pytest.raises(people.BadRole):
            members.add_member(workspace_id=cast.team, user_id=cast.bob.user.id, role="owner")
