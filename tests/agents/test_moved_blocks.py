"""A block that moves to another workspace stays with the agents that have it, or does not move."""

import pytest

from agents import blocks
from memory import moving
from memory.core import BadBlock, BlockFields
from memory.models import Block
from tests.agents.sharing import Team, make_team, new_block, seen
from tests.cast import Cast, new_agent


@pytest.fixture
def team(cast: Cast) -> Team:
    return make_team(cast)


def test_a_block_that_moves_takes_its_agents_along(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in()
    mine = new_agent(alice)
    notes = new_block(alice, alice.personal)
    with alice.scope():
        blocks.attach(mine.id, notes.id)
        moving.move_block(notes.id, team.cast.team)
    assert seen(alice, mine)["notes"].workspace_id == team.cast.team
    with bob.scope():
        (use,) = blocks.users_of(Block.objects.get(id=notes.id))
    assert (use.agent_id, use.agent_name) == (mine.id, "")


def test_a_block_does_not_move_to_where_its_agent_has_another_of_its_label(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in("editor")
    with bob.scope():
        moving.move_block(team.plan.id, bob.personal)
    with alice.scope():
        blocks.add_agent_block(team.agent.id, BlockFields(label="plan"))
    with bob.scope():
        with pytest.raises(BadBlock, match="'plan' there already"):
            moving.move_block(team.plan.id, team.cast.team)
        assert Block.objects.get(id=team.plan.id).workspace_id == bob.personal
