"""Chats over the API: opened, listed, renamed, pinned, deleted."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.api_calls import call, everything, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent, new_chat, send


def change(person: Person, chat: Any, body: dict[str, Any]) -> Any:
    return call(person, "PATCH", f"conversations/{chat['id']}/", body)


def test_it_opens_a_chat_in_my_own_workspace(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    made = post(cast.alice, "conversations/", {"agent": str(agent.id)})
    assert made["workspace"] == str(cast.alice.personal)
    assert (made["agent"], made["owner"]) == (str(agent.id), str(cast.alice.user.id))
    assert (made["title"], made["pinned"]) == ("", False)
    assert get(cast.alice, f"conversations/{made['id']}/") == made
    cast.let_bob_in("admin")
    problem(call(cast.bob, "GET", f"conversations/{made['id']}/"), 404)


def test_it_opens_a_chat_for_the_team(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    body = {"agent": str(agent.id), "workspace": str(cast.team), "title": "Plans"}
    made = post(cast.alice, "conversations/", body)
    problem(call(cast.bob, "GET", f"conversations/{made['id']}/"), 404)
    cast.let_bob_in("viewer")
    assert get(cast.bob, f"conversations/{made['id']}/")["title"] == "Plans"
    before = state_of(cast.alice.identity.tenant_id)
    problem(change(cast.bob, made, {"title": "Mine"}), 403)
    problem(call(cast.bob, "DELETE", f"conversations/{made['id']}/"), 403)
    problem(call(cast.bob, "POST", "conversations/", body), 403)
    message = {"content": "hello", "client_id": "1"}
    problem(call(cast.bob, "POST", f"conversations/{made['id']}/messages/", message), 403)
    assert state_of(cast.alice.identity.tenant_id) == before


def test_it_renames_and_pins(alice: Person) -> None:
    agent = new_agent(alice)
    first, second = (post(alice, "conversations/", {"agent": str(agent.id)}) for _ in range(2))
    assert change(alice, first, {"title": " Harvest ", "pinned": True}).json()["title"] == "Harvest"
    assert [chat["id"] for chat in get(alice, "conversations/?pinned=true")["results"]] == [first["id"]]
    assert [chat["id"] for chat in get(alice, "conversations/?pinned=false")["results"]] == [second["id"]]
    assert change(alice, first, {"pinned": False}).json()["pinned"] is False
    assert get(alice, "conversations/?pinned=true")["results"] == []


def test_it_takes_a_title_from_the_first_words(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, "When is the harvest?")
    assert get(alice, f"conversations/{chat.conversation_id}/")["title"] == "When is the harvest?"


def test_it_lists_the_newest_first_and_filters(cast: Cast) -> None:
    mine, ours = new_agent(cast.alice), new_agent(cast.alice, cast.team)
    chats = [new_chat(cast.alice, mine), new_chat(cast.alice, ours), new_chat(cast.alice, ours, cast.team)]
    ids = [str(chat.conversation_id) for chat in chats]
    assert [chat["id"] for chat in everything(cast.alice, "conversations/?limit=1")] == ids[::-1]
    by_agent = get(cast.alice, f"conversations/?agent={ours.id}")["results"]
    assert [chat["id"] for chat in by_agent] == [ids[2], ids[1]]
    by_place = get(cast.alice, f"conversations/?workspace={cast.team}")["results"]
    assert [chat["id"] for chat in by_place] == [ids[2]]
    assert get(cast.bob, "conversations/")["results"] == []
    problem(call(cast.bob, "GET", f"conversations/?agent={ours.id}"), 404)
    problem(call(cast.bob, "GET", f"conversations/?workspace={cast.team}"), 404)


def test_it_hides_a_deleted_chat_and_all_in_it(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "hello")
    path = f"conversations/{chat.conversation_id}/"
    assert call(alice, "DELETE", path).status_code == 204
    assert get(alice, "conversations/")["results"] == []
    before = state_of(alice.identity.tenant_id)
    for verb, gone in [
        ("GET", path),
        ("PATCH", path),
        ("DELETE", path),
        ("GET", f"{path}messages/"),
        ("POST", f"{path}messages/"),
        ("GET", f"messages/{turn.message_id}/"),
        ("GET", f"turns/{turn.id}/"),
        ("GET", f"turns/{turn.id}/events/"),
        ("POST", f"turns/{turn.id}/stop/"),
        ("POST", f"turns/{turn.id}/retry/"),
    ]:
        body = {"content": "hello"} if gone.endswith("messages/") and verb == "POST" else None
        body = {"title": "back"} if verb == "PATCH" else body
        problem(call(alice, verb, gone, body), 404)
    assert state_of(alice.identity.tenant_id) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "agent"),
        ({"agent": "memo"}, "agent"),
        ({"agent": None}, "agent"),
        ({"agent": 12}, "agent"),
        ({"agent": ["x"]}, "agent"),
        ({"agent": str(uuid.uuid4()), "title": ""}, "title"),
        ({"agent": str(uuid.uuid4()), "title": "x" * 201}, "title"),
        ({"agent": str(uuid.uuid4()), "workspace": "here"}, "workspace"),
        ({"agent": str(uuid.uuid4()), "name": "x"}, "name"),
    ],
)
def test_it_names_the_field_that_is_wrong(alice: Person, body: dict[str, Any], field: str) -> None:
    assert field in problem(call(alice, "POST", "conversations/", body), 400)["errors"]


def test_it_does_not_tell_foreign_agents_from_missing_ones(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    foreign = problem(call(cast.bob, "POST", "conversations/", {"agent": str(agent.id)}), 404)
    missing = problem(call(cast.bob, "POST", "conversations/", {"agent": str(uuid.uuid4())}), 404)
    assert foreign == missing


def test_it_opens_no_chat_in_a_workspace_that_is_not_the_agents(cast: Cast) -> None:
    agent = new_agent(cast.alice)
    before = state_of(cast.alice.identity.tenant_id)
    for workspace in (cast.team, cast.bob.personal, uuid.uuid4()):
        body = {"agent": str(agent.id), "workspace": str(workspace)}
        problem(call(cast.alice, "POST", "conversations/", body), 404)
    assert state_of(cast.alice.identity.tenant_id) == before


@pytest.mark.parametrize(
    "body",
    [{"title": ""}, {"title": " "}, {"title": 3}, {"pinned": "true"}, {"pinned": None}, {"agent": "x"}],
)
def test_it_refuses_odd_changes(alice: Person, body: dict[str, Any]) -> None:
    chat = post(alice, "conversations/", {"agent": str(new_agent(alice).id)})
    before = state_of(alice.identity.tenant_id)
    problem(change(alice, chat, body), 400)
    assert state_of(alice.identity.tenant_id) == before
