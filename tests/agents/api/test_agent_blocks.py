"""An agent's blocks over the API: attached by id, on the agent's own terms, detached; who has a block."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from rest_framework.serializers import Serializer

from agents import blocks
from agents.api.serializers import AgentBlockSerializer, TermsSerializer
from agents.models import AgentBlock
from memory.api.block_serializers import BlockSerializer
from memory.core import BlockFields
from tests.agents.sharing import Team, make_team, new_block
from tests.api_calls import call, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent


@pytest.fixture
def team(cast: Cast) -> Team:
    return make_team(cast)


def terms(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("label", "override", "person", "in_shared_chats")}


def test_it_lists_blocks_with_the_terms_on_which_the_agent_has_them(team: Team) -> None:
    alice = team.cast.alice
    rows = get(alice, f"agents/{team.agent.id}/blocks/")["results"]
    shared = {"override": None, "person": None, "in_shared_chats": False}
    assert [terms(row) for row in rows] == [
        {"label": "persona"} | shared,
        {"label": "human"} | shared | {"person": str(alice.user.id)},
        {"label": "plan"} | shared,
    ]
    plan = get(alice, f"blocks/{team.plan.id}/")
    assert {name: rows[2][name] for name in plan} == plan
    assert get(alice, f"agents/{team.agent.id}/blocks/{team.plan.id}/") == rows[2]


def test_it_pages_in_the_agents_own_order(team: Team) -> None:
    path = f"agents/{team.agent.id}/blocks/?limit=1"
    found = []
    while path:
        page = get(team.cast.alice, path)
        found += [row["label"] for row in page["results"]]
        path = page["next"]
    assert found == ["persona", "human", "plan"]
    problem(call(team.cast.alice, "GET", f"agents/{team.agent.id}/blocks/?cursor={uuid.uuid4()}"), 400)


def test_it_attaches_changes_the_terms_and_detaches(team: Team) -> None:
    alice = team.cast.alice
    mine = new_agent(alice)
    path = f"agents/{mine.id}/blocks/{team.plan.id}/"
    assert post(alice, path, None)["id"] == str(team.plan.id)
    assert "block" in problem(call(alice, "POST", path), 400)["errors"]
    assert call(alice, "PATCH", path, {"override": "propose"}).json()["override"] == "propose"
    assert get(alice, path)["override"] == "propose"
    assert call(alice, "PATCH", path, {"override": None}).json()["override"] is None
    assert call(alice, "DELETE", path).status_code == 204
    problem(call(alice, "GET", path), 404)
    problem(call(alice, "DELETE", path), 404)
    assert get(alice, f"blocks/{team.plan.id}/")["retired_at"] is None


def test_it_lends_ones_own_block_and_no_other(team: Team) -> None:
    alice = team.cast.alice
    human = get(alice, f"agents/{team.agent.id}/blocks/")["results"][1]["id"]
    path = f"agents/{team.agent.id}/blocks/{human}/"
    assert call(alice, "PATCH", path, {"in_shared_chats": True}).json()["in_shared_chats"] is True
    refused = call(
        alice, "PATCH", f"agents/{team.agent.id}/blocks/{team.plan.id}/", {"in_shared_chats": True}
    )
    assert "block" in problem(refused, 400)["errors"]


@pytest.mark.parametrize(
    "body", [{"override": "sometimes"}, {"override": 1}, {"in_shared_chats": "yes"}, {"label": "x"}, [], "x"]
)
def test_it_refuses_odd_terms(team: Team, body: Any) -> None:
    path = f"agents/{team.agent.id}/blocks/{team.plan.id}/"
    before = state_of(team.cast.alice.identity.tenant_id)
    problem(call(team.cast.alice, "PATCH", path, body), 400)
    assert state_of(team.cast.alice.identity.tenant_id) == before


def test_it_lets_nobody_else_attach_change_or_detach(team: Team) -> None:
    cast = team.cast
    path = f"agents/{team.agent.id}/blocks/{team.plan.id}/"
    loose = new_block(cast.alice, cast.team)
    asks = [
        ("POST", f"agents/{team.agent.id}/blocks/{loose.id}/", None),
        ("PATCH", path, {"override": "free"}),
        ("DELETE", path, None),
        ("POST", f"blocks/{loose.id}/agents/", {"agents": [str(team.agent.id)]}),
        ("DELETE", f"blocks/{loose.id}/?used=delete", None),
        ("GET", f"agents/{team.agent.id}/deletion/", None),
    ]
    for verb, address, body in asks:
        for stranger in (cast.bob, cast.charlie):
            problem(call(stranger, verb, address, body), 404)
    cast.let_bob_in("member")
    before = state_of(cast.alice.identity.tenant_id)
    for verb, address, body in asks:
        problem(call(cast.bob, verb, address, body), 403)
    assert state_of(cast.alice.identity.tenant_id) == before
    for verb, address, body in asks:
        assert call(cast.alice, verb, address, body).status_code < 300, (verb, address)


def test_it_shares_with_several_agents_or_with_none(team: Team) -> None:
    alice = team.cast.alice
    agents = [str(new_agent(alice).id) for _ in range(2)]
    path = f"blocks/{team.plan.id}/agents/"
    problem(call(alice, "POST", path, {"agents": [agents[0], str(uuid.uuid4())]}), 404)
    assert [use["agent"] for use in get(alice, path)["results"]] == [str(team.agent.id)]
    found = post(alice, path, {"agents": agents}, 200)["results"]
    assert {use["agent"] for use in found} == {str(team.agent.id), *agents}
    for odd in ([], ["x"], agents * 200, None, "x"):
        problem(call(alice, "POST", path, {"agents": odd}), 400)


def test_it_asks_before_a_block_goes_that_agents_have(team: Team) -> None:
    alice = team.cast.alice
    path = f"blocks/{team.plan.id}/"
    refused = problem(call(alice, "DELETE", path), 409)
    assert refused["users"] == [{"agent": str(team.agent.id), "name": "Memo"}]
    assert call(alice, "DELETE", f"{path}?used=delete").status_code == 204
    assert str(team.plan.id) not in str(get(alice, f"agents/{team.agent.id}/blocks/"))
    assert str(team.plan.id) not in str(get(alice, "blocks/"))
    assert [row["id"] for row in get(alice, "blocks/?deleted=true")["results"]] == [str(team.plan.id)]
    problem(call(alice, "DELETE", f"{path}?used=delete"), 409)


def test_a_members_edit_becomes_a_proposal(team: Team) -> None:
    team.cast.let_bob_in("member")
    path = f"blocks/{team.plan.id}/"
    body = {"value": "Launch on May 3.", "reason": "It was decided."}
    answer = call(team.cast.bob, "PATCH", path, body, If_Match='"1"')
    assert answer.status_code == 202
    assert (answer.json()["status"], answer.json()["reason"]) == ("open", "It was decided.")
    assert get(team.cast.bob, path)["value"] == ""
    problem(call(team.cast.bob, "PATCH", path, {"limit": 5}, If_Match='"1"'), 403)


@pytest.mark.parametrize("blocks", ["keep", "delete"])
def test_it_deletes_an_agent_and_says_what_goes_along(team: Team, blocks: str) -> None:
    alice = team.cast.alice
    path = f"agents/{team.agent.id}/"
    found = get(alice, f"{path}deletion/")
    assert [block["label"] for block in found["own"]] == ["persona", "human", "plan"]
    assert found["kept"] == []
    assert call(alice, "DELETE", f"{path}?blocks={blocks}").status_code == 204
    assert bool(get(alice, f"blocks/{team.plan.id}/")["retired_at"]) is (blocks == "delete")
    problem(call(alice, "DELETE", path), 404)
    assert call(alice, "POST", f"{path}return/").json()["retired_at"] is None
    assert get(alice, f"blocks/{team.plan.id}/")["retired_at"] is None
    problem(call(alice, "DELETE", f"{path}?blocks=some"), 400)


def test_listing_an_agents_blocks_costs_as_much_for_many_as_for_few(
    team: Team, django_assert_max_num_queries: Any
) -> None:
    alice = team.cast.alice
    for place in range(20):
        post(alice, f"agents/{team.agent.id}/blocks/", {"label": f"b{place}"})
    with django_assert_max_num_queries(8):
        assert len(get(alice, f"agents/{team.agent.id}/blocks/")["results"]) == 23
    with django_assert_max_num_queries(8):
        assert len(get(alice, "blocks/")["results"]) == 23


def test_what_is_written_by_hand_is_what_the_fields_say(alice: Person) -> None:
    agent = new_agent(alice)
    sections = [{"name": "a", "description": "b"}, {"name": "c"}]
    with alice.scope():
        made = blocks.add_agent_block(agent.id, BlockFields(label="typed", sections=sections, unit="tokens"))
        blocks.set_override(agent.id, made.id, "propose")
        row = AgentBlock.objects.select_related("block").get(agent=agent, label="typed")
        human = AgentBlock.objects.select_related("block").get(agent=agent, label="persona")
    human.person_id, human.block.retired_at = alice.user.id, made.created_at
    for each in (row, human):
        block = Serializer.to_representation(BlockSerializer(), each.block)
        assert BlockSerializer(each.block).data == block
        assert AgentBlockSerializer(each).data == block | TermsSerializer(each).data
