"""Proposals over the API: made where one may not write, listed, looked at, decided."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from memory.actors import Actor, person
from memory.models import Block
from memory.operations import Append, Replace
from tests.api_calls import call, everything, get, post, problem, state_of
from tests.cast import Cast, Person
from tests.memory.remembering import new_block, proposed


@pytest.fixture
def block(cast: Cast) -> str:
    """The id of a block of the team's; Bob is a member."""
    cast.let_bob_in("member")
    return str(new_block(cast.alice, "one\ntwo\nthree", cast.team, label="project", limit=60).id)


def suggest(person: Person, block: str, content: str = "four", **more: str) -> Any:
    body = {"operation": "append", "content": content, **more}
    return post(person, f"blocks/{block}/operations/", body, 202)


def change(person: Person, block: str, value: str) -> Any:
    version = get(person, f"blocks/{block}/")["version"]
    return call(person, "PATCH", f"blocks/{block}/", {"value": value}, If_Match=f'"{version}"')


def refused(person: Person, path: str, status: int, body: Any = None) -> dict[str, Any]:
    before = state_of(person.identity.tenant_id)
    found = problem(call(person, "POST", path, body), status)
    assert state_of(person.identity.tenant_id) == before
    return found


def test_a_members_write_is_202_and_waits(cast: Cast, block: str) -> None:
    made = suggest(cast.bob, block, reason="It is so.")
    assert (made["block"], made["label"], made["base"], made["status"]) == (block, "project", 1, "open")
    assert (made["operation"], made["arguments"]) == ("append", {"content": "four"})
    assert (made["value"], made["reason"]) == ("one\ntwo\nthree\nfour", "It is so.")
    assert made["actor"] == {"kind": "user", "id": str(cast.bob.user.id)}
    assert get(cast.alice, f"blocks/{block}/")["value"] == "one\ntwo\nthree"
    edited = change(cast.bob, block, "mine")
    assert (edited.status_code, edited.json()["arguments"]) == (202, {"fields": {"value": "mine"}})
    assert [each["id"] for each in everything(cast.alice, "proposals/?limit=1")] == [
        made["id"],
        edited.json()["id"],
    ]


def test_it_lists_by_workspace_block_and_status(cast: Cast, block: str) -> None:
    first, second = suggest(cast.bob, block), suggest(cast.bob, block, "five")
    mine = new_block(cast.alice, governance="propose")
    own = proposed(cast.alice, mine, Append("x"))
    post(cast.alice, f"proposals/{first['id']}/reject/", {"note": "No."}, 200)

    def listed(person: Person, query: str = "") -> list[str]:
        return [each["id"] for each in everything(person, f"proposals/{query}")]

    assert listed(cast.alice) == [second["id"], str(own.id)]
    assert listed(cast.bob) == [second["id"]]
    assert listed(cast.charlie) == []
    assert listed(cast.alice, f"?workspace={cast.team}") == [second["id"]]
    assert listed(cast.alice, f"?block={mine.id}") == [str(own.id)]
    assert listed(cast.alice, "?status=rejected") == [first["id"]]
    problem(call(cast.bob, "GET", f"proposals/?block={mine.id}"), 404)
    problem(call(cast.bob, "GET", f"proposals/?workspace={cast.alice.personal}"), 404)
    problem(call(cast.bob, "GET", "proposals/?status=lost"), 400)


def test_it_shows_what_approving_would_do(cast: Cast, block: str) -> None:
    made = suggest(cast.bob, block)
    assert get(cast.bob, f"proposals/{made['id']}/")["preview"]["has_moved"] is False
    change(cast.alice, block, "zero\none\ntwo\nthree")
    preview = get(cast.bob, f"proposals/{made['id']}/")["preview"]
    assert (preview["version"], preview["has_moved"], preview["is_clean"]) == (2, True, True)
    assert (preview["base"], preview["mine"]) == ("one\ntwo\nthree", "one\ntwo\nthree\nfour")
    assert preview["merged"] == "zero\none\ntwo\nthree\nfour"
    post(cast.alice, f"proposals/{made['id']}/approve/", {"version": 2}, 200)
    decided = get(cast.bob, f"proposals/{made['id']}/")
    assert (decided["preview"], decided["status"]) == (None, "approved")
    version = get(cast.bob, f"blocks/{block}/versions/3/")
    assert (version["id"], version["proposal"]) == (decided["made"], made["id"])
    assert version["approved_by"] == str(cast.alice.user.id)


