"""An owner invites by a link; the invited person, and nobody else, gets a seat."""

from __future__ import annotations

import re
import uuid

import pytest

from tenants import invitations, services
from tenants.models import Membership, User
from tenants.permissions import NotAllowed
from tests.cast import Cast, Client, Person


def link_for(alice: Person, email: str) -> str:
    """The address that the members page shows after the form was sent."""
    address = f"/w/{alice.personal}/settings/members/invite/"
    page = alice.browser.post(address, {"email": email, "role": "member"}).content.decode()
    found = re.search(r'id="invitation">([^<]+)<', page)
    assert found, page
    return found.group(1).removeprefix("http://testserver")


def test_an_invited_person_makes_an_account_and_is_in(alice: Person) -> None:
    email = f"dora-{uuid.uuid4().hex[:8]}@example.com"
    link = link_for(alice, email)
    guest = Client()
    assert b"Alice" in guest.get(link).content
    answer = guest.post(link, {"name": "Dora", "password": "a long enough one", "time_zone": "UTC"})
    assert answer.status_code == 302
    assert guest.get("/", follow=True).status_code == 200
    seats = services.seats_of(User.objects.get(email=email).id)
    assert [(seat.tenant_id, seat.role) for seat in seats] == [(alice.identity.tenant_id, "member")]


def test_a_person_who_has_an_account_accepts_with_it(cast: Cast) -> None:
    link = link_for(cast.alice, cast.charlie.user.email)
    assert Client().get(link).headers["Location"].startswith("/accounts/login/")
    assert cast.charlie.browser.post(link).status_code == 302
    tenants = {seat.tenant_id for seat in services.seats_of(cast.charlie.user.id)}
    assert tenants == {cast.alice.identity.tenant_id, cast.charlie.identity.tenant_id}
    assert cast.charlie.browser.post(link).status_code == 302  # a second use changes nothing
    assert len(services.seats_of(cast.charlie.user.id)) == 2


def test_a_link_is_for_nobody_else(cast: Cast) -> None:
    link = link_for(cast.alice, "somebody@example.com")
    assert cast.charlie.browser.post(link).status_code == 200
    assert len(services.seats_of(cast.charlie.user.id)) == 1


def test_a_link_dies_with_the_right_of_its_maker(cast: Cast) -> None:
    with cast.alice.scope():
        Membership.objects.filter(user=cast.bob.user).update(role="admin")
    with cast.bob.scope():
        token = invitations.invite(email="late@example.com", role="member")
    assert invitations.read(token).email == "late@example.com"
    with cast.alice.scope():
        Membership.objects.filter(user=cast.bob.user).update(role="member")
    with pytest.raises(invitations.BadInvitation):
        invitations.read(token)
    assert Client().get(f"/join/{token}/").status_code == 404


@pytest.mark.parametrize("token", ["nonsense", "a:b:c"])
def test_a_made_up_link_is_not_found(database: None, token: str) -> None:
    assert Client().get(f"/join/{token}/").status_code == 404


def test_a_member_invites_nobody(cast: Cast) -> None:
    with cast.bob.scope(), pytest.raises(NotAllowed):
        invitations.invite(email="x@example.com", role="member")


def test_no_link_makes_an_owner(alice: Person) -> None:
    with alice.scope(), pytest.raises(ValueError, match="one of"):
        invitations.invite(email="x@example.com", role="owner")
