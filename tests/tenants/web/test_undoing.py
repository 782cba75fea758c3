"""What was saved about a person, a workspace or an organisation goes back by the note that says so."""

from __future__ import annotations

from typing import Any

import pytest

from tenants.models import Membership, Tenant, Workspace, WorkspaceMember
from tests.cast import Cast, Person
from tests.tenants.web.pages import toast, undo


def sent(person: Person, address: str, body: dict[str, Any]) -> str:
    answer = person.browser.post(address, body, follow=True)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_the_name_of_a_workspace_goes_back(cast: Cast) -> None:
    page = sent(cast.alice, f"/w/{cast.team}/settings/", {"name": "花园 & Garden"})
    assert toast(page) == "Saved."
    undo(cast.alice, page)
    with cast.alice.scope():
        assert Workspace.objects.get(id=cast.team).name == "Research"


def test_a_workspace_that_was_opened_is_closed(alice: Person) -> None:
    page = sent(alice, f"/w/{alice.personal}/workspaces/new/", {"name": "Garden"})
    undo(alice, page)
    with alice.scope():
        assert not Workspace.objects.filter(name="Garden").exists()


def test_who_was_let_in_is_out_again(cast: Cast) -> None:
    body = {"person": cast.bob.user.id, "role": "editor"}
    page = sent(cast.alice, f"/w/{cast.team}/settings/members/", body)
    assert "Bob is in now: editor." in toast(page)
    undo(cast.alice, page)
    with cast.alice.scope():
        assert not WorkspaceMember.objects.filter(workspace_id=cast.team, user_id=cast.bob.user.id).exists()


def test_what_an_organisation_allows_goes_back(alice: Person) -> None:
    with alice.scope():
        before = Tenant.objects.get().name
    address = f"/w/{alice.personal}/settings/organisation/"
    page = sent(alice, address, {"name": "New name", "operators_read": "on"})
    sent(alice, address, {"name": "New name", "operators_read": "on", "admins_read_chats": "on"})
    undo(alice, page)
    with alice.scope():
        tenant = Tenant.objects.get()
    assert (tenant.name, tenant.operators_read, tenant.admins_read_chats) == (before, False, False)


def test_a_profile_goes_back(alice: Person) -> None:
    page = sent(alice, "/me/", {"name": "Ada", "language": "zh-hans", "time_zone": "UTC", "theme": "dark"})
    assert "撤销" in page
    address = page.split('class="toast"')[1].split('action="')[1].split('"')[0].replace("&amp;", "&")
    alice.browser.post(address)
    alice.user.refresh_from_db()
    with alice.scope():
        assert Membership.objects.get(user=alice.user).name == "Alice"
    assert (alice.user.language, alice.user.theme, alice.user.shortcuts) == ("", "", True)


@pytest.mark.parametrize("address", ["/w/{team}/settings/", "/w/{home}/settings/organisation/", "/me/"])
def test_a_form_that_changes_nothing_offers_no_way_back(cast: Cast, address: str) -> None:
    with cast.alice.scope():
        tenant = Tenant.objects.get()
    names = {"/me/": "Alice", "/w/{team}/settings/": "Research"}
    body = {"name": names.get(address, tenant.name), "time_zone": "UTC", "shortcuts": "on"}
    page = sent(cast.alice, address.format(team=cast.team, home=cast.alice.personal), body)
    assert toast(page) == "Saved."
    assert "Undo" not in page.split('id="toasts"')[1].split("</main>")[0]


def test_an_address_that_says_nothing_undoes_nothing(cast: Cast) -> None:
    for address in (f"/w/{cast.team}/settings/", f"/w/{cast.alice.personal}/settings/organisation/", "/me/"):
        assert cast.alice.browser.post(address).status_code == 422
    with cast.alice.scope():
        assert Workspace.objects.get(id=cast.team).name == "Research"
