"""Blocks over the API: listed, read, and changed by version."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_calls import call, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent


@pytest.fixture
def block(alice: Person) -> Any:
    """A block of Alice's agent."""
    agent = new_agent(alice)
    return post(alice, f"agents/{agent.id}/blocks/", {"label": "project", "value": "One.", "limit": 20})


def change(person: Person, block: Any, body: dict[str, Any], version: str = '"1"') -> Any:
    return call(person, "PATCH", f"blocks/{block['id']}/", body, If_Match=version)


def test_it_answers_the_version_as_etag(alice: Person, block: Any) -> None:
    assert call(alice, "GET", f"blocks/{block['id']}/").headers["ETag"] == '"1"'
    changed = change(alice, block, {"value": "Two."})
    assert changed.status_code == 200
    assert changed.headers["ETag"] == '"2"'
    assert changed.json()["value"] == "Two."
    assert (changed.json()["used"], changed.json()["limit"]) == (4, 20)


def test_it_shows_three_texts_when_somebody_was_faster(alice: Person, block: Any) -> None:
    change(alice, block, {"value": "Theirs."})
    response = change(alice, block, {"value": "Mine."})
    refused = problem(response, 409)
    assert (refused["base"], refused["theirs"], refused["mine"]) == ("One.", "Theirs.", "Mine.")
    assert refused["version"] == 2
    assert response.headers["ETag"] == '"2"'
    assert change(alice, block, {"value": "Both."}, '"2"').json()["version"] == 3


@pytest.mark.parametrize("tag", ['"1"', 'W/"1"', "1", ' "1" '])
def test_it_takes_the_version_in_every_honest_form(alice: Person, block: Any, tag: str) -> None:
    assert change(alice, block, {"value": "Two."}, tag).status_code == 200


@pytest.mark.parametrize(
    ("tag", "status"),
    [
        ("", 428),
        ("*", 428),
        ("garbage", 412),
        ('"x"', 412),
        ('"1', 412),
        ("-1", 412),
        ('"1", "2"', 412),
        ("1e3", 412),
        ('"' + "9" * 30 + '"', 412),
        ("١", 412),
        ('"7"', 409),
        ('"0"', 409),
        ('"999999999"', 409),
    ],
)
def test_it_changes_nothing_without_the_right_version(
    alice: Person, block: Any, tag: str, status: int
) -> None:
    before = state_of(alice.identity.tenant_id)
    problem(change(alice, block, {"value": "Two."}, tag), status)
    assert state_of(alice.identity.tenant_id) == before


def test_it_needs_a_version(alice: Person, block: Any) -> None:
    problem(call(alice, "PATCH", f"blocks/{block['id']}/", {"value": "Two."}), 428)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"label": ""}, 400),
        ({"label": "</human>"}, 400),
        ({"label": "two words"}, 400),
        ({"label": "persona"}, 400),
        ({"label": "x" * 65}, 400),
        ({"label": None}, 400),
        ({"value": 5}, 400),
        ({"value": "nul \x00"}, 400),
        ({"value": "half \ud800"}, 400),
        ({"value": "x" * 21}, 422),
        ({"value": "x" * 200_001}, 400),
        ({"limit": 3}, 422),
        ({"limit": 0}, 400),
        ({"limit": -1}, 400),
        ({"limit": 1e9}, 400),
        ({"limit": 10**9}, 400),
        ({"limit": 10**30}, 400),
        ({"read_only": "yes"}, 400),
        ({"read_only": 1}, 400),
        ({"description": "x" * 1001}, 400),
        ({"version": 7}, 400),
    ],
)
def test_it_refuses_what_a_block_cannot_be(
    alice: Person, block: Any, body: dict[str, Any], status: int
) -> None:
    before = state_of(alice.identity.tenant_id)
    problem(change(alice, block, body), status)
    assert state_of(alice.identity.tenant_id) == before


def test_it_says_how_much_too_long_a_text_is(alice: Person, block: Any) -> None:
    refused = problem(change(alice, block, {"limit": 3}), 422)
    assert (refused["code"], refused["limit"], refused["over"]) == ("limit_passed", 3, 1)


@pytest.mark.parametrize("label", ["", "</human>", "human", "persona", "a b", "1st", "x" * 65])
def test_it_refuses_labels_that_are_taken_or_no_labels(alice: Person, label: str) -> None:
    agent = new_agent(alice)
    before = state_of(alice.identity.tenant_id)
    refused = problem(call(alice, "POST", f"agents/{agent.id}/blocks/", {"label": label}), 400)
    assert "label" in refused["errors"]
    assert state_of(alice.identity.tenant_id) == before


def test_it_renames_a_label_everywhere(alice: Person, block: Any) -> None:
    assert change(alice, block, {"label": "plan"}).status_code == 200
    agent = get(alice, "agents/")["results"][0]["id"]
    labels = [each["label"] for each in get(alice, f"agents/{agent}/blocks/")["results"]]
    assert sorted(labels) == ["human", "persona", "plan"]


def test_it_lists_blocks_by_agent_label_and_workspace(cast: Cast) -> None:
    mine, ours = new_agent(cast.alice), new_agent(cast.alice, cast.team)
    by_agent = get(cast.alice, f"blocks/?agent={ours.id}")["results"]
    assert sorted(block["label"] for block in by_agent) == ["human", "persona"]
    by_place = get(cast.alice, f"blocks/?workspace={cast.team}")["results"]
    assert [block["label"] for block in by_place] == ["persona"]
    assert len(get(cast.alice, "blocks/?label=persona")["results"]) == 2
    assert len(get(cast.alice, f"blocks/?label=persona&agent={mine.id}")["results"]) == 1
    problem(call(cast.bob, "GET", f"blocks/?agent={ours.id}"), 404)
    problem(call(cast.alice, "GET", "blocks/?colour=red"), 400)
    problem(call(cast.alice, "POST", "blocks/", {"label": "note"}), 405)


def test_it_keeps_a_persons_block_from_the_team(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    blocks = get(cast.alice, f"agents/{agent.id}/blocks/")["results"]
    human = next(block for block in blocks if block["label"] == "human")
    cast.let_bob_in("admin")
    for path in (f"blocks/{human['id']}/", f"blocks/{human['id']}/versions/"):
        problem(call(cast.bob, "GET", path), 404)
    problem(change(cast.bob, human, {"value": "spy"}), 404)
    assert human["id"] not in str(get(cast.bob, "blocks/")) + str(get(cast.bob, f"agents/{agent.id}/blocks/"))


def test_it_lets_a_viewer_read_and_not_write(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    shared = get(cast.alice, f"blocks/?agent={agent.id}&label=persona")["results"][0]
    cast.let_bob_in("viewer")
    assert get(cast.bob, f"blocks/{shared['id']}/") == shared
    before = state_of(cast.alice.identity.tenant_id)
    problem(change(cast.bob, shared, {"value": "spy"}), 403)
    operation = {"operation": "append", "content": "spy"}
    problem(call(cast.bob, "POST", f"blocks/{shared['id']}/operations/", operation), 403)
    assert state_of(cast.alice.identity.tenant_id) == before
