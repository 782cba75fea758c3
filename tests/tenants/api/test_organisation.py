"""The organisation over the API: workspaces, members, people, invitations, keys; and which keys govern."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

import pytest
from django.core import mail

from tenants import invitations, keys
from tenants.authentication import find_key
from tenants.models import Membership
from tests.cast import Cast, Client, Person
from tests.tenants.governing import actions, join, newcomer, seat

ROOT = "/api/v1/"
JSON = "application/json"


def call(person: Person, verb: str, path: str, body: Any = None, status: int = 200) -> Any:
    """One call with a person's key, and its answer."""
    sent = {} if body is None else {"data": json.dumps(body)}
    answer = getattr(person.api, verb)(f"{ROOT}{path}", content_type=JSON, **sent)
    assert answer.status_code == status, (answer.status_code, answer.content)
    return json.loads(answer.content or "null")


def program(person: Person, *scopes: str, **more: Any) -> Client:
    """A client with a key that has only these scopes."""
    with person.scope():
        secret = keys.create_key(name="limited", scopes=scopes, **more)
    return Client(headers={"Authorization": f"Bearer {secret}"})


GOVERNED = {
    "get": ("people/", "invitations/", "keys/", "audit/", "audit/export/"),
    "post": ("workspaces/", "invitations/", "keys/"),
    "patch": ("organisation/",),
}


def test_what_governs_needs_the_scope_manage(cast: Cast) -> None:
    usual, governing = program(cast.alice, "read", "write"), program(cast.alice, "manage")
    for verb, paths in GOVERNED.items():
        for path in paths:
            sent = {} if verb == "get" else {"data": "{}", "content_type": JSON}
            refused = getattr(usual, verb)(f"{ROOT}{path}", **sent)
            assert refused.status_code == 403, path
            assert refused.json()["detail"] == "This key lacks the scope manage."
            assert getattr(governing, verb)(f"{ROOT}{path}", **sent).status_code in {200, 400}, path
    for path in ("organisation/", "workspaces/", f"workspaces/{cast.team}/members/"):
        assert usual.get(f"{ROOT}{path}").status_code == 200, path
        assert governing.get(f"{ROOT}{path}").status_code == 403, path


def test_a_workspace_from_its_beginning_to_its_end(cast: Cast) -> None:
    made = call(cast.bob, "post", "workspaces/", {"name": "Garden"}, 201)
    assert (made["kind"], made["role"]) == ("team", "admin")
    here = f"workspaces/{made['id']}/"
    assert call(cast.bob, "get", here)["name"] == "Garden"
    assert call(cast.bob, "patch", here, {"name": "Orchard"})["name"] == "Orchard"
    ids = {each["id"] for each in call(cast.bob, "get", "workspaces/")["results"]}
    assert ids == {made["id"], str(cast.bob.personal), str(cast.organisation)}
    call(cast.alice, "get", here, status=404)
    call(cast.bob, "delete", here, status=204)
    call(cast.bob, "get", here, status=404)
    (closed,) = call(cast.bob, "get", "workspaces/?closed=true")["results"]
    assert (closed["id"], closed["role"]) == (made["id"], None)
    call(cast.alice, "post", f"{here}reopen/", status=404)
    assert call(cast.bob, "post", f"{here}reopen/")["role"] == "admin"
    assert call(cast.bob, "get", here)["closed_at"] is None


def test_members_of_a_workspace(cast: Cast) -> None:
    here, bob = f"workspaces/{cast.team}/members/", str(seat(cast.alice, cast.bob).id)
    added = call(cast.alice, "post", here, {"person": bob, "role": "viewer"}, 201)
    assert added == {"person": bob, "user": str(cast.bob.user.id), "name": "Bob", "role": "viewer"}
    assert [each["name"] for each in call(cast.bob, "get", here)["results"]] == ["Alice", "Bob"]
    call(cast.bob, "patch", f"{here}{bob}/", {"role": "admin"}, 403)
    assert call(cast.alice, "patch", f"{here}{bob}/", {"role": "editor"})["role"] == "editor"
    call(cast.alice, "patch", f"{here}{bob}/", {"role": "king"}, 400)
    alice = seat(cast.alice, cast.alice).id
    problem = call(cast.alice, "patch", f"{here}{alice}/", {"role": "viewer"}, 409)
    assert problem["detail"] == "A workspace keeps an admin. Make somebody else one first."
    call(cast.bob, "delete", f"{here}{bob}/", status=204)
    call(cast.bob, "get", here, status=404)
    call(cast.alice, "delete", f"workspaces/{cast.organisation}/members/{bob}/", status=409)
    call(
        cast.alice,
        "post",
        f"workspaces/{cast.alice.personal}/members/",
        {"person": bob, "role": "viewer"},
        409,
    )


