"""An organisation's settings, switching between organisations, and what a person is told about readers."""

from __future__ import annotations

from typing import Any

from tenants import audit, invitations, people, services
from tenants.models import Membership, Tenant
from tests.cast import Cast, Person
from tests.tenants.web.pages import page


def organisation_of(person: Person) -> str:
    return f"/w/{person.personal}/settings/organisation/"


def test_an_admin_names_it_and_an_owner_says_who_reads(cast: Cast) -> None:
    body = {"name": "New name", "admins_read_chats": "on"}
    assert cast.bob.browser.post(organisation_of(cast.bob), body).status_code == 403
    with cast.alice.scope():
        seat = Membership.objects.get(user=cast.bob.user)
        people.change_role(membership_id=seat.id, role="admin")
    assert cast.bob.browser.post(organisation_of(cast.bob), body).status_code == 302
    with cast.alice.scope():
        tenant = Tenant.objects.get()
    assert (tenant.name, tenant.admins_read_chats) == ("New name", False)
    assert cast.alice.browser.post(organisation_of(cast.alice), body).status_code == 302
    with cast.alice.scope():
        tenant = Tenant.objects.get()
    assert (tenant.name, tenant.admins_read_chats, tenant.operators_read) == ("New name", True, False)


def test_everybody_is_told_whether_admins_read_chats(cast: Cast) -> None:
    told = "Owners and admins may read members' chats."
    for address in (organisation_of(cast.bob), "/me/"):
        assert told not in page(cast.bob, address)
        assert "Nobody else reads your own chats" in page(cast.bob, address)
    with cast.alice.scope():
        services.update_tenant(admins_read_chats=True)
    for address in (organisation_of(cast.bob), "/me/"):
        assert told in page(cast.bob, address)


def test_a_refused_name_stays_in_the_form(alice: Person) -> None:
    answer = alice.browser.post(organisation_of(alice), {"name": "x" * 121, "operators_read": "on"})
    assert answer.status_code == 422
    assert "x" * 121 in answer.content.decode()
    with alice.scope():
        assert not Tenant.objects.get().operators_read


def test_a_forged_form_opens_nobodys_chats(alice: Person, forged: Any) -> None:
    forged(alice, organisation_of(alice), {"name": "n", "admins_read_chats": "on"})
    with alice.scope():
        assert not Tenant.objects.get().admins_read_chats


def test_one_goes_from_one_organisation_to_the_other(cast: Cast) -> None:
    with cast.alice.scope():
        token = invitations.invite(email=cast.charlie.user.email, role="member")
    invitations.accept(token, cast.charlie.user, name="Charles")
    here, there = cast.charlie.identity.tenant_id, cast.alice.identity.tenant_id
    cast.charlie.browser.get(f"/w/{cast.charlie.personal}/")
    text = page(cast.charlie, "/me/")
    assert f"/organisations/{there}/" in text
    assert f"/organisations/{here}/" not in text
    cast.charlie.browser.get(f"/organisations/{there}/")
    text = page(cast.charlie, "/me/")
    assert f"/organisations/{here}/" in text
    assert 'value="Charles"' in text


def test_nobody_goes_where_they_have_no_seat(cast: Cast) -> None:
    theirs = cast.charlie.identity.tenant_id
    assert cast.charlie.browser.get(f"/organisations/{theirs}/").status_code == 302
    assert cast.bob.browser.get(f"/organisations/{theirs}/").status_code == 404


def test_a_name_typed_for_one_organisation_does_not_land_in_another(cast: Cast) -> None:
    body = {"name": "Charles", "time_zone": "UTC", "tenant": str(cast.alice.identity.tenant_id)}
    answer = cast.charlie.browser.post("/me/", body)
    assert answer.status_code == 422
    assert "Charles" in answer.content.decode()
    assert (
        cast.charlie.browser.post("/me/", body | {"tenant": str(cast.charlie.identity.tenant_id)}).status_code
        == 302
    )


def test_a_member_sees_who_has_read_their_chats(cast: Cast) -> None:
    assert "Nobody has so far." in page(cast.bob, "/me/")
    with cast.alice.scope():
        for _ in range(60):
            audit.record("chat.read", kind="conversation", subject_id=cast.bob.user.id)
        audit.record("chats.listed", kind="conversation", subject_id=cast.bob.user.id)
    mine = page(cast.bob, "/me/")
    assert "looked at the list of your chats" in mine
    assert mine.count("read a chat of yours") == 2
    whole = page(cast.bob, "/me/readings/")
    assert whole.count("read a chat of yours") == 49
    before = whole.split("?before=")[1][:36]
    assert page(cast.bob, f"/me/readings/?before={before}", fragment=True).count("read a chat of yours") == 11
    assert "read a chat of yours" not in page(cast.alice, "/me/readings/")
    assert "read a chat of yours" not in page(cast.charlie, "/me/readings/")
