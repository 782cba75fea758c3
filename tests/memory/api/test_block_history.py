"""A block's past over the API: versions, diff, blame, going back; moving, copying, and coming back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from memory import core
from tests.api_calls import call, get, post, problem, state_of
from tests.cast import Cast, Person
from tests.memory.remembering import new_block


@pytest.fixture
def block(cast: Cast) -> str:
    """The id of a block of the team's with three versions; Bob is a member."""
    cast.let_bob_in("member")
    made = new_block(cast.alice, "名字：李雷", cast.team, label="project")
    for line in ("城市：根特", "喜欢：茶"):
        operation = {"operation": "append", "content": line}
        post(cast.alice, f"blocks/{made.id}/operations/", operation, 200)
    return str(made.id)


def refused(person: Person, verb: str, path: str, status: int, body: Any = None) -> dict[str, Any]:
    """A refusal that changed nothing."""
    before = state_of(person.identity.tenant_id)
    found = problem(call(person, verb, path, body), status)
    assert state_of(person.identity.tenant_id) == before
    return found


def test_it_answers_one_version(cast: Cast, block: str) -> None:
    version = get(cast.bob, f"blocks/{block}/versions/2/")
    assert (version["number"], version["value"]) == (2, "名字：李雷\n城市：根特")
    assert (version["proposal"], version["approved_by"]) == (None, None)
    for number in (0, 4, 2**31, 10**12):
        assert call(cast.bob, "GET", f"blocks/{block}/versions/{number}/").status_code in {400, 404}
    problem(call(cast.charlie, "GET", f"blocks/{block}/versions/2/"), 404)


def test_it_compares_any_two_versions_word_by_word(cast: Cast, block: str) -> None:
    found = get(cast.bob, f"blocks/{block}/diff/1/3/")
    assert found["runs"] == [
        {"kind": "same", "text": "名字：李雷"},
        {"kind": "inserted", "text": "\n城市：根特\n喜欢：茶"},
    ]
    assert get(cast.bob, f"blocks/{block}/diff/3/1/")["runs"][1]["kind"] == "deleted"
    assert get(cast.bob, f"blocks/{block}/diff/0/1/")["runs"] == [{"kind": "inserted", "text": "名字：李雷"}]
    problem(call(cast.bob, "GET", f"blocks/{block}/diff/1/9/"), 404)
    problem(call(cast.charlie, "GET", f"blocks/{block}/diff/1/3/"), 404)


def test_it_says_whose_each_line_is(cast: Cast, block: str) -> None:
    found = get(cast.bob, f"blocks/{block}/blame/")
    assert found["version"] == 3
    assert [(line["text"], line["version"], line["who"]) for line in found["lines"]] == [
        ("名字：李雷", 1, "Alice"),
        ("城市：根特", 2, "Alice"),
        ("喜欢：茶", 3, "Alice"),
    ]
    assert found["lines"][0]["actor"] == {"kind": "user", "id": str(cast.alice.user.id)}


def test_it_goes_back(cast: Cast, block: str) -> None:
    undone = call(cast.alice, "POST", f"blocks/{block}/versions/3/undo/")
    assert (undone.status_code, undone.headers["ETag"]) == (200, '"4"')
    assert undone.json()["value"] == "名字：李雷\n城市：根特"
    assert post(cast.alice, f"blocks/{block}/versions/1/restore/", {}, 200)["value"] == "名字：李雷"
    conflict = refused(cast.alice, "POST", f"blocks/{block}/versions/2/undo/", 409)
    assert (conflict["mine"], conflict["theirs"], conflict["version"]) == ("名字：李雷", "名字：李雷", 5)
    assert refused(cast.alice, "POST", f"blocks/{block}/versions/1/undo/", 422)["code"] == "bad_operation"
    refused(cast.alice, "POST", f"blocks/{block}/versions/9/restore/", 404)
    refused(cast.alice, "POST", f"blocks/{block}/versions/2/restore/", 400, {"why": "so"})


@pytest.mark.parametrize("path", ["versions/1/restore/", "versions/3/undo/"])
def test_a_member_may_propose_to_go_back(cast: Cast, block: str, path: str) -> None:
    made = post(cast.bob, f"blocks/{block}/{path}", {}, 202)
    assert (made["status"], made["operation"]) == ("open", path.split("/")[2])
    assert get(cast.bob, f"blocks/{block}/")["version"] == 3


def test_a_deleted_block_is_read_and_comes_back(cast: Cast, block: str) -> None:
    with cast.alice.scope():
        core.delete_block(uuid.UUID(block))
    assert get(cast.bob, f"blocks/{block}/")["retired_at"] is not None
    assert len(get(cast.bob, f"blocks/{block}/versions/")["results"]) == 3
    append = {"operation": "append", "content": "x"}
    assert refused(cast.alice, "POST", f"blocks/{block}/operations/", 409, append)["code"] == "deleted"
    refused(cast.alice, "POST", f"blocks/{block}/versions/1/restore/", 409)
    refused(cast.bob, "POST", f"blocks/{block}/return/", 403)
    assert post(cast.alice, f"blocks/{block}/return/", {}, 200)["retired_at"] is None
    post(cast.alice, f"blocks/{block}/operations/", append, 200)


def test_it_moves_and_copies(cast: Cast, block: str) -> None:
    place = {"workspace": str(cast.alice.personal)}
    told = get(cast.alice, f"blocks/{block}/move/?workspace={cast.alice.personal}")
    assert told == {"versions": 3, "open_proposals": 0, "readers": [], "no_longer": ["Bob"]}
    copied = post(cast.alice, f"blocks/{block}/copy/", place)
    assert (copied["version"], copied["workspace"]) == (1, str(cast.alice.personal))
    assert get(cast.bob, f"blocks/{block}/")["id"] == block
    moved = post(cast.alice, f"blocks/{block}/move/", place, 200)
    assert (moved["version"], moved["workspace"]) == (3, str(cast.alice.personal))
    problem(call(cast.bob, "GET", f"blocks/{block}/"), 404)


@pytest.mark.parametrize("verb", ["move", "copy"])
def test_it_moves_and_copies_nothing_that_one_may_not(cast: Cast, block: str, verb: str) -> None:
    path = f"blocks/{block}/{verb}/"
    refused(cast.bob, "POST", path, 403, {"workspace": str(cast.bob.personal)})
    for place in (cast.bob.personal, cast.charlie.personal, uuid.uuid4()):
        refused(cast.alice, "POST", path, 404, {"workspace": str(place)})
    refused(cast.alice, "POST", path, 400, {"workspace": str(cast.team)})
    wrong: list[Any] = [{}, {"workspace": "team"}, {"workspace": None}, {"place": str(cast.team)}]
    for body in wrong:
        refused(cast.alice, "POST", path, 400, body)