def test_people_and_their_roles(cast: Cast) -> None:
    admin = join(cast, "Ada", "admin")
    bob, alice = seat(cast.alice, cast.bob).id, seat(cast.alice, cast.alice).id
    seen = {each["name"]: each["email"] for each in call(cast.bob, "get", "people/")["results"]}
    assert seen == {"Alice": None, "Ada": None, "Bob": cast.bob.user.email}
    seen = {each["name"]: each["email"] for each in call(admin, "get", "people/")["results"]}
    assert seen["Alice"] == cast.alice.user.email
    assert call(admin, "patch", f"people/{bob}/", {"role": "auditor"})["role"] == "auditor"
    call(admin, "patch", f"people/{bob}/", {"role": "owner"}, 403)
    call(admin, "patch", f"people/{alice}/", {"role": "member"}, 403)
    call(cast.alice, "patch", f"people/{alice}/", {"role": "member"}, 409)
    call(cast.alice, "delete", f"people/{alice}/", status=409)
    leaving = call(cast.alice, "get", f"people/{bob}/leaving/")
    assert (leaving["private"]["name"], leaving["keys"], leaving["is_last_owner"]) == ("Bob", 1, False)
    call(admin, "delete", f"people/{bob}/", status=204)
    assert find_key(cast.bob.key) is None
    call(admin, "get", f"people/{bob}/", status=404)
    call(admin, "post", f"people/{alice}/ownership/", status=403)
    ada = seat(cast.alice, admin).id
    assert call(cast.alice, "post", f"people/{ada}/ownership/")["role"] == "owner"
    assert call(admin, "get", f"people/{alice}/")["role"] == "admin"


def test_somebody_leaves_by_their_own_key(cast: Cast) -> None:
    call(cast.bob, "delete", f"people/{seat(cast.alice, cast.bob).id}/", status=204)
    call(cast.bob, "get", "workspaces/", status=401)
    assert actions(cast.alice)[0] == "person.left"


def test_an_invitation_over_the_api(cast: Cast) -> None:
    user = newcomer()
    wanted = {"email": user.email, "role": "member", "workspace": str(cast.team), "send": True}
    made = call(cast.alice, "post", "invitations/", wanted, 201)
    token = made["link"].rstrip("/").rpartition("/")[2]
    assert made["link"].startswith("http://testserver/join/")
    assert made["sent"] is True
    assert mail.outbox[-1].to == [user.email]
    assert [each["id"] for each in call(cast.alice, "get", "invitations/")["results"]] == [made["id"]]
    again = call(cast.alice, "post", f"invitations/{made['id']}/renew/", {})
    with pytest.raises(invitations.BadInvitation):
        invitations.read(token)
    fresh = again["link"].rstrip("/").rpartition("/")[2]
    assert invitations.read(fresh).workspace_name == "Research"
    call(cast.alice, "delete", f"invitations/{made['id']}/", status=204)
    with pytest.raises(invitations.BadInvitation):
        invitations.read(fresh)
    assert call(cast.alice, "get", "invitations/")["results"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"email": "a" * 300}, "email"),
        ({"role": "owner"}, "role"),
        ({"days": 0}, "days"),
        ({"days": 10**12}, "days"),
        ({"workspace": "x"}, "workspace"),
        ({"workspace_role": "owner"}, "workspace_role"),
        ({"send": "yes"}, "send"),
        ({"more": 1}, "more"),
    ],
    ids=str,
)
def test_a_wrong_invitation_is_refused_by_its_field(cast: Cast, change: dict[str, Any], field: str) -> None:
    problem = call(cast.alice, "post", "invitations/", {"email": "x@example.com"} | change, 400)
    assert list(problem["errors"]) == [field]


def test_who_may_not_invite_hears_so(cast: Cast) -> None:
    call(cast.bob, "post", "invitations/", {"email": "x@example.com"}, 403)
    call(cast.bob, "get", "invitations/", status=403)
    call(cast.alice, "post", "invitations/", {"email": cast.bob.user.email}, 409)


