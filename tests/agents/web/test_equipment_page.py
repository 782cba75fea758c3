"""What an agent is given: archives and skills attached and detached; and how it searches."""

from __future__ import annotations

import re

from agents import archives, retrieval
from agents import skills as agent_skills
from agents.models import Agent
from tests.agents.web.test_skill_pages import new_skill, undo_in
from tests.cast import Cast, Person, new_agent
from tests.memory.web.filed import file, new_archive


def address(agent: Agent, rest: str = "equipment/") -> str:
    return f"/w/{agent.workspace_id}/agents/{agent.id}/{rest}"


def searched(person: Person, agent: Agent) -> set[object]:
    with person.scope():
        return set(archives.archives_in_view(agent))


def known(person: Person, agent: Agent) -> list[str]:
    with person.scope():
        return [skill.name for skill in agent_skills.skills_in_view(agent)]


def test_an_archive_is_attached_and_detached_and_each_is_undone(alice: Person) -> None:
    agent, archive = new_agent(alice), new_archive(alice, "Garden")
    file(alice, archive, "Tomatoes like sun.")
    assert "Garden" in alice.browser.get(address(agent)).content.decode()
    given = {"archive": str(archive.id)}
    page = alice.browser.post(address(agent, "archives/attach/"), given, follow=True).content.decode()
    assert searched(alice, agent) == {archive.id}
    assert "1 passage" in page
    alice.browser.post(undo_in(page))
    assert searched(alice, agent) == set()
    alice.browser.post(address(agent, "archives/attach/"), given)
    detach = address(agent, f"archives/{archive.id}/detach/")
    page = alice.browser.post(detach, follow=True).content.decode()
    assert searched(alice, agent) == set()
    alice.browser.post(undo_in(page))
    assert searched(alice, agent) == {archive.id}
    page = alice.browser.post(address(agent, "archives/attach/"), given, follow=True).content.decode()
    assert "The agent has it already" in page


def test_its_own_archive_cannot_be_detached(alice: Person) -> None:
    agent = new_agent(alice)
    with alice.scope():
        own = archives.archive_for(agent, alice.personal)
    page = alice.browser.get(address(agent)).content.decode()
    assert "its own" in page
    assert "detach/" not in page
    alice.browser.post(address(agent, f"archives/{own.id}/detach/"))
    assert searched(alice, agent) == {own.id}


def test_a_skill_is_attached_and_detached(alice: Person) -> None:
    agent, skill = new_agent(alice), new_skill(alice)
    page = alice.browser.post(
        address(agent, "skills/attach/"), {"skill": str(skill.id)}, follow=True
    ).content.decode()
    assert known(alice, agent) == ["weekly-report"]
    alice.browser.post(undo_in(page))
    assert known(alice, agent) == []
    assert alice.browser.post(address(agent, "skills/attach/"), {"skill": "nonsense"}).status_code == 404


def test_the_weights_are_set_explained_and_taken_back(alice: Person) -> None:
    agent = new_agent(alice)
    page = alice.browser.get(address(agent, "search/")).content.decode()
    assert "How much it counts that it means the same in other words" in page
    weights = {"lexical": "2", "vector": "0", "importance": "0.3", "recency": "0.1", "second_stage": "none"}
    page = alice.browser.post(address(agent, "search/"), weights, follow=True).content.decode()

    def held() -> tuple[float, float]:
        with alice.scope():
            found = retrieval.settings_of(Agent.objects.get(id=agent.id)).weights
        return found.lexical, found.vector

    assert held() == (2.0, 0.0)
    alice.browser.post(undo_in(page))
    assert held() == (1.0, 0.7)
    alice.browser.post(address(agent, "search/"), weights)
    assert "As everywhere" in alice.browser.get(address(agent, "search/")).content.decode()
    alice.browser.post(address(agent, "search/"), {"usual": "1"})
    assert held() == (1.0, 0.7)
    with alice.scope():
        assert Agent.objects.get(id=agent.id).retrieval.get("weights") == {}


def test_weights_that_count_nothing_are_refused(alice: Person) -> None:
    agent = new_agent(alice)
    nothing = dict.fromkeys(("lexical", "vector", "importance", "recency"), "0") | {"second_stage": "none"}
    answer = alice.browser.post(address(agent, "search/"), nothing)
    assert answer.status_code == 422
    assert "At least one of these has to count for something." in answer.content.decode()
    answer = alice.browser.post(address(agent, "search/"), nothing | {"lexical": "-1"})
    assert answer.status_code == 422


def test_members_look_and_change_nothing(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    archive = new_archive(cast.alice, "Garden", cast.team)
    cast.let_bob_in("member")
    page = cast.bob.browser.get(address(agent)).content.decode()
    assert "Choose an archive" not in page
    given = {"archive": str(archive.id)}
    assert cast.bob.browser.post(address(agent, "archives/attach/"), given).status_code == 403
    assert cast.bob.browser.post(address(agent, "search/"), {"usual": "1"}).status_code == 403
    assert re.search(
        r"<fieldset[^>]* disabled", cast.bob.browser.get(address(agent, "search/")).content.decode()
    )
