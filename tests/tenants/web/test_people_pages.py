"""The people of an organisation: roles, removing with a preview, handing over. Refusals beside successes."""

from __future__ import annotations

from typing import Any

import pytest

from tenants import keys, people, services
from tenants.models import Membership
from tests.cast import Cast, Client, Person
from tests.tenants.web.pages import page, toast, undo


def seat_of(cast: Cast, person: Person) -> Membership:
    with cast.alice.scope():
        return Membership.objects.get(user_id=person.user.id)


def of(cast: Cast, person: Person, rest: str = "", asker: Person | None = None) -> str:
    """An address of a person's page, in the asker's own workspace."""
    home = (asker or cast.alice).personal
    return f"/w/{home}/settings/people/{seat_of(cast, person).id}/{rest}"


def make(cast: Cast, person: Person, role: str) -> None:
    with cast.alice.scope():
        people.change_role(membership_id=seat_of(cast, person).id, role=role)


def test_people_are_for_owners_and_admins(cast: Cast) -> None:
    assert cast.bob.browser.get(f"/w/{cast.bob.personal}/settings/people/").status_code == 403
    assert cast.bob.browser.get(of(cast, cast.alice, asker=cast.bob)).status_code == 403
    make(cast, cast.bob, "admin")
    text = page(cast.bob, f"/w/{cast.bob.personal}/settings/people/")
    assert cast.alice.user.email in text
    assert "Charlie" not in text


def test_people_are_filtered_in_the_address(cast: Cast) -> None:
    address = f"/w/{cast.alice.personal}/settings/people/"
    assert cast.bob.user.email in page(cast.alice, f"{address}?q=bob", fragment=True)
    assert cast.alice.user.email not in page(cast.alice, f"{address}?q=bob", fragment=True)
    assert cast.bob.user.email not in page(cast.alice, f"{address}?role=owner", fragment=True)
    assert "Nobody is like this." in page(cast.alice, f"{address}?role=\x00nonsense")


def test_a_role_is_changed_and_changed_back(cast: Cast) -> None:
    answer = cast.alice.browser.post(of(cast, cast.bob, "role/"), {"role": "admin"}, follow=True)
    assert "Bob is admin now." in toast(answer.content.decode())
    undo(cast.alice, answer.content.decode())
    assert seat_of(cast, cast.bob).role == "member"


def test_a_member_changes_no_role_and_an_admin_no_owners(cast: Cast) -> None:
    mine = of(cast, cast.bob, "role/", cast.bob)
    assert cast.bob.browser.post(mine, {"role": "admin"}).status_code == 403
    make(cast, cast.bob, "admin")
    assert "Only an owner changes or removes an owner." in page(cast.bob, of(cast, cast.alice, "", cast.bob))
    hers = of(cast, cast.alice, "role/", cast.bob)
    assert cast.bob.browser.post(hers, {"role": "member"}).status_code == 403
    assert cast.bob.browser.post(mine, {"role": "owner"}).status_code == 422
    assert seat_of(cast, cast.alice).role == "owner"


def test_who_becomes_an_auditor_loses_workspaces_and_a_page_says_so_first(cast: Cast) -> None:
    cast.let_bob_in("editor")
    address = of(cast, cast.bob, "role/")
    asked = cast.alice.browser.post(address, {"role": "auditor"})
    assert asked.status_code == 200
    assert "What happens when Bob becomes an auditor" in asked.content.decode()
    assert "Research" in asked.content.decode()
    assert seat_of(cast, cast.bob).role == "member"
    cast.alice.browser.post(address, {"role": "auditor", "sure": "1"})
    assert seat_of(cast, cast.bob).role == "auditor"
    assert cast.bob.browser.get(f"/w/{cast.team}/").status_code == 404


