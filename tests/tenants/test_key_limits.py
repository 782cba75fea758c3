"""What a key may do: its scopes, its workspaces, its time; and that a key makes none that may do more."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants import keys, people, services
from tenants.authentication import find_key
from tenants.keys import BadKey
from tenants.models import ApiKey, Workspace
from tenants.permissions import NotAllowed, my_role
from tenants.scope import Identity, OutsideScope, current_scope, scope
from tests.cast import Cast, Client, Person, new_agent
from tests.tenants.governing import give, seat, told

BLOCKS = "/api/v1/blocks/"


def identity_of(secret: str) -> Identity:
    found = find_key(secret)
    assert found is not None
    return found[0]


def as_program(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def filled(cast: Cast) -> Cast:
    """A block in each of Alice's three workspaces, named for it."""
    for home, label in ((cast.alice.personal, "mine"), (cast.team, "teams"), (cast.organisation, "ours")):
        with cast.alice.scope():
            core.create_block(workspace_id=home, fields=BlockFields(label=label), actor=core.by_me())
    return cast


def labels(client: Client) -> set[str]:
    answer = client.get(BLOCKS)
    assert answer.status_code == 200, answer.content
    return {each["label"] for each in answer.json()["results"]}


def make(person: Person, **wanted: object) -> str:
    with person.scope():
        return keys.create_key(name="test", **wanted)  # type: ignore[arg-type]


def test_a_key_for_one_workspace_reaches_no_other(filled: Cast, locks: str) -> None:
    whole, narrow = make(filled.alice), make(filled.alice, workspace_ids=[filled.team])
    assert labels(as_program(whole)) == {"mine", "teams", "ours"}
    assert labels(as_program(narrow)) == {"teams"}
    with scope(identity_of(narrow)) as entered:
        assert set(entered.workspaces) == {filled.team}
        assert set(Block.objects.values_list("label", flat=True)) == {"teams"}
    with filled.alice.scope():
        mine = Block.objects.get(label="mine")
    assert as_program(whole).get(f"{BLOCKS}{mine.id}/").status_code == 200
    assert as_program(narrow).get(f"{BLOCKS}{mine.id}/").status_code == 404


def test_a_key_never_widens_what_its_person_reaches(filled: Cast) -> None:
    filled.let_bob_in("editor")
    key = make(filled.bob, workspace_ids=[filled.team, filled.organisation])
    assert labels(as_program(key)) == {"teams", "ours"}
    with filled.alice.scope():
        people.remove_person(membership_id=seat(filled.alice, filled.bob).id)
    assert as_program(key).get(BLOCKS).status_code == 401


def test_a_workspace_that_its_person_leaves_is_out_of_a_keys_reach(filled: Cast) -> None:
    filled.let_bob_in("editor")
    key = make(filled.bob, workspace_ids=[filled.team])
    assert labels(as_program(key)) == {"teams"}
    with filled.alice.scope():
        people.Membership.objects.filter(user_id=filled.bob.user.id).update(role="auditor")
    assert labels(as_program(key)) == set()


def test_nobody_makes_a_key_for_a_workspace_out_of_reach(cast: Cast) -> None:
    for foreign in (cast.team, cast.charlie.personal, uuid.uuid4()):
        with cast.bob.scope(), pytest.raises(Workspace.DoesNotExist):
            keys.create_key(name="x", workspace_ids=[cast.bob.personal, foreign])
    assert make(cast.bob, workspace_ids=[cast.bob.personal, cast.bob.personal])


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "n" * 121}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["read", "everything"]}, "scopes"),
        ({"workspace_ids": []}, "workspace_ids"),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "expires_at"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_key_cannot_be(alice: Person, wanted: dict[str, object], field: str) -> None:
    """An empty list is refused: it is not taken as no limit."""
    with alice.scope(), pytest.raises(BadKey) as caught:
        keys.create_key(**({"name": "x"} | wanted))  # type: ignore[arg-type]
    assert caught.value.field == field


def test_a_narrowed_key_governs_nothing_and_makes_no_key(cast: Cast, locks: str) -> None:
    narrow = identity_of(make(cast.alice, scopes=["read", "write", "manage"], workspace_ids=[cast.team]))
    with cast.alice.scope():
        assert my_role() == "owner"
    acts = (
        lambda: keys.create_key(name="wider"),
        keys.my_keys,
        lambda: services.update_tenant(name="Theirs"),
        lambda: services.open_workspace(name="Theirs"),
        people.leave_tenant,
        lambda: people.add_person(user=cast.charlie.user, name="x"),
    )
    for act in acts:
        with scope(narrow), pytest.raises(NotAllowed):
            act()
    with scope(narrow):
        assert my_role() is None
        services.rename_workspace(workspace_id=cast.team, name="What it is for")
        with pytest.raises(OutsideScope):
            _ = current_scope().home


