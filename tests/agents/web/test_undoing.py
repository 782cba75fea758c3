"""What was saved about a block an agent goes back by the note that says so: text, settings, attachments."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from agents import blocks
from agents.models import Agent, AgentBlock, LanguageModel, Provider
from memory.models import Block, BlockVersion
from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import FRAGMENT, address, inbox, new_block, propose, typed, value_of, write
from tests.tenants.web.pages import toast, undo


@pytest.fixture
def block(cast: Cast) -> Block:
    return new_block(cast.alice, cast.team, value="Ship in May.")


@pytest.fixture
def agent(cast: Cast) -> Agent:
    return new_agent(cast.alice, cast.team, name="Planner")


def sent(person: Person, path: str, body: dict[str, Any] | None = None) -> str:
    answer = person.browser.post(path, body or {}, follow=True)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def now(person: Person, block: Block) -> Block:
    with person.scope():
        return Block.objects.get(id=block.id)


def in_place(page: str) -> str:
    """Where the Undo of a note posts that comes without a page."""
    return html.unescape(re.findall(r'<div class="toast">.*?hx-post="([^"]+)"', page)[-1])


def has_undo(page: str) -> bool:
    """Whether the last note of a page can be taken back."""
    return "Undo" in page.split('class="toast"')[-1].split("</main>")[0]


def test_a_text_goes_back_and_forth(cast: Cast, block: Block) -> None:
    page = sent(cast.alice, address(block), typed(block, "Ship in June."))
    assert toast(page) == "Saved."
    answer = undo(cast.alice, page)
    assert value_of(cast.alice, block) == "Ship in May."
    with cast.alice.scope():
        assert BlockVersion.objects.get(block=block, number=3).operation == "undo"
    page = cast.alice.browser.get(answer["Location"]).content.decode()
    assert toast(page) == "Taken back."
    undo(cast.alice, page)
    assert value_of(cast.alice, block) == "Ship in June."


def test_settings_go_back_with_the_text(cast: Cast, block: Block, agent: Agent) -> None:
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    given = typed(block, "## Goals\nShip in June.", label="aims", description="What & why", limit=500)
    given |= {"governance": "propose", "unit": "tokens", "sections": "Goals: 目标"}
    page = sent(cast.alice, address(block), given)
    assert now(cast.alice, block).governance == "propose"
    undo(cast.alice, page)
    found = now(cast.alice, block)
    assert (found.label, found.description, found.limit, found.unit) == ("goals", "", 2000, "characters")
    assert (found.governance, found.sections, found.value) == ("free", [], "Ship in May.")
    with cast.alice.scope():
        assert AgentBlock.objects.get(agent=agent, block=block).label == "goals"


def test_a_rule_alone_goes_back_and_the_text_stays(cast: Cast, block: Block) -> None:
    page = sent(cast.alice, address(block), typed(block, "Ship in May.", governance="read_only"))
    assert now(cast.alice, block).governance == "read_only"
    undo(cast.alice, page)
    assert (now(cast.alice, block).governance, value_of(cast.alice, block)) == ("free", "Ship in May.")


def test_a_save_that_changes_nothing_offers_no_way_back(cast: Cast, block: Block) -> None:
    page = sent(cast.alice, address(block), typed(block, "Ship in May."))
    assert toast(page) == "Saved."
    assert not has_undo(page)


def test_a_block_that_moved_on_is_not_taken_back(cast: Cast, block: Block) -> None:
    page = sent(cast.alice, address(block), typed(block, "Ship in June.", governance="propose"))
    write(cast.alice, block, "Ship in July.")
    answer = undo(cast.alice, page)
    assert "changed again since" in toast(cast.alice.browser.get(answer["Location"]).content.decode())
    assert value_of(cast.alice, block) == "Ship in July."


def test_the_side_panel_saves_and_takes_back_in_place(cast: Cast, block: Block) -> None:
    answer = cast.alice.browser.post(address(block), typed(block, "Ship in June."), headers=FRAGMENT)
    page = answer.content.decode()
    assert toast(page) == "Saved."
    back = cast.alice.browser.post(in_place(page), headers=FRAGMENT)
    assert toast(back.content.decode()) == "Taken back."
    assert str(block.id) in back["HX-Trigger"]
    assert value_of(cast.alice, block) == "Ship in May."
    cast.let_bob_in("member")
    sent_by_bob = {"value": "Ship in July.", "version": 3}
    page = cast.bob.browser.post(address(block), sent_by_bob, headers=FRAGMENT).content.decode()
    assert "/withdraw/" in page.split('class="toast"')[1]


def test_a_member_does_not_take_settings_back(cast: Cast, block: Block) -> None:
    sent(cast.alice, address(block), typed(block, "Ship in June.", governance="propose"))
    unsave = address(block, "versions/2/unsave/")
    cast.let_bob_in("member")
    assert cast.bob.browser.post(f"{unsave}?limit=2000&governance=free").status_code == 403
    assert now(cast.alice, block).governance == "propose"
    page = sent(cast.bob, unsave)
    assert "Proposed. An editor decides." in toast(page)
    assert cast.charlie.browser.post(unsave).status_code == 404


@pytest.mark.parametrize(
    "query", ["?limit=x", "?governance=wild&limit=1", "?limit=2000&label=two+words", "?x=1"]
)
def test_an_address_made_by_hand_changes_nothing(cast: Cast, block: Block, query: str) -> None:
    write(cast.alice, block, "Ship in June.")
    page = sent(cast.alice, address(block, f"versions/2/unsave/{query}"))
    assert "Taken back." not in toast(page)
    assert value_of(cast.alice, block) == "Ship in June."
    assert cast.alice.browser.post(address(block, "versions/9/unsave/")).status_code == 404
    assert cast.alice.browser.post(address(block, "versions/1/unsave/?limit=5")).status_code == 404


def test_a_version_that_was_restored_is_not_any_more(cast: Cast, block: Block) -> None:
    write(cast.alice, block, "Ship in June.")
    page = sent(cast.alice, address(block, "versions/1/restore/"))
    assert "Version 1 is current again." in toast(page)
    undo(cast.alice, page)
    assert value_of(cast.alice, block) == "Ship in June."


def test_an_approval_is_taken_back_from_its_note(cast: Cast, block: Block) -> None:
    first, second = (propose(cast.alice, block, text) for text in ("Ask Han.", "Ask Lei."))
    page = cast.alice.browser.post(inbox(block, f"{first.id}/approve/"), headers=FRAGMENT).content.decode()
    assert "Approved: goals is at v2." in toast(page)
    assert f"{first.id}/undo/" in page.split('class="toast"')[1]
    undo(cast.alice, sent(cast.alice, inbox(block, f"{second.id}/approve/")))
    assert value_of(cast.alice, block) == "Ship in May.\nAsk Han."


def test_a_move_goes_back_and_a_copy_goes(cast: Cast, block: Block) -> None:
    body = {"to": cast.alice.personal, "how": "move"}
    page = sent(cast.alice, address(block, "move/"), body)
    assert now(cast.alice, block).workspace_id == cast.alice.personal
    undo(cast.alice, page)
    assert now(cast.alice, block).workspace_id == cast.team
    undo(cast.alice, sent(cast.alice, address(block, "move/"), body | {"how": "copy"}))
    with cast.alice.scope():
        assert Block.objects.get(workspace_id=cast.alice.personal, label="goals").retired_at


def test_agents_that_got_a_block_together_lose_it_together(cast: Cast, block: Block, agent: Agent) -> None:
    others = [new_agent(cast.alice, name=name) for name in ("Writer", "Keeper")]
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    body = {"agents": [agent.id, *(each.id for each in others)]}
    page = sent(cast.alice, address(block, "attached/share/"), body)
    undo(cast.alice, page)
    with cast.alice.scope():
        assert [row.agent_id for row in AgentBlock.objects.filter(block=block)] == [agent.id]


def test_a_rule_for_one_agent_goes_back(cast: Cast, block: Block, agent: Agent) -> None:
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    rule = address(block, f"attached/{agent.id}/rule/")
    assert not has_undo(sent(cast.alice, rule, {"governance": ""}))
    sent(cast.alice, rule, {"governance": "propose"})
    undo(cast.alice, sent(cast.alice, rule, {"governance": "read_only"}))
    with cast.alice.scope():
        assert AgentBlock.objects.get(block=block).governance == "propose"


def test_what_is_attached_again_has_its_terms_again(cast: Cast, agent: Agent) -> None:
    block = new_block(cast.alice, label="me")
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    lend = address(block, f"attached/{agent.id}/lend/")
    undo(cast.alice, sent(cast.alice, lend, {"allowed": "1"}))
    with cast.alice.scope():
        assert not AgentBlock.objects.get(block=block).in_shared_chats
        blocks.set_override(agent.id, block.id, "propose")
        blocks.lend(agent.id, block.id, allowed=True)
    undo(cast.alice, sent(cast.alice, lend))
    undo(cast.alice, sent(cast.alice, address(block, f"attached/{agent.id}/detach/")))
    with cast.alice.scope():
        row = AgentBlock.objects.get(block=block)
    assert (row.governance, row.in_shared_chats) == ("propose", True)


def test_who_could_not_attach_it_again_is_offered_no_way_back(cast: Cast, block: Block) -> None:
    cast.let_bob_in("editor")
    his = new_agent(cast.bob, name="Secretary")
    with cast.bob.scope():
        blocks.attach(his.id, block.id)
    page = sent(cast.alice, address(block, f"attached/{his.id}/detach/"))
    assert "Detached." in toast(page)
    assert not has_undo(page)


def test_an_agents_settings_go_back(cast: Cast, agent: Agent) -> None:
    path = f"/w/{cast.team}/agents/{agent.id}/settings/"
    body = {"name": "Renamed", "model": str(agent.model_id), "window": "", "instructions": "a\nb"}
    undo(cast.alice, sent(cast.alice, path, body))
    with cast.alice.scope():
        found = Agent.objects.get(id=agent.id)
    assert (found.name, found.instructions) == ("Planner", "")
    long = body | {"instructions": "长" * 2000}
    sent(cast.alice, path, long)
    page = sent(cast.alice, path, body)
    assert toast(page) == "Saved."
    assert not has_undo(page)  # more than an address takes


def test_models_go_back(alice: Person) -> None:
    models = f"/w/{alice.personal}/settings/models/"
    made = {"provider": "p", "base_url": "http://127.0.0.1:9/v1", "key": "k", "model": "m", "window": 32000}
    page = sent(alice, f"{models}new/", made | {"tokenizer": ""})
    with alice.scope():
        model = LanguageModel.objects.get(name="m")
    body = {"model": "m", "window": 16000, "tokenizer": ""}
    undo(alice, sent(alice, f"{models}{model.id}/", body))
    undo(alice, sent(alice, f"{models}providers/{model.provider_id}/", made | {"provider": "q", "key": ""}))
    assert not has_undo(sent(alice, f"{models}providers/{model.provider_id}/", made | {"key": "another"}))
    undo(alice, sent(alice, f"{models}providers/{model.provider_id}/models/new/", body | {"model": "n"}))
    with alice.scope():
        assert [
            (each.name, each.window) for each in LanguageModel.objects.filter(provider__isnull=False)
        ] == [("m", 32000)]
        assert Provider.objects.get().name == "p"
    undo(alice, page)
    with alice.scope():
        assert not Provider.objects.exists()
