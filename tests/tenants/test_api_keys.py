"""A key is one person's way into one tenant: hashed, and dead as soon as it is revoked or expired."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connections
from django.utils import timezone

from tenants import keys, people
from tenants.authentication import find_key
from tenants.models import ApiKey, Membership, User
from tests.cast import Cast, Person, new_agent, seated

AGENTS = "/api/v1/agents/"


def row_of(person: Person, secret: str) -> ApiKey:
    with person.scope():
        return ApiKey.objects.get(digest=keys.digest(secret))


def expired() -> str:
    """A key whose time is over."""
    secret = keys.create_key(name="past", expires_at=timezone.now() + timedelta(hours=1))
    over = timezone.now() - timedelta(seconds=1)
    assert ApiKey.objects.filter(digest=keys.digest(secret)).update(expires_at=over) == 1
    return secret


def test_a_key_opens_its_persons_tenant(cast: Cast) -> None:
    for person in (cast.alice, cast.bob, cast.charlie):
        found = find_key(person.key)
        assert found is not None
        assert found[0] == person.identity
        assert person.api.get(AGENTS).status_code == 200


def test_only_a_hash_is_kept(alice: Person) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT to_jsonb(k)::text FROM tenants_apikey k WHERE user_id = %s", [alice.user.id])
        (stored,) = (text for (text,) in cursor.fetchall())
    assert alice.key not in stored
    assert alice.key[9:] not in stored
    row = row_of(alice, alice.key)
    assert alice.key.startswith(row.prefix)
    assert len(row.prefix) < len(alice.key) / 3
    assert row.digest == keys.digest(alice.key)
    assert len(row.digest) == 64


NO_KEYS = ("", " ", "ms_", "nothing", "ms_" + "a" * 43, "%", "_" * 46, "ms_\x00", "Bearer", "密钥")


@pytest.mark.parametrize("given", NO_KEYS, ids=ascii)
def test_what_is_no_key_opens_nothing(alice: Person, given: str) -> None:
    answer = alice.browser.get(AGENTS, headers={"Authorization": f"Bearer {given}"})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("cut", [slice(0, -1), slice(0, 9), slice(1, None)], ids=str)
def test_a_piece_of_a_key_opens_nothing(alice: Person, cut: slice) -> None:
    assert find_key(alice.key[cut]) is None
    assert find_key(alice.key.swapcase()) is None
    assert find_key(keys.digest(alice.key)) is None


def test_a_session_is_no_key_and_a_key_is_no_session(alice: Person) -> None:
    assert alice.browser.get("/me/").status_code == 200
    assert alice.browser.get(AGENTS).status_code == 401
    assert alice.api.get("/me/").status_code == 302


def test_a_revoked_key_is_dead_at_once(alice: Person) -> None:
    assert alice.api.get(AGENTS).status_code == 200
    with alice.scope():
        ApiKey.objects.filter(digest=keys.digest(alice.key)).update(revoked_at=timezone.now())
    assert alice.api.get(AGENTS).status_code == 401


def test_replacing_a_key_revokes_those_of_its_name_and_no_other(cast: Cast) -> None:
    alice = cast.alice
    with alice.scope():
        other = keys.create_key(name="other")
        fresh = keys.replace_key(name="test")
    assert find_key(alice.key) is None
    assert find_key(other)
    assert find_key(fresh)
    assert find_key(cast.bob.key), "Bob's key has the same name"


def test_an_expired_key_is_dead(alice: Person) -> None:
    with alice.scope():
        past = expired()
        future = keys.create_key(name="future", expires_at=timezone.now() + timedelta(hours=1))
    assert find_key(past) is None
    assert find_key(future)


def test_the_key_of_an_inactive_member_is_dead(cast: Cast) -> None:
    with cast.alice.scope():
        Membership.objects.filter(user_id=cast.bob.user.id).update(is_active=False)
    assert cast.bob.api.get(AGENTS).status_code == 401
    assert find_key(cast.alice.key)


def test_the_key_of_an_inactive_account_is_dead(bob: Person) -> None:
    User.objects.filter(id=bob.user.id).update(is_active=False)
    assert find_key(bob.key) is None


def test_its_last_use_is_noted_at_most_once_a_minute(alice: Person) -> None:
    assert row_of(alice, alice.key).last_used_at is None
    before = timezone.now()
    assert find_key(alice.key)
    first = row_of(alice, alice.key).last_used_at
    assert first is not None
    assert first >= before
    assert find_key(alice.key)
    assert row_of(alice, alice.key).last_used_at == first
    with alice.scope():
        ApiKey.objects.update(last_used_at=before - timedelta(minutes=2))
    assert find_key(alice.key)
    assert row_of(alice, alice.key).last_used_at > before


def test_a_key_that_is_refused_is_not_noted_as_used(alice: Person) -> None:
    with alice.scope():
        past = expired()
    assert find_key(past) is None
    assert row_of(alice, past).last_used_at is None


def test_a_key_that_reads_does_not_write(alice: Person) -> None:
    with alice.scope():
        reading = keys.create_key(name="reading", scopes=["read"])
        writing = keys.create_key(name="writing", scopes=["write"])
    body = {"name": "Memo"}
    for key, method, status in (
        (reading, "get", 200),
        (reading, "post", 403),
        (writing, "get", 403),
        (writing, "post", 201),
    ):
        sent = {"headers": {"Authorization": f"Bearer {key}"}}
        sent |= {"data": body, "content_type": "application/json"} if method == "post" else {}
        answer = getattr(alice.browser, method)(AGENTS, **sent)
        assert answer.status_code == status, (key, method, answer.content)


def test_a_key_of_one_tenant_never_reaches_the_persons_other_tenant(cast: Cast) -> None:
    """Alice has a seat in Charlie's tenant too."""
    with cast.charlie.scope():
        people.add_person(user=cast.alice.user, name="Alice, a guest")
    guest = seated("Alice", cast.alice.user, cast.charlie.identity.tenant_id)
    here, there = new_agent(cast.alice, name="here"), new_agent(guest, name="there")
    for person, mine, others in ((cast.alice, here, there), (guest, there, here)):
        listed = person.api.get(AGENTS).json()["results"]
        assert [each["name"] for each in listed] == [mine.name]
        assert person.api.get(f"{AGENTS}{mine.id}/").status_code == 200
        assert person.api.get(f"{AGENTS}{others.id}/").status_code == 404


def test_a_persons_keys_are_their_own_also_for_the_owner_of_the_tenant(cast: Cast, locks: str) -> None:
    with cast.bob.scope():
        assert [row.user_id for row in ApiKey.objects.all()] == [cast.bob.user.id]
    with cast.alice.scope():
        assert [row.user_id for row in ApiKey.objects.all()] == [cast.alice.user.id]
        assert ApiKey.objects.filter(user_id=cast.bob.user.id).update(revoked_at=timezone.now()) == 0
    assert find_key(cast.bob.key)


def test_two_keys_with_one_hash_cannot_be(cast: Cast) -> None:
    with (
        pytest.raises(IntegrityError),
        cast.charlie.scope(),
    ):
        ApiKey.objects.create(
            user_id=cast.charlie.user.id, name="stolen", prefix="ms_", digest=keys.digest(cast.alice.key)
        )