def test_what_would_lie_in_a_workspace_out_of_reach_is_not_there(cast: Cast) -> None:
    """Without a workspace named, it would be the person's own."""
    agent = new_agent(cast.alice, cast.team)
    for made, status in ((make(cast.alice), 201), (make(cast.alice, workspace_ids=[cast.team]), 404)):
        client = as_program(made)
        for path, body in (("agents", {"name": "Memo"}), ("conversations", {"agent": str(agent.id)})):
            answer = client.post(f"/api/v1/{path}/", body, content_type="application/json")
            assert answer.status_code == status, (path, answer.content)


def test_a_key_ends_with_its_time_and_says_so_at_once(cast: Cast) -> None:
    key = make(cast.alice, expires_at=timezone.now() + timedelta(hours=1))
    assert as_program(key).get(BLOCKS).status_code == 200
    with cast.alice.scope():
        ApiKey.objects.filter(digest=keys.digest(key)).update(expires_at=timezone.now())
    assert as_program(key).get(BLOCKS).status_code == 401


def test_a_revoked_key_is_revoked_for_good_and_told(cast: Cast) -> None:
    key = make(cast.alice)
    with cast.alice.scope():
        made = ApiKey.objects.get(digest=keys.digest(key))
        keys.revoke_key(key_id=made.id)
        first = ApiKey.objects.get(id=made.id).revoked_at
        keys.revoke_key(key_id=made.id)
        assert ApiKey.objects.get(id=made.id).revoked_at == first
    assert find_key(key) is None
    assert [event.object_id for event in told(cast.alice, "key.revoked")] == [made.id]


def test_nobody_revokes_anothers_key(cast: Cast, locks: str) -> None:
    key = identity_of(cast.bob.key).key_id
    assert key
    with cast.alice.scope():
        assert {each.user_id for each in keys.my_keys()} == {cast.alice.user.id}
        with pytest.raises(ApiKey.DoesNotExist):
            keys.revoke_key(key_id=key)
    assert find_key(cast.bob.key)


def test_a_key_that_ends_during_long_work_is_noticed(cast: Cast) -> None:
    identity = identity_of(make(cast.alice))
    with scope(identity):
        keys.require_live(identity)
    with cast.alice.scope():
        keys.revoke_key(key_id=identity.key_id)  # type: ignore[arg-type]
    with scope(identity), pytest.raises(keys.KeyRevoked):
        keys.require_live(identity)
    with cast.alice.scope():
        keys.require_live(cast.alice.identity)  # no key was used


def test_a_persons_role_may_fall_and_the_key_falls_with_it(cast: Cast) -> None:
    give(cast, cast.bob, "admin")
    key = identity_of(make(cast.bob, scopes=["manage"]))
    with scope(key):
        assert my_role() == "admin"
    give(cast, cast.bob, "member")
    with scope(key), pytest.raises(NotAllowed):
        services.update_tenant(name="Bob's")


def test_a_key_makes_none_that_can_more_or_lasts_longer(alice: Person) -> None:
    """Else whoever finds one that ends tomorrow has one for ever."""
    tomorrow = timezone.now() + timedelta(days=1)
    maker = identity_of(make(alice, scopes=["read", "manage"], expires_at=tomorrow))
    for wanted, field in [
        ({"scopes": ["write"], "expires_at": tomorrow}, "scopes"),
        ({"scopes": ["read"], "expires_at": None}, "expires_at"),
        ({"scopes": ["read"], "expires_at": tomorrow + timedelta(seconds=1)}, "expires_at"),
    ]:
        with scope(maker), pytest.raises(BadKey) as caught:
            keys.create_key(name="wider", **wanted)  # type: ignore[arg-type]
        assert caught.value.field == field
    with scope(maker):
        assert find_key(keys.create_key(name="as wide", scopes=["read"], expires_at=tomorrow))


def test_a_revoked_key_takes_along_those_that_it_made(alice: Person) -> None:
    first = make(alice, scopes=["read", "manage"])
    with scope(identity_of(first)) as held:
        second = keys.create_key(name="second", scopes=["read", "manage"])
        first_id = held.identity.key_id
    with scope(identity_of(second)):
        third = keys.create_key(name="third", scopes=["read"])
    assert find_key(third)
    assert first_id
    with alice.scope():
        keys.revoke_key(key_id=first_id)
    assert [find_key(each) for each in (first, second, third)] == [None, None, None]
    assert find_key(alice.key)