def test_a_conflict_is_409_with_all_texts_and_is_settled_by_another(cast: Cast, block: str) -> None:
    proposal = proposed(cast.bob, _block(cast, block), Replace("two", "2"), actor=_bob(cast))
    change(cast.alice, block, "one\nTWO!\nthree")
    path = f"proposals/{proposal.id}/approve/"
    found = refused(cast.alice, path, 409)
    assert (found["base"], found["theirs"], found["mine"]) == (
        "one\ntwo\nthree",
        "one\nTWO!\nthree",
        "one\n2\nthree",
    )
    assert (found["merged"], found["version"]) == (None, 2)
    stale = refused(cast.alice, path, 409, {"value": "one\n2!\nthree"})
    assert stale["version"] == 2
    settled = post(cast.alice, path, {"value": "one\n2!\nthree", "version": 2}, 200)
    assert (settled["value"], settled["version"]) == ("one\n2!\nthree", 3)
    assert refused(cast.alice, path, 409)["detail"].startswith("Somebody has decided")


def test_a_stale_edit_is_409_with_the_merge(cast: Cast, block: str) -> None:
    change(cast.alice, block, "one\ntwo\n3")
    body = {"value": "1\ntwo\nthree"}
    conflict = problem(call(cast.alice, "PATCH", f"blocks/{block}/", body, If_Match='"1"'), 409)
    assert conflict["merged"] == "1\ntwo\n3"
    torn = problem(call(cast.alice, "PATCH", f"blocks/{block}/", {"value": "x"}, If_Match='"1"'), 409)
    assert torn["merged"] is None


def test_only_editors_decide_and_only_who_asked_takes_it_back(cast: Cast, block: str) -> None:
    made = suggest(cast.bob, block)
    path = f"proposals/{made['id']}"
    for verb in ("approve", "reject", "reopen"):
        assert "editor" in refused(cast.bob, f"{path}/{verb}/", 403)["detail"]
        refused(cast.charlie, f"{path}/{verb}/", 404)
    refused(cast.alice, f"{path}/withdraw/", 403)
    refused(cast.alice, f"{path}/reopen/", 409)
    assert post(cast.alice, f"{path}/reject/", {"note": "No."}, 200)["note"] == "No."
    assert post(cast.alice, f"{path}/reopen/", None, 200)["status"] == "open"
    assert post(cast.bob, f"{path}/withdraw/", None, 200)["status"] == "withdrawn"
    for verb in ("approve", "reject", "reopen", "withdraw"):
        refused(cast.alice if verb != "withdraw" else cast.bob, f"{path}/{verb}/", 409)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("approve", {"value": 5}, 400),
        ("approve", {"value": "x", "version": "1"}, 400),
        ("approve", {"version": 0}, 400),
        ("approve", {"version": 2**40}, 400),
        ("approve", {"version": 7}, 409),
        ("approve", {"value": "x" * 61}, 422),
        ("approve", {"force": True}, 400),
        ("reject", {"note": "x" * 1001}, 400),
        ("reject", {"note": None}, 400),
        ("withdraw", {"why": "so"}, 400),
    ],
)
def test_it_refuses_and_changes_nothing(
    cast: Cast, block: str, path: str, body: dict[str, Any], status: int
) -> None:
    refused(cast.alice, f"proposals/{suggest(cast.bob, block)['id']}/{path}/", status, body)


def test_it_knows_no_proposal_that_is_not_there(cast: Cast) -> None:
    problem(call(cast.alice, "GET", f"proposals/{uuid.uuid4()}/"), 404)
    refused(cast.alice, f"proposals/{uuid.uuid4()}/approve/", 404)


def _block(cast: Cast, block: str) -> Any:
    with cast.alice.scope():
        return Block.objects.get(id=block)


def _bob(cast: Cast) -> Actor:
    return person(cast.bob.user.id)