def test_a_key_makes_keys_that_are_shown_once(cast: Cast) -> None:
    wanted = {"name": "Importer", "scopes": ["read"], "workspaces": [str(cast.team)]}
    made = call(cast.alice, "post", "keys/", wanted, 201)
    found = find_key(made["secret"])
    assert found is not None
    assert (found[0].reach, found[1]) == (frozenset({cast.team}), ["read"])
    listed = call(cast.alice, "get", "keys/")["results"]
    assert listed[0]["name"] == "Importer"
    assert made["secret"] not in json.dumps(listed)
    call(cast.alice, "delete", f"keys/{made['id']}/", status=204)
    assert find_key(made["secret"]) is None
    call(cast.bob, "delete", f"keys/{listed[1]['id']}/", status=404)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"workspaces": []}, "workspaces"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "soon"}, "expires_at"),
    ],
    ids=str,
)
def test_a_wrong_key_is_refused_by_its_field(cast: Cast, change: dict[str, Any], field: str) -> None:
    problem = call(cast.alice, "post", "keys/", {"name": "x"} | change, 400)
    assert list(problem["errors"]) == [field]


def test_a_narrowed_key_governs_its_workspace_and_nothing_else(cast: Cast) -> None:
    narrow = program(cast.alice, *keys.SCOPES, workspace_ids=[cast.team])
    assert [each["id"] for each in narrow.get(f"{ROOT}workspaces/").json()["results"]] == [str(cast.team)]
    sent = {"data": json.dumps({"name": "x"}), "content_type": JSON}
    assert narrow.patch(f"{ROOT}workspaces/{cast.team}/", **sent).status_code == 200
    assert narrow.patch(f"{ROOT}workspaces/{cast.organisation}/", **sent).status_code == 404
    for verb, path in (
        ("get", "keys/"),
        ("post", "keys/"),
        ("patch", "organisation/"),
        ("post", "workspaces/"),
        ("get", "invitations/"),
        ("get", "organisation/"),
        ("get", "people/"),
        ("get", "audit/"),
        ("get", "audit/export/"),
    ):
        assert getattr(narrow, verb)(f"{ROOT}{path}", **(sent if verb != "get" else {})).status_code == 403, (
            path
        )
    mine = Membership(id=seat(cast.alice, cast.alice).id)
    refused = narrow.delete(f"{ROOT}people/{mine.id}/")
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        "This key is narrowed to some workspaces.",
    )


def test_only_an_owner_opens_chats_to_admins(cast: Cast) -> None:
    admin = join(cast, "Ada", "admin")
    assert call(admin, "patch", "organisation/", {"name": "Acme"})["name"] == "Acme"
    for field in ("admins_read_chats", "operators_read"):
        call(admin, "patch", "organisation/", {field: True}, 403)
        assert call(cast.alice, "patch", "organisation/", {field: True})[field] is True
    assert call(cast.bob, "get", "organisation/")["admins_read_chats"] is True
    call(cast.bob, "patch", "organisation/", {"name": "Bob's"}, 403)
    call(cast.alice, "patch", "organisation/", {"name": "", "operators_read": "no"}, 400)


def test_the_log_is_listed_filtered_paged_and_taken_as_a_file(cast: Cast) -> None:
    auditor = join(cast, "Otto", "auditor")
    call(cast.alice, "patch", f"workspaces/{cast.team}/", {"name": "Discovery"})
    page = call(auditor, "get", "audit/?limit=2")
    assert len(page["results"]) == 2
    following = call(auditor, "get", page["next"].partition(ROOT)[2])["results"]
    assert page["results"][-1]["id"] > following[0]["id"]
    (event,) = call(auditor, "get", f"audit/?action=workspace.renamed&object={cast.team}")["results"]
    assert (event["actor_name"], event["actor_kind"], event["address"]) == ("Alice", "key", "127.0.0.1")
    assert call(auditor, "get", f"audit/?actor={uuid.uuid4()}")["results"] == []
    assert call(auditor, "get", "audit/?until=2001-01-01T00:00:00Z")["results"] == []
    for wrong in ("action=A%25", "since=yesterday", "actor=x", "more=1", "cursor=x"):
        call(auditor, "get", f"audit/?{wrong}", status=400)
    lines = export(auditor, "action=workspace.")
    assert [json.loads(line)["action"] for line in lines][-1] == "workspace.renamed"
    assert export(auditor, "format=csv")[0].startswith("\ufeffid,at,")
    assert actions(cast.alice)[0] == "audit.exported"


def export(person: Person, query: str) -> list[str]:
    answer = person.api.get(f"{ROOT}audit/export/?{query}")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]

    async def gather() -> bytes:
        return b"".join([piece async for piece in answer])

    return asyncio.run(gather()).decode().splitlines()


def test_a_member_gets_of_the_log_what_concerns_them(cast: Cast) -> None:
    cast.let_bob_in("viewer")
    mine = call(cast.bob, "get", "audit/")["results"]
    assert {each["subject_id"] for each in mine} == {str(cast.bob.user.id)}
    assert [each["action"] for each in mine] == ["member.added", "person.added"]
    assert [json.loads(line)["action"] for line in export(cast.bob, "")] == ["person.added", "member.added"]
