"""Skills over the API, and the agents that know them."""

from __future__ import annotations

from typing import Any

from tests.api_calls import call, everything, get, post, problem
from tests.cast import Cast, Person, new_agent

FIELDS = {"name": "Baking", "description": "How bread is baked.", "content": "Knead. Wait. Bake."}


def new_skill(person: Person, **fields: Any) -> Any:
    return post(person, "skills/", FIELDS | fields)


def test_a_change_is_a_version_that_one_can_go_back_to(alice: Person) -> None:
    skill = new_skill(alice)
    address = f"skills/{skill['id']}/"
    problem(call(alice, "PATCH", address, {"content": "Wait. Bake."}), 428)
    changed = call(alice, "PATCH", address, {"content": "Wait. Bake."}, If_Match='"1"')
    assert (changed.json()["version"], changed.headers["ETag"]) == (2, '"2"')
    stale = problem(call(alice, "PATCH", address, {"content": "Burn."}, If_Match='"1"'), 409)
    assert (stale["code"], stale["version"]) == ("stale_version", 2)
    texts = [each["content"] for each in everything(alice, f"{address}versions/")]
    assert texts == ["Wait. Bake.", "Knead. Wait. Bake."]
    restored = post(alice, f"{address}versions/1/restore/", None, 200)
    assert (restored["version"], restored["content"]) == (3, "Knead. Wait. Bake.")
    problem(call(alice, "POST", f"{address}versions/9/restore/"), 404)


def test_it_is_found_by_its_description_until_it_is_deleted(alice: Person) -> None:
    skill = new_skill(alice)
    (hit,) = get(alice, "search/?q=bread&kind=skill")["results"]
    assert hit["id"] == skill["id"]
    assert call(alice, "DELETE", f"skills/{skill['id']}/").status_code == 204
    assert get(alice, "search/?q=bread&kind=skill")["results"] == []
    assert everything(alice, "skills/") == []
    post(alice, f"skills/{skill['id']}/return/", None, 200)
    assert get(alice, "search/?q=bread&kind=skill")["results"]


def test_a_name_is_one_skills_of_a_workspace(cast: Cast) -> None:
    first = new_skill(cast.alice)
    refused = problem(call(cast.alice, "POST", "skills/", FIELDS), 400)
    assert "name" in refused["errors"]
    new_skill(cast.alice, workspace=str(cast.team))
    call(cast.alice, "DELETE", f"skills/{first['id']}/")
    new_skill(cast.alice)
    problem(call(cast.alice, "POST", f"skills/{first['id']}/return/"), 400)


def test_an_agent_is_given_a_skill_and_an_archive_and_they_are_taken_away(alice: Person) -> None:
    agent, skill = new_agent(alice), new_skill(alice)
    archive = post(alice, "archives/", {"name": "Recipes"})
    for kind, thing in (("skills", skill), ("archives", archive)):
        address = f"agents/{agent.id}/{kind}/{thing['id']}/"
        assert post(alice, address, None)[kind[:-1]]["id"] == thing["id"]
        problem(call(alice, "POST", address), 409)
        listed = everything(alice, f"agents/{agent.id}/{kind}/")
        assert thing["id"] in {row[kind[:-1]]["id"] for row in listed}
        assert call(alice, "DELETE", address).status_code == 204
        problem(call(alice, "DELETE", address), 404)


def test_members_read_and_editors_write(cast: Cast) -> None:
    skill = new_skill(cast.alice, workspace=str(cast.team))
    for stranger in (cast.bob, cast.charlie):
        problem(call(stranger, "GET", f"skills/{skill['id']}/"), 404)
    cast.let_bob_in("member")
    assert get(cast.bob, f"skills/{skill['id']}/")["name"] == "Baking"
    problem(call(cast.bob, "PATCH", f"skills/{skill['id']}/", {"name": "Mine"}, If_Match='"1"'), 403)
    problem(call(cast.bob, "DELETE", f"skills/{skill['id']}/"), 403)
