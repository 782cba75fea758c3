"""Which tenant a page is for: the one that its address names, else the session's, else the person's first."""

import uuid

import pytest

from tenants import people
from tenants.models import Membership, User
from tenants.permissions import NotAllowed
from tests.cast import Cast, Client, Person, new_agent, seated


@pytest.fixture
def guest(cast: Cast) -> Person:
    """Alice's second seat, in Charlie's tenant."""
    with cast.charlie.scope():
        people.add_person(user=cast.alice.user, name="Alice, a guest")
    return seated("Alice", cast.alice.user, cast.charlie.identity.tenant_id)


def agents_of(person: Person, browser: Person) -> str:
    return browser.browser.get(f"/w/{person.personal}/agents/").content.decode()


def test_the_address_chooses_the_tenant_and_the_session_follows(cast: Cast, guest: Person) -> None:
    new_agent(cast.alice, name="Herehere")
    new_agent(guest, name="Therethere")
    for _ in range(2):
        for person, mine, others in (
            (cast.alice, "Herehere", "Therethere"),
            (guest, "Therethere", "Herehere"),
        ):
            page = agents_of(person, cast.alice)
            assert mine in page
            assert others not in page
            # A page whose address names no workspace stays where one was.
            assert str(person.personal) in cast.alice.browser.get("/").headers["Location"]


def test_an_address_of_somebody_elses_workspace_changes_nothing(cast: Cast, guest: Person) -> None:
    assert agents_of(guest, cast.alice)
    for foreign in (cast.charlie.personal, cast.bob.personal, uuid.uuid4()):
        assert cast.alice.browser.get(f"/w/{foreign}/agents/").status_code == 404
        assert str(guest.personal) in cast.alice.browser.get("/").headers["Location"]


def test_the_slug_in_an_address_decides_nothing(cast: Cast) -> None:
    assert cast.alice.browser.get(f"/w/{cast.team}-anything/agents/").status_code == 200
    assert cast.bob.browser.get(f"/w/{cast.team}-bob/agents/").status_code == 404
    assert cast.bob.browser.get(f"/w/{cast.team}-{cast.bob.personal}/agents/").status_code == 404


def test_a_seat_that_is_taken_away_is_gone_at_the_next_page(cast: Cast, guest: Person) -> None:
    assert agents_of(guest, cast.alice)
    with cast.charlie.scope():
        Membership.objects.filter(user_id=cast.alice.user.id).update(is_active=False)
    assert cast.alice.browser.get(f"/w/{guest.personal}/agents/").status_code == 404
    assert str(cast.alice.personal) in cast.alice.browser.get("/").headers["Location"]


def test_who_has_no_seat_is_led_to_a_place_for_that(cast: Cast) -> None:
    with cast.alice.scope():
        Membership.objects.filter(user_id=cast.bob.user.id).update(is_active=False)
    for address in ("/", "/me/", f"/w/{cast.bob.personal}/", f"/w/{cast.team}/agents/"):
        assert cast.bob.browser.get(address).headers["Location"] == "/welcome/"


def test_who_leaves_the_site_is_nobody(cast: Cast) -> None:
    assert cast.bob.browser.get("/me/").status_code == 200
    User.objects.filter(id=cast.bob.user.id).update(is_active=False)
    assert cast.bob.browser.get("/me/").headers["Location"].startswith("/accounts/login/")


def test_an_owner_makes_a_reset_link_for_a_member_and_for_nobody_else(cast: Cast, guest: Person) -> None:
    """Who sits in another tenant too would be taken over there."""
    with cast.alice.scope():
        uid, token = people.password_link(user_id=cast.bob.user.id)
    page = cast.bob.browser.get(f"/accounts/password/reset/key/{uid}-{token}/", follow=True)
    assert page.status_code == 200
    with cast.charlie.scope():
        with pytest.raises(NotAllowed):
            people.password_link(user_id=cast.alice.user.id)
        with pytest.raises(Membership.DoesNotExist):
            people.password_link(user_id=cast.bob.user.id)
    with cast.bob.scope(), pytest.raises(NotAllowed):
        people.password_link(user_id=cast.bob.user.id)


def test_a_reset_link_dies_when_the_person_sits_somewhere_else_too(cast: Cast) -> None:
    """Else the owner of one organisation walks into another by it."""

    def opens(address: str) -> bool:
        return 'type="password"' in Client().get(address, follow=True).content.decode()

    with cast.alice.scope():
        uid, token = people.password_link(user_id=cast.bob.user.id)
    address = f"/accounts/password/reset/key/{uid}-{token}/"
    assert opens(address)
    with cast.charlie.scope():
        people.add_person(user=cast.bob.user, name="Bob, a guest")
    assert not opens(address)
    with cast.alice.scope(), pytest.raises(NotAllowed):
        people.password_link(user_id=cast.bob.user.id)
