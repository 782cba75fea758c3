"""A workspace's settings: its name, who is in it as what, leaving, closing. Each refusal beside a success."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tenants import people, services
from tenants.models import Membership, Workspace, WorkspaceMember
from tests.cast import Cast, Person
from tests.tenants.web.pages import page, toast, undo


def settings_of(cast: Cast, person: Person) -> str:
    """The address of the team's settings."""
    return f"/w/{cast.team}/settings/"


def place_of(cast: Cast, person: Person) -> WorkspaceMember | None:
    with cast.alice.scope():
        return WorkspaceMember.objects.filter(workspace_id=cast.team, user_id=person.user.id).first()


def test_anyone_but_an_auditor_opens_a_workspace(cast: Cast) -> None:
    address = f"/w/{cast.bob.personal}/workspaces/new/"
    answer = cast.bob.browser.post(address, {"name": "Garden"})
    assert answer.status_code == 302
    assert "Garden" in page(cast.bob, answer["Location"])
    with cast.alice.scope():
        seat = Membership.objects.get(user=cast.bob.user)
        people.change_role(membership_id=seat.id, role="auditor")
    assert cast.bob.browser.post(address, {"name": "Shed"}).status_code == 403
    assert "New workspace" not in page(cast.bob, f"/w/{cast.bob.personal}/workspaces/")


def test_a_refused_name_stays_in_the_form(alice: Person) -> None:
    answer = alice.browser.post(f"/w/{alice.personal}/workspaces/new/", {"name": "x" * 121})
    assert answer.status_code == 422
    assert "x" * 121 in answer.content.decode()


def test_an_admin_renames_and_a_member_does_not(cast: Cast) -> None:
    cast.let_bob_in("editor")
    address = f"/w/{cast.team}/settings/"
    assert "Save" not in page(cast.bob, address)
    assert cast.bob.browser.post(address, {"name": "Bob's"}).status_code == 403
    assert cast.alice.browser.post(address, {"name": "Field work"}).status_code == 302
    assert "Field work" in page(cast.bob, address)


def test_an_admin_lets_a_person_in_and_takes_them_out_again_with_undo(cast: Cast) -> None:
    address = f"/w/{cast.team}/settings/"
    assert cast.bob.browser.get(address).status_code == 404
    body = {"person": str(cast.bob.user.id), "role": "editor"}
    assert cast.alice.browser.post(f"{address}members/", body).status_code == 302
    assert "Bob" in page(cast.bob, address)
    member = place_of(cast, cast.bob)
    assert member
    cast.alice.browser.post(f"{address}members/{member.id}/remove/")
    assert place_of(cast, cast.bob) is None
    assert cast.bob.browser.get(address).status_code == 404
    undo(cast.alice, page(cast.alice, address))
    back = place_of(cast, cast.bob)
    assert back
    assert back.role == "editor"


def test_a_role_is_changed_and_changed_back(cast: Cast) -> None:
    cast.let_bob_in("viewer")
    member = place_of(cast, cast.bob)
    assert member
    address = f"/w/{cast.team}/settings/members/{member.id}/role/"
    assert cast.bob.browser.post(address, {"role": "admin"}).status_code == 403
    answer = cast.alice.browser.post(address, {"role": "editor"}, follow=True)
    assert "Bob is editor here now." in toast(answer.content.decode())
    undo(cast.alice, answer.content.decode())
    assert getattr(place_of(cast, cast.bob), "role", "") == "viewer"


@pytest.mark.parametrize("role", ["owner", "", "\x00", "x" * 500])
def test_a_role_that_there_is_not_is_refused(cast: Cast, role: str) -> None:
    cast.let_bob_in("viewer")
    member = place_of(cast, cast.bob)
    assert member
    address = f"/w/{cast.team}/settings/members/{member.id}/role/"
    assert cast.alice.browser.post(address, {"role": role}).status_code == 422


def test_nobody_of_another_organisation_is_let_in(cast: Cast) -> None:
    body = {"person": str(cast.charlie.user.id), "role": "member"}
    answer = cast.alice.browser.post(f"/w/{cast.team}/settings/members/", body)
    assert answer.status_code == 422
    assert "Charlie" not in answer.content.decode()


def test_members_are_found_by_name_as_page_and_as_fragment(cast: Cast) -> None:
    cast.let_bob_in()
    address = f"/w/{cast.team}/settings/?q=bo"
    whole, part = page(cast.alice, address), page(cast.alice, address, fragment=True)
    assert "<html" in whole
    assert "<html" not in part
    for text in (whole, part):
        assert "<strong>Bob</strong>" in text
        assert "<strong>Alice</strong>" not in text
    assert "Nobody here has this name." in page(cast.alice, f"/w/{cast.team}/settings/?q=zzz")


