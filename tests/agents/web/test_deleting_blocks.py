"""A block is deleted, with its users named where it has some; and comes back with its history."""

from __future__ import annotations

from agents import blocks
from memory.models import Block, BlockVersion
from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import address, new_block, typed


def is_there(person: Person, block: Block) -> bool:
    with person.scope():
        return Block.objects.get(id=block.id).retired_at is None


def test_one_that_nobody_uses_goes_at_once_and_can_be_brought_back(cast: Cast) -> None:
    block = new_block(cast.alice)
    answer = cast.alice.browser.post(address(block, "delete/"), follow=True)
    page = answer.content.decode()
    assert "goals is deleted; its versions are kept." in page
    assert not is_there(cast.alice, block)
    undo = page.split('class="toast"')[1].split('action="')[1].split('"')[0]
    back = cast.alice.browser.post(undo, follow=True).content.decode()
    assert "It is back." in back
    assert is_there(cast.alice, block)
    with cast.alice.scope():
        assert BlockVersion.objects.filter(block=block).count() == 1


def test_one_that_agents_use_says_who_and_asks(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team, name="Planner")
    block = new_block(cast.alice, cast.team)
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    asked = cast.alice.browser.post(address(block, "delete/"))
    page = asked.content.decode()
    assert asked.status_code == 200
    assert "1 agent uses this block" in page
    assert "Planner" in page
    assert is_there(cast.alice, block)
    cast.alice.browser.post(address(block, "delete/"), {"sure": "1"})
    assert not is_there(cast.alice, block)
    overview, card = f"/w/{cast.team}/agents/{agent.id}/", f'id="block-{block.id}"'
    assert card not in cast.alice.browser.get(overview).content.decode()
    cast.alice.browser.post(address(block, "return/"))
    assert card in cast.alice.browser.get(overview).content.decode()


def test_a_deleted_block_is_read_and_not_written(cast: Cast) -> None:
    block = new_block(cast.alice, value="Ship in May.")
    cast.alice.browser.post(address(block, "delete/"))
    page = cast.alice.browser.get(address(block)).content.decode()
    assert "This block is deleted" in page
    assert "Ship in May." in page
    assert "Save</button>" not in page
    assert cast.alice.browser.get(address(block, "versions/1/")).status_code == 200
    answer = cast.alice.browser.post(address(block), typed(block, "two"))
    assert answer.status_code == 422
    assert "Bring it back first." in answer.content.decode()


def test_only_editors_delete(cast: Cast) -> None:
    block = new_block(cast.alice, cast.team)
    cast.let_bob_in("member")
    for verb in ("delete/", "return/"):
        assert cast.bob.browser.post(address(block, verb), {"sure": "1"}).status_code == 403
        assert cast.charlie.browser.post(address(block, verb), {"sure": "1"}).status_code == 404
    assert is_there(cast.alice, block)
