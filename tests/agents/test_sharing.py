"""A block comes to an agent by its id, where both sides allow it; either side ends it; the block stays."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from agents import blocks
from agents.models import Agent, AgentBlock
from memory import core
from memory.core import BadBlock, BlockFields
from memory.models import Block
from tenants import members
from tenants.models import AuditEvent
from tenants.permissions import ORDER, NotAllowed
from tests.agents.sharing import Team, make_team, new_block, now, seen
from tests.agents.tools.calling import make_tools
from tests.cast import Cast, Person, new_agent


@pytest.fixture
def team(cast: Cast) -> Team:
    return make_team(cast)


def attach(person: Person, agent: Agent, block: Block) -> AgentBlock:
    with person.scope():
        return blocks.attach(agent.id, block.id)


def is_allowed(act: Callable[[], Any]) -> bool:
    try:
        act()
    except NotAllowed:
        return False
    return True


def test_two_agents_with_one_label_keep_two_blocks(alice: Person) -> None:
    one, other = new_agent(alice), new_agent(alice)
    make_tools(alice, one).call("core_memory_append", label="persona", content="Speaks Dutch.")
    assert seen(alice, one)["persona"].block_id != seen(alice, other)["persona"].block_id
    assert "Dutch" in seen(alice, one)["persona"].value
    assert "Dutch" not in seen(alice, other)["persona"].value


def test_one_block_of_two_agents_is_one_block(alice: Person) -> None:
    one, other = new_agent(alice), new_agent(alice)
    notes = new_block(alice, alice.personal)
    with alice.scope():
        blocks.share(notes.id, [one.id, other.id])
    make_tools(alice, one).call("core_memory_append", label="notes", content="Drinks tea.")
    make_tools(alice, other).call("core_memory_append", label="notes", content="Eats rice.")
    assert now(alice, notes).value == "Drinks tea.\nEats rice."
    assert seen(alice, one)["notes"] == seen(alice, other)["notes"]


def test_a_teams_block_is_seen_and_proposed_to_by_ones_own_agent(team: Team) -> None:
    alice = team.cast.alice
    mine = new_agent(alice)
    attach(alice, mine, team.plan)
    tools = make_tools(alice, mine)
    assert tools.call("core_memory_append", label="plan", content="May 3")["status"] == "proposed"
    with alice.scope():
        blocks.set_override(mine.id, team.plan.id, "free")
    assert tools.call("core_memory_append", label="plan", content="May 3")["status"] == "ok"
    assert team.value() == "May 3"


def test_an_agent_of_somebody_who_lost_the_role_writes_freely_no_longer(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in("editor")
    his = new_agent(bob)
    attach(bob, his, team.plan)
    with bob.scope():
        blocks.set_override(his.id, team.plan.id, "free")
    tools = make_tools(bob, his)
    assert tools.call("core_memory_append", label="plan", content="1")["status"] == "ok"
    with alice.scope():
        members.add_member(workspace_id=team.cast.team, user_id=bob.user.id, role="member")
    assert tools.call("core_memory_append", label="plan", content="2")["status"] == "proposed"
    assert team.value() == "1"


@pytest.mark.parametrize("role", ORDER)
def test_both_sides_have_to_allow_it(team: Team, role: str) -> None:
    """Bob is of the team in that role, and owns the other side himself."""
    bob = team.cast.bob
    team.cast.let_bob_in(role)
    may = ORDER.index(role) >= ORDER.index("editor")
    his_agent, his_block = new_agent(bob), new_block(bob, bob.personal)
    for agent, block in ((his_agent, team.plan), (team.agent, his_block), (team.agent, team.plan)):
        with bob.scope():
            AgentBlock.objects.filter(agent=team.agent, block=team.plan).delete()
            assert is_allowed(partial(blocks.attach, agent.id, block.id)) is may
            transaction.set_rollback(True)


def test_a_foreign_block_cannot_be_attached_nor_a_block_to_a_foreign_agent(team: Team) -> None:
    alice, charlie = team.cast.alice, team.cast.charlie
    hers, his = new_block(alice, alice.personal), new_block(charlie, charlie.personal)
    agent, foreign = new_agent(alice), new_agent(charlie)
    assert attach(alice, agent, hers).block_id == hers.id
    for block_id in (his.id, uuid.uuid4()):
        with alice.scope(), pytest.raises(Block.DoesNotExist):
            blocks.attach(agent.id, block_id)
    for agent_id in (foreign.id, uuid.uuid4()):
        with alice.scope(), pytest.raises(Agent.DoesNotExist):
            blocks.attach(agent_id, hers.id)
    with team.cast.bob.scope(), pytest.raises(Block.DoesNotExist):
        blocks.attach(new_agent(team.cast.bob).id, team.plan.id)


def test_it_refuses_the_same_block_twice_and_another_of_its_label(team: Team) -> None:
    alice = team.cast.alice
    twin = new_block(alice, team.cast.team, "plan")
    for block, field in ((team.plan, "block"), (twin, "label")):
        with pytest.raises(BadBlock) as refused:
            attach(alice, team.agent, block)
        assert refused.value.field == field
    assert seen(alice, team.agent)["plan"].block_id == team.plan.id


def test_ones_own_block_on_a_shared_agent_is_in_ones_own_view_only(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in("editor")
    hers, his = new_block(alice, alice.personal), new_block(bob, bob.personal)
    assert attach(alice, team.agent, hers).person_id == alice.user.id
    assert attach(bob, team.agent, his).person_id == bob.user.id
    assert seen(alice, team.agent)["notes"].block_id == hers.id
    assert seen(bob, team.agent)["notes"].block_id == his.id


def test_a_label_that_others_have_for_themselves_is_not_given_to_all(team: Team) -> None:
    """Whoever attaches sees it of themselves; of others it is not told, and each still sees one."""
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in("editor")
    attach(bob, team.agent, new_block(bob, bob.personal))
    shared = new_block(alice, team.cast.team)
    attach(alice, team.agent, shared)
    assert seen(alice, team.agent)["notes"].block_id == shared.id
    assert seen(bob, team.agent)["notes"].block_id == shared.id


def test_a_block_from_a_workspace_out_of_sight_stands_in_nobodys_way(cast: Cast) -> None:
    """Bob does not see that Alice gave the organisation's agent a block of the team's."""
    agent = new_agent(cast.alice, cast.organisation)
    with cast.alice.scope():
        members.add_member(workspace_id=cast.organisation, user_id=cast.bob.user.id, role="editor")
    hidden = new_block(cast.alice, cast.team)
    attach(cast.alice, agent, hidden)
    assert seen(cast.alice, agent)["notes"].block_id == hidden.id
    assert "notes" not in seen(cast.bob, agent)
    with cast.bob.scope():
        made = blocks.add_agent_block(agent.id, BlockFields(label="notes"))
    assert seen(cast.bob, agent)["notes"].block_id == made.id
    assert seen(cast.alice, agent)["notes"].block_id == made.id


def test_either_side_ends_it_and_the_block_stays(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    team.cast.let_bob_in("editor")
    his = new_agent(bob)
    attach(bob, his, team.plan)
    with alice.scope():
        assert [use.agent_id for use in blocks.users_of(team.plan)] == [his.id, team.agent.id]
        blocks.detach(his.id, team.plan.id)
        assert [use.agent_id for use in blocks.users_of(team.plan)] == [team.agent.id]
    assert "plan" not in seen(bob, his)
    attach(bob, his, team.plan)
    with alice.scope():
        members.add_member(workspace_id=team.cast.team, user_id=bob.user.id, role="viewer")
    with bob.scope():
        with pytest.raises(NotAllowed):
            blocks.detach(team.agent.id, team.plan.id)
        blocks.detach(his.id, team.plan.id)
    assert now(alice, team.plan).retired_at is None


def test_sharing_is_with_all_or_with_none(team: Team) -> None:
    alice = team.cast.alice
    one, taken, other = new_agent(alice), new_agent(alice), new_agent(alice)
    notes = new_block(alice, alice.personal)
    attach(alice, taken, new_block(alice, alice.personal))
    with alice.scope(), pytest.raises(BadBlock):
        blocks.share(notes.id, [one.id, taken.id, other.id])
    assert "notes" not in seen(alice, one) | seen(alice, other)
    with alice.scope():
        blocks.share(notes.id, [one.id])
        assert len(blocks.share(notes.id, [one.id, other.id])) == 1
    assert "notes" in seen(alice, other)


@pytest.mark.parametrize(
    ("own", "override", "status"),
    [
        ("free", "read_only", "error"),
        ("free", "propose", "proposed"),
        ("propose", "free", "ok"),
        ("read_only", "free", "ok"),
        ("read_only", "propose", "proposed"),
        ("read_only", None, "error"),
    ],
)
def test_an_agents_own_rule_counts_for_it_alone(
    alice: Person, own: str, override: str | None, status: str
) -> None:
    ruled, other = new_agent(alice), new_agent(alice)
    notes = new_block(alice, alice.personal, governance=own)
    with alice.scope():
        blocks.share(notes.id, [ruled.id, other.id])
        blocks.set_override(ruled.id, notes.id, override)
    assert seen(alice, ruled)["notes"].governance == (override or own)
    assert seen(alice, other)["notes"].governance == own
    tools = make_tools(alice, ruled)
    assert tools.call("core_memory_append", label="notes", content="x")["status"] == status


def test_a_rule_is_one_of_three_and_takes_both_sides(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    with alice.scope(), pytest.raises(BadBlock):
        blocks.set_override(team.agent.id, team.plan.id, "sometimes")
    team.cast.let_bob_in("member")
    with bob.scope(), pytest.raises(NotAllowed):
        blocks.set_override(team.agent.id, team.plan.id, "free")
    with team.cast.charlie.scope(), pytest.raises(AgentBlock.DoesNotExist):
        blocks.set_override(team.agent.id, team.plan.id, "free")


def test_a_deleted_block_is_out_of_view_and_gives_its_label_back(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        core.delete_block(team.plan.id)
    assert "plan" not in seen(alice, team.agent)
    with alice.scope():
        core.bring_back(team.plan.id)
    assert seen(alice, team.agent)["plan"].block_id == team.plan.id
    with alice.scope():
        core.delete_block(team.plan.id)
        made = blocks.add_agent_block(team.agent.id, BlockFields(label="plan"))
        core.bring_back(team.plan.id)
    assert seen(alice, team.agent)["plan"].block_id == made.id
    with alice.scope():
        assert blocks.users_of(team.plan) == []


def test_a_new_label_is_the_label_everywhere_or_nowhere(team: Team) -> None:
    alice = team.cast.alice
    mine = new_agent(alice)
    attach(alice, mine, team.plan)
    with alice.scope():
        blocks.edit_block(team.plan.id, BlockFields(label="goals"), expected_version=1)
    assert "goals" in seen(alice, mine)
    assert "goals" in seen(alice, team.agent)
    with alice.scope(), pytest.raises(BadBlock):
        blocks.edit_block(team.plan.id, BlockFields(label="persona"), expected_version=2)
    assert now(alice, team.plan).label == "goals"


def test_each_change_of_who_has_a_block_is_in_the_audit_log(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        blocks.set_override(team.agent.id, team.plan.id, "propose")
        blocks.detach(team.agent.id, team.plan.id)
        blocks.attach(team.agent.id, team.plan.id)
        told = AuditEvent.objects.filter(object_id=team.plan.id).order_by("id")
        actions = list(told.values_list("action", flat=True))
        last = told.latest("id")
    assert actions == ["block.created", "block.governed", "block.detached", "block.attached"]
    assert (last.actor_id, last.object_name) == (alice.user.id, "plan")
    assert last.details["agent_name"] == team.agent.name


def test_many_blocks_and_agents_are_listed_in_two_queries(team: Team, django_assert_num_queries: Any) -> None:
    alice = team.cast.alice
    with alice.scope():
        made = [blocks.add_agent_block(team.agent.id, BlockFields(label=f"b{place}")) for place in range(20)]
        with django_assert_num_queries(2):
            found = blocks.users_by_block(block.id for block in made)
    assert len(found) == 20
