"""Agents over the API: made, read, changed, retired."""

from __future__ import annotations

import uuid

import pytest

from tests.api_calls import call, everything, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent


def test_it_makes_an_agent_with_persona_and_human(alice: Person) -> None:
    made = post(alice, "agents/", {"name": " Memo ", "persona": "I am terse.", "window": 4000})
    assert made["name"] == "Memo"
    assert made["workspace"] == str(alice.personal)
    assert (made["window"], made["window_size"]) == (4000, 4000)
    assert get(alice, f"agents/{made['id']}/") == made
    blocks = get(alice, f"agents/{made['id']}/blocks/")["results"]
    assert [(block["label"], block["value"]) for block in blocks] == [
        ("persona", "I am terse."),
        ("human", ""),
    ]


def test_it_makes_an_agent_in_a_team(cast: Cast) -> None:
    made = post(cast.alice, "agents/", {"name": "Memo", "workspace": str(cast.team)})
    assert made["workspace"] == str(cast.team)
    listed = get(cast.alice, f"agents/?workspace={cast.team}")["results"]
    assert [agent["id"] for agent in listed] == [made["id"]]


def test_it_offers_models_even_before_the_first_agent(alice: Person) -> None:
    offline = get(alice, "models/")["results"][0]
    assert (offline["origin"], offline["provider"]) == ("offline", None)
    made = post(alice, "agents/", {"name": "Memo", "model": offline["id"]})
    assert made["model"] == offline["id"]


def test_it_changes_what_is_named_and_nothing_else(alice: Person) -> None:
    made = post(alice, "agents/", {"name": "Memo", "description": "keeps notes"})
    changed = call(alice, "PATCH", f"agents/{made['id']}/", {"instructions": "Be brief."}).json()
    assert changed == made | {"instructions": "Be brief."}


def test_it_retires_an_agent_and_still_shows_it(alice: Person) -> None:
    agent = new_agent(alice)
    assert call(alice, "DELETE", f"agents/{agent.id}/").status_code == 204
    assert get(alice, "agents/")["results"] == []
    assert get(alice, f"agents/{agent.id}/")["retired_at"]
    problem(call(alice, "PATCH", f"agents/{agent.id}/", {"name": "New"}), 404)
    problem(call(alice, "POST", "conversations/", {"agent": str(agent.id)}), 404)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": 5}, "name"),
        ({"name": None}, "name"),
        ({"name": "Memo", "window": 3999}, "window"),
        ({"name": "Memo", "window": 10**9}, "window"),
        ({"name": "Memo", "window": "many"}, "window"),
        ({"name": "Memo", "window": True}, "window"),
        ({"name": "Memo", "window": 4000.5}, "window"),
        ({"name": "Memo", "window": 2_000_000}, "window"),
        ({"name": "Memo", "model": "offline"}, "model"),
        ({"name": "Memo", "model": 7}, "model"),
        ({"name": "Memo", "persona": "x" * 5001}, "persona"),
        ({"name": "Memo", "colour": "red"}, "colour"),
        ({"name": "Memo", "id": str(uuid.uuid4())}, "id"),
    ],
)
def test_it_names_the_field_that_is_wrong(alice: Person, body: dict[str, object], field: str) -> None:
    get(alice, "models/")
    before = state_of(alice.identity.tenant_id)
    assert field in problem(call(alice, "POST", "agents/", body), 400)["errors"]
    assert state_of(alice.identity.tenant_id) == before


def test_it_does_not_tell_foreign_ids_from_missing_ones(cast: Cast) -> None:
    foreign = get(cast.charlie, "models/")["results"][0]["id"]
    answers = [
        call(cast.alice, "POST", "agents/", {"name": "Memo", "model": model})
        for model in (foreign, str(uuid.uuid4()))
    ]
    assert problem(answers[0], 404) == problem(answers[1], 404)
    for workspace in (cast.team, cast.alice.personal, uuid.uuid4()):
        problem(call(cast.bob, "POST", "agents/", {"name": "Memo", "workspace": str(workspace)}), 404)
        problem(call(cast.bob, "GET", f"agents/?workspace={workspace}"), 404)


def test_it_shows_a_team_agent_only_to_the_team(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    for stranger in (cast.bob, cast.charlie):
        assert get(stranger, "agents/")["results"] == []
        for verb, path in [
            ("GET", ""),
            ("PATCH", ""),
            ("DELETE", ""),
            ("GET", "blocks/"),
            ("POST", "blocks/"),
        ]:
            body = {"POST": {"label": "note"}, "PATCH": {"name": "Mine"}}.get(verb)
            problem(call(stranger, verb, f"agents/{agent.id}/{path}", body), 404)
    cast.let_bob_in("viewer")
    assert everything(cast.bob, "agents/")[0]["id"] == str(agent.id)
    before = state_of(cast.alice.identity.tenant_id)
    problem(call(cast.bob, "PATCH", f"agents/{agent.id}/", {"name": "Mine"}), 403)
    problem(call(cast.bob, "DELETE", f"agents/{agent.id}/"), 403)
    problem(call(cast.bob, "POST", f"agents/{agent.id}/blocks/", {"label": "note"}), 403)
    problem(call(cast.bob, "POST", "agents/", {"name": "Mine", "workspace": str(cast.team)}), 403)
    assert state_of(cast.alice.identity.tenant_id) == before


def test_a_window_can_be_given_back_to_the_model(alice: Person) -> None:
    agent = new_agent(alice, window=8000)
    path = f"/api/v1/agents/{agent.id}/"
    assert alice.api.get(path).json()["window"] == 8000
    changed = alice.api.patch(path, {"window": None}, content_type="application/json").json()
    assert changed["window"] is None
    assert changed["window_size"] == agent.model.window


def test_a_path_without_its_slash_keeps_verb_and_body(alice: Person) -> None:
    answer = alice.api.post("/api/v1/agents", {"name": "Memo"}, content_type="application/json")
    assert answer.status_code == 308
    assert answer["Location"] == "/api/v1/agents/"
