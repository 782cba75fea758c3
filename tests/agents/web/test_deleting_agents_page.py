"""An agent is deleted on a page that says what goes and what stays; and comes back with what went along."""

from __future__ import annotations

import pytest

from agents import blocks
from agents.models import Agent, AgentBlock
from memory.models import Block
from tests.cast import Cast, new_agent
from tests.memory.web.pages import new_block


@pytest.fixture
def planner(cast: Cast) -> Agent:
    """An agent of the team that shares the block `goals` with another one."""
    planner = new_agent(cast.alice, cast.team, name="Planner")
    shared = new_block(cast.alice, cast.team)
    with cast.alice.scope():
        blocks.share(shared.id, [planner.id, new_agent(cast.alice, cast.team, name="Other").id])
    return planner


def kept_labels(cast: Cast, agent: Agent) -> set[str]:
    with cast.alice.scope():
        rows = AgentBlock.objects.filter(agent=agent, block__retired_at=None)
        return set(rows.values_list("label", flat=True))


def test_the_page_says_which_blocks_stay_and_which_only_it_has(cast: Cast, planner: Agent) -> None:
    page = cast.alice.browser.get(f"/w/{cast.team}/agents/{planner.id}/retire/").content.decode()
    stays, goes = page.split("These blocks stay")[1].split("These blocks only it has")
    assert "goals" in stays
    assert "persona" in goes
    with cast.alice.scope():
        assert Agent.objects.get(id=planner.id).retired_at is None


@pytest.mark.parametrize("with_blocks", ["", "1"])
def test_it_goes_and_the_undo_brings_it_back(cast: Cast, planner: Agent, with_blocks: str) -> None:
    before = kept_labels(cast, planner)
    address = f"/w/{cast.team}/agents/{planner.id}/"
    page = cast.alice.browser.post(
        f"{address}retire/", {"with_blocks": with_blocks}, follow=True
    ).content.decode()
    assert "Planner is deleted; its chats stay." in page
    assert cast.alice.browser.get(address).status_code == 404
    assert kept_labels(cast, planner) == ({"goals"} if with_blocks else before)
    undo = page.split('class="toast"')[1].split('action="')[1].split('"')[0]
    assert cast.alice.browser.post(undo, follow=True).status_code == 200
    assert cast.alice.browser.get(address).status_code == 200
    assert kept_labels(cast, planner) == before


def test_deleted_ones_have_a_list_of_their_own(cast: Cast, planner: Agent) -> None:
    agents = f"/w/{cast.team}/agents/"

    def listed(query: str = "") -> str:
        return cast.alice.browser.get(agents + query, headers={"HX-Request": "true"}).content.decode()

    assert "No deleted agents." in listed("?state=deleted")
    assert "Planner" in listed()
    cast.alice.browser.post(f"{agents}{planner.id}/retire/", follow=True)
    assert "Planner" not in listed()
    assert f"/agents/{planner.id}/return/" in listed("?state=deleted")


def test_a_shared_block_stays_with_the_others(cast: Cast, planner: Agent) -> None:
    cast.alice.browser.post(f"/w/{cast.team}/agents/{planner.id}/retire/", {"with_blocks": "1"})
    with cast.alice.scope():
        assert Block.objects.get(workspace=cast.team, label="goals").retired_at is None
