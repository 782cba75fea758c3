"""Which agents have a block: attached, detached and back, with a rule of their own, lent to team chats."""

from __future__ import annotations

from typing import Any

import pytest

from agents.models import AgentBlock
from memory.models import Block
from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import address, new_block


@pytest.fixture
def block(cast: Cast) -> Block:
    return new_block(cast.alice, cast.team)


@pytest.fixture
def agent(cast: Cast) -> Any:
    return new_agent(cast.alice, cast.team, name="Planner")


def agents_of(person: Person, block: Block) -> list[str]:
    with person.scope():
        rows = AgentBlock.objects.filter(block=block).select_related("agent")
        return sorted(row.agent.name for row in rows)


def page_of(person: Person, block: Block, query: str = "") -> str:
    return person.browser.get(address(block, f"attached/{query}")).content.decode()


def test_several_agents_get_a_block_at_once(cast: Cast, block: Block, agent: Any) -> None:
    other = new_agent(cast.alice, name="Writer")
    assert "No agent has this block in view." in page_of(cast.alice, block)
    answer = cast.alice.browser.post(
        address(block, "attached/share/"), {"agents": [agent.id, other.id, "nobody"]}, follow=True
    )
    assert "2 agents have this block in view now." in answer.content.decode()
    assert agents_of(cast.alice, block) == ["Planner", "Writer"]


def test_a_block_is_detached_and_the_note_brings_it_back(cast: Cast, block: Block, agent: Any) -> None:
    cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"))
    answer = cast.alice.browser.post(address(block, f"attached/{agent.id}/detach/"), follow=True)
    page = answer.content.decode()
    assert "Detached. The block stays." in page
    assert agents_of(cast.alice, block) == []
    undo = page.split('class="toast"')[-1].split('action="')[1].split('"')[0]
    cast.alice.browser.post(undo)
    assert agents_of(cast.alice, block) == ["Planner"]


def test_an_agent_gets_a_rule_of_its_own(cast: Cast, block: Block, agent: Any) -> None:
    cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"))
    rule = address(block, f"attached/{agent.id}/rule/")
    for sent, kept in (("propose", "propose"), ("", ""), ("nonsense", "")):
        cast.alice.browser.post(rule, {"governance": sent})
        with cast.alice.scope():
            assert AgentBlock.objects.get(block=block).governance == kept
    cast.alice.browser.post(rule, {"governance": "read_only"})
    assert '<option value="read_only" selected>' in page_of(cast.alice, block)


def test_a_taken_label_is_refused_in_words(cast: Cast, agent: Any) -> None:
    block = new_block(cast.alice, cast.team, label="persona")
    answer = cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"), follow=True)
    assert "has a block with this label already" in answer.content.decode()
    assert agents_of(cast.alice, block) == []


def test_it_offers_agents_that_i_may_change_and_finds_them(cast: Cast, block: Block, agent: Any) -> None:
    new_agent(cast.alice, name="Writer")
    assert "Planner" in page_of(cast.alice, block)
    found = cast.alice.browser.get(address(block, "attached/?q=writ"), headers={"HX-Request": "true"})
    assert "Writer" in found.content.decode()
    assert "Planner" not in found.content.decode()
    cast.let_bob_in("member")
    page = page_of(cast.bob, block)
    assert "Attach to more agents" not in page
    path = address(block, f"attached/{agent.id}/attach/")
    assert cast.bob.browser.post(path).status_code == 403
    assert cast.charlie.browser.post(path).status_code == 404


def test_a_personal_block_is_lent_to_team_chats_by_its_owner(cast: Cast, agent: Any) -> None:
    block = new_block(cast.alice, label="me")
    cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"))
    page = page_of(cast.alice, block)
    assert "in chats with you alone" in page
    assert "Lend to team chats" in page
    lend = address(block, f"attached/{agent.id}/lend/")
    answer = cast.alice.browser.post(lend, {"allowed": "1"}, follow=True)
    assert "Lent to team chats: stop" in answer.content.decode()
    with cast.alice.scope():
        assert AgentBlock.objects.get(block=block).in_shared_chats
    cast.alice.browser.post(lend)
    with cast.alice.scope():
        assert not AgentBlock.objects.get(block=block).in_shared_chats


def test_a_shared_block_cannot_be_lent(cast: Cast, block: Block, agent: Any) -> None:
    cast.alice.browser.post(address(block, f"attached/{agent.id}/attach/"))
    assert "Lend to team chats" not in page_of(cast.alice, block)
    cast.alice.browser.post(address(block, f"attached/{agent.id}/lend/"), {"allowed": "1"})
    with cast.alice.scope():
        assert not AgentBlock.objects.get(block=block).in_shared_chats


def test_an_agent_out_of_sight_is_counted_and_not_named(cast: Cast, block: Block) -> None:
    cast.let_bob_in("editor")
    his = new_agent(cast.bob, name="Secretary")
    cast.bob.browser.post(address(block, f"attached/{his.id}/attach/"))
    page = page_of(cast.alice, block)
    assert "an agent that you do not see" in page
    assert "Secretary" not in page
    assert "Secretary" in page_of(cast.bob, block)
