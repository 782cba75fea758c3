"""Every page of memory blocks: in two languages, sizes and appearances without a serious fault of access."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agents import blocks
from memory import core, proposals
from memory.models import Block
from memory.operations import Replace
from tests.browser.conftest import Watched
from tests.browser.test_every_page import WAYS
from tests.cast import Cast, new_agent
from tests.live import Live
from tests.memory.web.pages import new_block, propose, write

SECTIONS = [{"name": "目标 Goals", "description": "What we want."}, {"name": "Risks", "description": ""}]


@pytest.fixture
def block(cast: Cast) -> Block:
    """A team's block with versions, an agent, and proposals of every kind."""
    alice = cast.alice
    cast.let_bob_in("member")
    agent = new_agent(alice, cast.team, name="季度计划助手 Quarterly planner")
    new_agent(alice, cast.team, name="Writer")
    text = "周报：段落\n时区：上海\nShip in May.\nBe lossless.\n" + "A rather long line without an end. " * 8
    block = new_block(alice, cast.team, label="team_goals", value=text, governance="propose")
    with alice.scope():
        blocks.attach(agent.id, block.id)
    rejected = propose(alice, block, "负责人：李雷", reason="Somebody has to.")
    with alice.scope():
        proposals.reject(rejected.id, note="Not yet.")
    propose(alice, block, Replace("May", "June"), reason="The team said so. " * 10)
    propose(alice, block, Replace("上海", "北京"))
    write(alice, block, text.replace("上海", "广州"))
    return block


@pytest.fixture
def addresses(cast: Cast, block: Block) -> list[str]:
    alice = cast.alice
    typed = new_block(alice, cast.team, label="charter", value="", sections=SECTIONS, unit="tokens", limit=50)
    gone = new_block(alice, cast.team, label="old", value="What was.")
    own = new_block(alice, label="me", value="I like tea.")
    with alice.scope():
        core.delete_block(gone.id)
        waiting = [str(each.id) for each in proposals.open_proposals(cast.team)]
    home = f"/w/{cast.team}/memory"
    of_block = ("", "card/", "versions/", "versions/1/", "versions/1..2/", "blame/", "attached/", "access/")
    return [
        f"{home}/",
        f"{home}/?deleted=1",
        f"{home}/?q=nothing-like-this",
        f"{home}/new/",
        *(f"{home}/{block.id}/{rest}" for rest in of_block),
        f"{home}/{block.id}/delete/",
        f"{home}/{block.id}/move/",
        f"{home}/{block.id}/move/?to={alice.personal}",
        f"{home}/{typed.id}/",
        f"{home}/{gone.id}/",
        f"/w/{alice.personal}/memory/{own.id}/access/",
        f"/w/{alice.personal}/memory/{own.id}/move/?to={cast.team}",
        f"{home}/inbox/",
        f"{home}/inbox/?status=all",
        f"/w/{alice.personal}/memory/inbox/",
        *(f"{home}/inbox/{key}/?edit=1" for key in waiting),
        f"/w/{cast.team}/",
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_block_page_has_a_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str], way: str
) -> None:
    session = watch(live, **WAYS[way])
    session.enter(cast.alice)
    found: dict[str, list[str]] = {}
    for address in addresses:
        session.open(address)
        found[address] = session.faults()
    assert {address: faults for address, faults in found.items() if faults} == {}


@pytest.mark.parametrize("way", WAYS)
def test_nor_for_who_may_only_propose(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block, way: str
) -> None:
    session = watch(live, **WAYS[way])
    session.enter(cast.bob)
    for rest in (f"{block.id}/", f"{block.id}/attached/", f"{block.id}/versions/", "inbox/"):
        session.open(f"/w/{cast.team}/memory/{rest}")
        assert session.faults() == [], rest
