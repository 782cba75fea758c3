"""Who can read a block, write it or propose to it, and why."""

from __future__ import annotations

from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import address, new_block


def said(person: Person, block: object) -> str:
    page = person.browser.get(address(block, "access/")).content.decode()  # type: ignore[arg-type]
    return " ".join(page.split('id="access"')[1].split())


def test_each_person_stands_there_with_what_they_may(cast: Cast) -> None:
    block = new_block(cast.alice, cast.team)
    for role, words in (
        ("viewer", "<td>reads</td>"),
        ("member", "<td>reads and proposes</td>"),
        ("editor", "<td>reads, writes, decides on proposals, sets the rules</td>"),
    ):
        cast.let_bob_in(role)
        for person in (cast.alice, cast.bob):
            row = said(person, block).split("<td>Bob</td>")[1].split("</tr>")[0]
            assert words in row, role
            assert f"is {role} of the workspace" in row
    assert "whoever is let into it reads the block" in said(cast.alice, block)


def test_a_read_only_block_says_why_a_member_only_reads(cast: Cast) -> None:
    cast.let_bob_in("member")
    block = new_block(cast.alice, cast.team, governance="read_only")
    row = said(cast.alice, block).split("<td>Bob</td>")[1].split("</tr>")[0]
    assert "<td>reads</td>" in row
    assert "the block is read-only" in row


def test_a_personal_block_is_nobody_elses(cast: Cast) -> None:
    block = new_block(cast.alice)
    assert "nobody but you reads it there, no admin either" in said(cast.alice, block)
    assert cast.bob.browser.get(address(block, "access/")).status_code == 404


def test_agents_stand_there_with_the_rule_that_holds_for_them(cast: Cast) -> None:
    block = new_block(cast.alice, cast.team)
    agent = new_agent(cast.alice, cast.team, name="Planner")
    cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"))
    row = said(cast.alice, block).split("Planner")[1].split("</tr>")[0]
    assert "reads; writes in chats of Research, and proposes from others" in row
    assert "by the rule of the block" in row
    for rule, words in (
        ("free", "reads and writes, from every chat"),
        ("propose", "reads and proposes"),
        ("read_only", "reads<"),
    ):
        cast.alice.browser.post(address(block, f"attached/{agent.id}/rule/"), {"governance": rule})
        row = said(cast.alice, block).split("Planner")[1].split("</tr>")[0]
        assert words in row
        assert "by a rule for this agent" in row
