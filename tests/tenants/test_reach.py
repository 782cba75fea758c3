"""A reach narrows a person's workspaces and never widens them; no workspace is not every workspace."""

import uuid

import pytest
from django.db import connection, transaction

from memory.core import BlockFields, by_me, create_block
from memory.models import Block
from memory.retrieval import Filters, search
from tenants import people, services
from tenants.models import Membership, Tenant, User, Workspace, WorkspaceMember
from tenants.permissions import NotAllowed
from tenants.scope import Identity, NoPerson, current_scope, scope
from tests.cast import Cast, Person, new_agent, seated


def labels() -> set[str]:
    return set(Block.objects.values_list("label", flat=True))


@pytest.fixture
def filled(cast: Cast) -> Cast:
    """A block in each of Alice's three workspaces, named for it."""
    for home, label in ((cast.alice.personal, "mine"), (cast.team, "teams"), (cast.organisation, "ours")):
        with cast.alice.scope():
            create_block(workspace_id=home, fields=BlockFields(label=label), actor=by_me())
    return cast


def test_without_a_reach_it_is_everything_mine(filled: Cast, locks: str) -> None:
    with filled.alice.scope() as entered:
        assert labels() == {"mine", "teams", "ours"}
        assert set(entered.workspaces) == {filled.alice.personal, filled.team, filled.organisation}
    with filled.bob.scope():
        assert labels() == {"ours"}


def test_a_reach_narrows(filled: Cast, locks: str) -> None:
    with scope(filled.alice.identity.narrowed([filled.team])):
        assert labels() == {"teams"}
        assert set(Workspace.objects.values_list("id", flat=True)) == {filled.team}


def test_a_reach_that_names_a_foreign_workspace_gives_nothing(filled: Cast, locks: str) -> None:
    for person in (filled.bob, filled.charlie):
        for foreign in (filled.team, filled.alice.personal):
            with scope(Identity(person.identity.tenant_id, person.user.id, frozenset({foreign}))) as entered:
                assert entered.workspaces == {}
                assert labels() == set()
    with scope(Identity(filled.charlie.identity.tenant_id, None, frozenset({filled.team}))) as entered:
        assert entered.workspaces == {}
        assert labels() == set()


def test_narrowing_twice_is_what_both_allow(filled: Cast) -> None:
    once = filled.alice.identity.narrowed([filled.team, filled.alice.personal])
    assert once.narrowed([filled.team, filled.organisation]).reach == {filled.team}
    assert once.narrowed([]).reach == frozenset()


def test_a_foreign_tenant_gives_nothing_at_all(filled: Cast, locks: str) -> None:
    """Charlie with Alice's tenant in the identity: he has no seat there."""
    with scope(Identity(filled.alice.identity.tenant_id, filled.charlie.user.id)) as entered:
        assert entered.workspaces == {}
        assert labels() == set()


def test_a_foreign_tenants_people_and_names_stay_hidden(filled: Cast) -> None:
    """By the policies: who has no seat in a tenant does not even see that there is one."""
    with scope(Identity(filled.alice.identity.tenant_id, filled.charlie.user.id)):
        assert not Tenant.objects.exists()
        assert not Membership.objects.exists()


def test_an_empty_reach_is_no_workspace(filled: Cast, locks: str) -> None:
    with scope(filled.alice.identity.narrowed([])) as entered:
        assert entered.workspaces == {}
        assert labels() == set()
        assert not Workspace.objects.exists()
        assert search("anything", Filters()).total == 0


def test_background_work_without_a_reach_sees_nothing(filled: Cast, locks: str) -> None:
    for reach in (None, frozenset()):
        with scope(Identity(filled.alice.identity.tenant_id, None, reach)) as entered:
            assert entered.workspaces == {}
            assert labels() == set()


def test_background_work_reaches_one_workspace_and_has_no_person(filled: Cast, locks: str) -> None:
    with scope(Identity(filled.alice.identity.tenant_id, None, frozenset({filled.team}))) as entered:
        assert labels() == {"teams"}
        with pytest.raises(NoPerson):
            _ = entered.person


def test_a_person_with_no_workspaces_sees_nothing(filled: Cast, locks: str) -> None:
    user = _member_without_workspaces(filled)
    with scope(Identity(filled.alice.identity.tenant_id, user.id)) as entered:
        assert entered.workspaces == {}
        assert labels() == set()
        assert Block.objects.filter(workspace_id=filled.organisation).count() == 0
        assert search("", Filters(kinds=["message"])).total == 0