def test_who_leaves_sees_first_what_happens_and_then_is_out(cast: Cast) -> None:
    cast.let_bob_in("member")
    address = f"/w/{cast.team}/settings/leave/"
    assert "an admin of it has to let you in again" in page(cast.bob, address)
    assert place_of(cast, cast.bob)
    assert cast.bob.browser.post(address).status_code == 302
    assert place_of(cast, cast.bob) is None
    assert cast.bob.browser.get(f"/w/{cast.team}/").status_code == 404


def test_the_only_admin_is_told_who_takes_over(cast: Cast) -> None:
    cast.let_bob_in("editor")
    assert "You are its only admin" in page(cast.alice, f"/w/{cast.team}/settings/leave/")
    cast.alice.browser.post(f"/w/{cast.team}/settings/leave/")
    assert "Let somebody in" in page(cast.bob, f"/w/{cast.team}/settings/")


def test_who_takes_themselves_out_is_led_to_the_page_that_says_what_that_means(cast: Cast) -> None:
    member = place_of(cast, cast.alice)
    assert member
    answer = cast.alice.browser.post(f"/w/{cast.team}/settings/members/{member.id}/remove/", follow=True)
    assert "Close it instead" in answer.content.decode()
    assert place_of(cast, cast.alice)
    assert cast.alice.browser.post(f"/w/{cast.team}/settings/leave/").status_code == 422


@pytest.mark.parametrize("kind", ["personal", "organisation"])
def test_what_is_no_teams_is_not_left(cast: Cast, kind: str) -> None:
    with cast.alice.scope() as held:
        workspace = held.of_kind(kind)[0]
    assert cast.alice.browser.get(f"/w/{workspace}/settings/").status_code == 200
    assert cast.alice.browser.get(f"/w/{workspace}/settings/leave/").status_code == 404
    assert cast.alice.browser.post(f"/w/{workspace}/settings/leave/").status_code == 404


def test_a_closed_workspace_leaves_the_lists_and_comes_back(cast: Cast) -> None:
    cast.let_bob_in("editor")
    lists = f"/w/{cast.alice.personal}/workspaces/"
    assert "Research" in page(cast.alice, lists)
    assert cast.bob.browser.post(f"/w/{cast.team}/settings/close/").status_code == 403
    closed = cast.alice.browser.post(f"/w/{cast.team}/settings/close/", follow=True)
    assert "Research is closed." in toast(closed.content.decode())
    assert "Research" not in page(cast.alice, lists, fragment=True)
    assert cast.bob.browser.get(f"/w/{cast.team}/").status_code == 404
    assert "Research" in page(cast.alice, f"{lists}?closed=1", fragment=True)
    assert "Research" not in page(cast.bob, f"/w/{cast.bob.personal}/workspaces/?closed=1", fragment=True)
    there = f"/w/{cast.bob.personal}/workspaces/{cast.team}/reopen/"
    assert cast.bob.browser.post(there).status_code in {403, 404}
    undo(cast.alice, closed.content.decode())
    assert "Research" in page(cast.bob, f"/w/{cast.team}/settings/")


def test_one_form_that_is_forged_changes_nothing(cast: Cast, forged: Any) -> None:
    forged(cast.alice, f"/w/{cast.team}/settings/", {"name": "Theirs"})
    forged(cast.alice, f"/w/{cast.team}/settings/close/", {})
    with cast.alice.scope():
        assert Workspace.objects.get(id=cast.team).name == "Research"


def test_a_workspace_of_ones_own_has_nobody_to_let_in(cast: Cast) -> None:
    text = page(cast.alice, f"/w/{cast.alice.personal}/settings/")
    assert "Nobody is let into it" in text
    body = {"person": str(cast.bob.user.id), "role": "member"}
    answer = cast.alice.browser.post(f"/w/{cast.alice.personal}/settings/members/", body)
    assert answer.status_code in {403, 404, 422}
    with cast.bob.scope() as held:
        assert cast.alice.personal not in held.workspaces


def test_the_list_of_workspaces_is_filtered_in_the_address(cast: Cast) -> None:
    with cast.alice.scope():
        services.open_workspace(name="Greenhouse")
    text = page(cast.alice, f"/w/{cast.alice.personal}/workspaces/?q=green", fragment=True)
    assert "Greenhouse" in text
    assert "Research" not in text
    assert "No workspace has this name." in page(
        cast.alice, f"/w/{cast.alice.personal}/workspaces/?q={uuid.uuid4().hex}"
    )