def test_removing_says_first_what_happens_to_private_and_shared_memory(cast: Cast) -> None:
    cast.let_bob_in("member")
    with cast.bob.scope():
        garden = services.open_workspace(name="Garden")
    text = page(cast.alice, of(cast, cast.bob, "remove/"))
    for words in (
        "is closed for everybody and kept",
        "stays there, with their name",
        "Research",
        "becomes admin of Garden",
        "1 API key stops working, for good.",
        "There is no undo.",
    ):
        assert words in text
    assert cast.bob.browser.get(f"/w/{garden.id}/agents/").status_code == 200
    answer = cast.alice.browser.post(of(cast, cast.bob, "remove/"), follow=True)
    assert "Bob is removed." in toast(answer.content.decode())
    assert cast.bob.browser.get("/me/")["Location"] == "/welcome/"
    assert cast.bob.api.get("/api/v1/agents/").status_code == 401
    assert cast.alice.browser.get(f"/w/{garden.id}/agents/").status_code == 200
    assert cast.alice.browser.get(f"/w/{cast.bob.personal}/agents/").status_code == 404


def test_a_member_removes_nobody_and_reads_no_preview(cast: Cast) -> None:
    address = of(cast, cast.alice, "remove/", cast.bob)
    assert cast.bob.browser.get(address).status_code == 403
    assert cast.bob.browser.post(address).status_code == 403


def test_the_last_owner_is_told_why_they_stay(cast: Cast) -> None:
    address = f"/w/{cast.alice.personal}/settings/organisation/leave/"
    text = page(cast.alice, address)
    assert "You are the only owner, and an organisation keeps one." in text
    assert "Hand it over first" in text
    assert cast.alice.browser.post(address).status_code == 422
    assert seat_of(cast, cast.alice).is_active


def test_an_owner_hands_over_and_can_leave_then(cast: Cast) -> None:
    address = of(cast, cast.bob, "transfer/")
    assert "You cannot take it back yourself" in page(cast.alice, address)
    assert cast.bob.browser.get(of(cast, cast.bob, "transfer/", cast.bob)).status_code == 403
    assert cast.alice.browser.post(address).status_code == 302
    assert (seat_of(cast, cast.alice).role, seat_of(cast, cast.bob).role) == ("admin", "owner")
    leave = f"/w/{cast.alice.personal}/settings/organisation/leave/"
    assert "What happens when you leave" in page(cast.alice, leave)
    assert cast.alice.browser.post(leave).status_code == 302
    with cast.bob.scope():
        assert not Membership.objects.get(user=cast.alice.user).is_active


def test_a_member_leaves_by_themselves_after_a_preview(cast: Cast) -> None:
    with cast.bob.scope():
        keys.create_key(name="another")
    address = f"/w/{cast.bob.personal}/settings/organisation/leave/"
    assert "2 API keys stop working, for good." in page(cast.bob, address)
    assert cast.bob.browser.post(address).status_code == 302
    assert cast.bob.browser.get("/")["Location"] == "/welcome/"


@pytest.mark.parametrize("verb", ["remove/", "transfer/", "role/"])
def test_a_stranger_finds_nobody(cast: Cast, verb: str) -> None:
    address = f"/w/{cast.charlie.personal}/settings/people/{seat_of(cast, cast.bob).id}/{verb}"
    assert cast.charlie.browser.post(address, {"role": "member"}).status_code == 404
    assert seat_of(cast, cast.bob).role == "member"


def test_an_owner_makes_a_link_for_a_new_password(cast: Cast) -> None:
    address = of(cast, cast.bob, "reset-link/")
    assert cast.bob.browser.post(of(cast, cast.bob, "reset-link/", cast.bob)).status_code == 403
    text = cast.alice.browser.post(address).content.decode()
    stranger = Client()
    form = stranger.get(text.split('id="link">')[1].split("<")[0], follow=True)
    body = {"password1": "quite a new one 9", "password2": "quite a new one 9"}
    stranger.post(form.redirect_chain[-1][0], body)
    cast.bob.user.refresh_from_db()
    assert cast.bob.user.check_password("quite a new one 9")


def test_a_forged_form_removes_nobody(cast: Cast, forged: Any) -> None:
    forged(cast.alice, of(cast, cast.bob, "remove/"), {})
    assert seat_of(cast, cast.bob).is_active