def _member_without_workspaces(cast: Cast) -> User:
    user = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with cast.alice.scope():
        people.add_person(user=user, name="Nowhere")
        WorkspaceMember.objects.filter(user_id=user.id, workspace_id=cast.organisation).delete()
    with scope(Identity(cast.alice.identity.tenant_id, user.id)) as entered:
        WorkspaceMember.objects.filter(user_id=user.id, workspace_id__in=list(entered.workspaces)).delete()
    return user


def test_who_leaves_a_workspace_loses_it_at_once(filled: Cast, locks: str) -> None:
    filled.let_bob_in()
    with filled.bob.scope():
        assert labels() == {"ours", "teams"}
    with filled.alice.scope():
        WorkspaceMember.objects.filter(workspace_id=filled.team, user_id=filled.bob.user.id).delete()
    with filled.bob.scope():
        assert labels() == {"ours"}


def test_an_inactive_seat_sees_nothing(filled: Cast, locks: str) -> None:
    with filled.alice.scope():
        Membership.objects.filter(user_id=filled.bob.user.id).update(is_active=False)
    with filled.bob.scope() as entered:
        assert entered.workspaces == {}
        assert labels() == set()
    assert services.seats_of(filled.bob.user.id) == []


def test_a_seat_of_another_person_does_not_stand_in(filled: Cast) -> None:
    """Bob's place in a workspace that names Alice's seat is no place."""
    with filled.alice.scope():
        hers = Membership.objects.get(user_id=filled.alice.user.id)
        WorkspaceMember.objects.create(
            workspace_id=filled.team, user_id=filled.bob.user.id, membership=hers, role="member"
        )
    with filled.bob.scope() as entered:
        assert filled.team not in entered.workspaces


def test_a_person_of_two_tenants_is_in_one_at_a_time(filled: Cast, locks: str) -> None:
    with filled.charlie.scope():
        people.add_person(user=filled.alice.user, name="Alice, a guest")
    guest = seated("Alice", filled.alice.user, filled.charlie.identity.tenant_id)
    new_agent(guest)
    with guest.scope():
        assert labels() == {"persona", "human"}
        assert {row.name for row in Membership.objects.all()} == {"Charlie", "Alice, a guest"}
    with filled.alice.scope():
        assert labels() == {"mine", "teams", "ours"}
        assert "Charlie" not in {row.name for row in Membership.objects.all()}


def test_only_an_owner_or_admin_adds_people_also_in_the_database(cast: Cast) -> None:
    ids = [uuid.uuid4() for _ in range(4)]
    user = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with cast.bob.scope(), pytest.raises(NotAllowed):
        people.add_person(user=user, name="A friend of Bob's")
    for person, role in ((cast.bob, "member"), (cast.bob, "owner")):
        with pytest.raises(Exception, match="only an owner or admin"), person.scope():
            _add_person(user, role, ids)
    with cast.alice.scope():
        people.add_person(user=user, name="A friend", role="admin")
    friend = Person("friend", user, Identity(cast.alice.identity.tenant_id, user.id), "", cast.team)
    other = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with pytest.raises(Exception, match="only an owner or admin"), friend.scope():
        _add_person(other, "owner", ids)


def _add_person(user: User, role: str, ids: list[uuid.UUID]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT add_person(%s, %s, %s, %s)", [user.id, "x", role, ids])


def test_nobody_adds_people_or_opens_workspaces_without_identity(cast: Cast) -> None:
    ids = [uuid.uuid4() for _ in range(4)]
    with pytest.raises(Exception, match="only an owner or admin"), transaction.atomic():
        _add_person(cast.charlie.user, "member", ids)
    with pytest.raises(Exception, match="only a member"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT open_workspace('x', %s)", [ids])


def test_a_new_workspace_is_its_makers_alone(cast: Cast) -> None:
    with cast.bob.scope():
        made = services.open_workspace(name="Bob's")
        assert made.id not in current_scope().workspaces
    with cast.bob.scope() as entered:
        assert entered.workspaces[made.id].role == "admin"
    with cast.alice.scope() as entered:
        assert made.id not in entered.workspaces
        assert not Workspace.objects.filter(id=made.id).exists()
