"""The list of blocks: found by words, agent and rule; deleted ones apart; paged, in bounded queries."""

from __future__ import annotations

import re
import uuid

import pytest

from agents import blocks
from memory import core
from memory.core import BlockFields
from memory.models import Block, BlockVersion
from tests.cast import Cast, Person, new_agent
from tests.memory.web.pages import new_block, queries_of


def labels(person: Person, query: str = "", workspace_id: uuid.UUID | None = None) -> list[str]:
    page = person.browser.get(f"/w/{workspace_id or person.personal}/memory/{query}").content.decode()
    return re.findall(r'<strong class="mono">(.*?)</strong>', page)


def test_it_finds_by_words_agent_and_rule(alice: Person) -> None:
    agent = new_agent(alice)
    goals = new_block(alice, value="Ship in May.", governance="propose")
    new_block(alice, label="style", value="Be brief.", description="How we write.")
    with alice.scope():
        blocks.attach(agent.id, goals.id)
    assert labels(alice) == ["goals", "human", "persona", "style"]
    assert labels(alice, "?q=be+brief") == ["style"]
    assert labels(alice, "?q=how+we+write") == ["style"]
    assert labels(alice, f"?agent={agent.id}") == ["goals", "human", "persona"]
    assert labels(alice, f"?agent={agent.id}&governance=propose") == ["goals"]
    assert labels(alice, "?governance=read_only") == []
    assert labels(alice, "?agent=nobody") == []


def test_deleted_blocks_stand_apart_and_come_back(alice: Person) -> None:
    block = new_block(alice)
    new_block(alice, label="style")
    with alice.scope():
        core.delete_block(block.id)
    assert labels(alice) == ["style"]
    assert labels(alice, "?deleted=1") == ["goals"]
    alice.browser.post(f"/w/{alice.personal}/memory/{block.id}/return/")
    assert labels(alice) == ["goals", "style"]


def test_it_says_when_there_is_nothing(alice: Person) -> None:
    def said(query: str) -> str:
        return alice.browser.get(f"/w/{alice.personal}/memory/{query}").content.decode()

    assert "No memory blocks here yet." in said("")
    assert "No block is like this." in said("?q=zebra")
    assert "Nothing is deleted here." in said("?deleted=1")


def test_each_block_says_how_full_it_is_in_its_own_unit(alice: Person) -> None:
    new_block(alice, label="signs", value="hello world", limit=100)
    new_block(alice, label="words", value="hello world", limit=100, unit="tokens")
    page = alice.browser.get(f"/w/{alice.personal}/memory/").content.decode()
    assert "11 / 100<" in page
    assert "2 / 100 tokens" in page


def test_who_is_not_in_the_workspace_sees_no_list(cast: Cast) -> None:
    new_block(cast.alice, cast.team)
    assert labels(cast.alice, workspace_id=cast.team) == ["goals"]
    assert cast.bob.browser.get(f"/w/{cast.team}/memory/").status_code == 404
    cast.let_bob_in("viewer")
    assert labels(cast.bob, workspace_id=cast.team) == ["goals"]
    page = cast.bob.browser.get(f"/w/{cast.team}/memory/").content.decode()
    assert "New block" not in page
    assert cast.bob.browser.get(f"/w/{cast.team}/memory/new/").status_code == 403
    assert cast.bob.browser.post(f"/w/{cast.team}/memory/new/", {"label": "x", "limit": 5}).status_code == 403


@pytest.fixture
def many(alice: Person) -> None:
    """Five hundred blocks, each with an agent."""
    agent = new_agent(alice)
    with alice.scope():
        rows = [Block(workspace_id=alice.personal, label=f"block_{number:03}") for number in range(495)]
        Block.objects.bulk_create(rows)
        BlockVersion.objects.bulk_create(
            BlockVersion(
                workspace_id=alice.personal, block=row, number=1, operation="create", actor_kind="system"
            )
            for row in rows
        )
        for row in rows[:60]:
            blocks.attach(agent.id, row.id)
        core.create_block(workspace_id=alice.personal, fields=BlockFields(label="zz"), actor=core.by_me())


def test_five_hundred_blocks_ask_as_often_as_five(alice: Person, bob: Person, many: None) -> None:
    agent = new_agent(bob)
    for label in ("a", "b", "c"):
        block = new_block(bob, label=label)
        with bob.scope():
            blocks.attach(agent.id, block.id)
    few = queries_of(bob, f"/w/{bob.personal}/memory/")
    for query in ("", "?q=block", "?governance=free"):
        assert queries_of(alice, f"/w/{alice.personal}/memory/{query}") == few, query


def test_five_hundred_blocks_are_paged_and_each_is_there_once(alice: Person, many: None) -> None:
    seen: list[str] = []
    query = "?q=block"
    for _page in range(20):
        page = alice.browser.get(f"/w/{alice.personal}/memory/{query}").content.decode()
        found = re.findall(r'<strong class="mono">(.*?)</strong>', page)
        assert len(found) <= 50
        seen += found
        more = re.search(r'class="pages"><a class="button" href="([^"]+)"', page)
        if more is None:
            break
        query = more[1].replace("&amp;", "&")
    assert seen == [f"block_{number:03}" for number in range(495)]
