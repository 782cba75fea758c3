"""Skills: written and changed by editors, in versions; deleted and brought back; who knows each."""

from __future__ import annotations

import re
import uuid

from agents import skills as agent_skills
from memory import core, skills
from memory.models import Skill
from memory.skills import SkillFields
from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import queries_of

REPORT = {"name": "weekly-report", "description": "When a week ends.", "content": "Three points, no more."}


def new_skill(person: Person, workspace_id: uuid.UUID | None = None, **fields: str) -> Skill:
    with person.scope():
        place = workspace_id or person.personal
        return skills.create_skill(workspace_id=place, actor=core.by_me(), **(REPORT | fields))


def address(skill: Skill, rest: str = "") -> str:
    return f"/w/{skill.workspace_id}/skills/{skill.id}/{rest}"


def now(person: Person, skill: Skill) -> Skill:
    with person.scope():
        return Skill.objects.get(id=skill.id)


def undo_in(page: str) -> str:
    """The address of the Undo that the latest note offers."""
    found = re.findall(r'class="toast"><span>[^<]*</span><form method="post" action="([^"]*)"', page)
    return str(found[-1]).replace("&amp;", "&")


def test_a_skill_is_made_changed_and_the_change_undone(alice: Person) -> None:
    alice.browser.post(f"/w/{alice.personal}/skills/new/", REPORT)
    with alice.scope():
        skill = Skill.objects.get()
    changed = REPORT | {"content": "Five points at most.", "version": "1"}
    page = alice.browser.post(address(skill), changed, follow=True).content.decode()
    assert now(alice, skill).content == "Five points at most."
    versions = alice.browser.get(address(skill, "versions/")).content.decode()
    assert "v2" in versions
    assert "<del>" in versions
    alice.browser.post(undo_in(page))
    assert (now(alice, skill).content, now(alice, skill).version) == ("Three points, no more.", 3)
    assert "Five points at most." in alice.browser.get(address(skill, "versions/2/")).content.decode()


def test_two_skills_have_not_one_name(alice: Person) -> None:
    new_skill(alice)
    answer = alice.browser.post(f"/w/{alice.personal}/skills/new/", REPORT | {"content": "Keep this."})
    assert answer.status_code == 422
    assert "another skill here has it" in answer.content.decode()
    assert "Keep this." in answer.content.decode()


def test_the_second_of_two_gets_both_texts(alice: Person) -> None:
    skill = new_skill(alice, content="One.\nTwo.\nThree.\n")
    with alice.scope():
        changes = SkillFields(content="One!\nTwo.\nThree.\n")
        skills.edit_skill(skill.id, changes, expected_version=1, actor=core.by_me())
    typed = REPORT | {"content": "One.\nTwo.\nThree!\n", "version": "1"}
    answer = alice.browser.post(address(skill), typed)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Somebody changed this skill while you wrote." in page
    assert "One!\nTwo.\nThree!\n" in page
    assert 'name="version" value="2"' in page


def test_it_is_deleted_and_comes_back(alice: Person) -> None:
    skill = new_skill(alice)
    listed = f"/w/{alice.personal}/skills/"
    page = alice.browser.post(address(skill, "delete/"), follow=True).content.decode()
    assert "weekly-report is deleted" in page
    assert str(skill.id) in alice.browser.get(f"{listed}?state=deleted").content.decode()
    alice.browser.post(undo_in(page))
    assert now(alice, skill).retired_at is None
    other = new_skill(alice, name="other")
    alice.browser.post(address(skill, "delete/"))
    with alice.scope():
        skills.edit_skill(other.id, SkillFields(name="weekly-report"), expected_version=1, actor=core.by_me())
    page = alice.browser.post(address(skill, "return/"), follow=True).content.decode()
    assert "another skill here has it" in page


def test_it_says_which_agents_know_it(alice: Person) -> None:
    skill, agent = new_skill(alice), new_agent(alice, name="Reporter")
    assert "No agent knows it yet" in alice.browser.get(address(skill)).content.decode()
    with alice.scope():
        agent_skills.attach(agent.id, skill.id)
    assert "Reporter" in alice.browser.get(address(skill)).content.decode().partition("<main")[2]
    listed = alice.browser.get(f"/w/{alice.personal}/skills/?q=week").content.decode()
    assert "Reporter" in listed.partition("<main")[2]


def test_who_does_not_write_reads(cast: Cast) -> None:
    skill = new_skill(cast.alice, cast.team)
    cast.let_bob_in("member")
    page = cast.bob.browser.get(address(skill)).content.decode()
    assert "Three points, no more." in page
    assert "<textarea" not in page.partition("<main")[2]
    assert cast.bob.browser.post(address(skill), REPORT | {"version": "1"}).status_code == 403
    assert "New skill" not in cast.bob.browser.get(f"/w/{cast.team}/skills/").content.decode()


def test_fifty_skills_take_no_more_queries_than_five(alice: Person) -> None:
    agent = new_agent(alice)
    for number in range(5):
        skill = new_skill(alice, name=f"skill-{number}")
        with alice.scope():
            agent_skills.attach(agent.id, skill.id)
    few = queries_of(alice, f"/w/{alice.personal}/skills/")
    for number in range(5, 50):
        new_skill(alice, name=f"skill-{number}")
    assert queries_of(alice, f"/w/{alice.personal}/skills/") == few
