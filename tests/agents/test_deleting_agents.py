"""An agent goes; what others have of it stays, and what only it had stays or goes as one says."""

import pytest

from agents import blocks, roster
from agents.models import Agent
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants.models import AuditEvent
from tenants.permissions import NotAllowed
from tests.agents.sharing import Team, make_team, new_block, now, seen
from tests.cast import Cast, new_agent, new_chat


@pytest.fixture
def team(cast: Cast) -> Team:
    return make_team(cast, value="Launch on May 3.")


def labels(found: list[Block]) -> list[str]:
    return [block.label for block in found]


@pytest.mark.parametrize("with_blocks", [False, True])
def test_blocks_that_others_have_stay(team: Team, with_blocks: bool) -> None:
    alice = team.cast.alice
    other = new_agent(alice)
    with alice.scope():
        blocks.attach(other.id, team.plan.id)
        found = roster.preview_deletion(team.agent.id)
        assert (labels(found.own), labels(found.kept)) == (["persona", "human"], ["plan"])
        roster.delete_agent(team.agent.id, with_blocks=with_blocks)
    assert seen(alice, other)["plan"].value == "Launch on May 3."
    with alice.scope():
        persona = Block.objects.get(attachments__agent=team.agent, label="persona")
    assert bool(persona.retired_at) is with_blocks


def test_what_a_colleagues_own_agent_has_is_not_ones_own_alone(team: Team) -> None:
    """Alice does not see Bob's agent; she sees that there is one."""
    team.cast.let_bob_in("editor")
    his = new_agent(team.cast.bob)
    with team.cast.bob.scope():
        blocks.attach(his.id, team.plan.id)
    with team.cast.alice.scope():
        assert "plan" in labels(roster.preview_deletion(team.agent.id).kept)
        roster.delete_agent(team.agent.id, with_blocks=True)
    assert seen(team.cast.bob, his)["plan"].value == "Launch on May 3."


def test_it_comes_back_with_the_blocks_that_went_along(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        dropped = blocks.add_agent_block(team.agent.id, BlockFields(label="dropped"))
        core.delete_block(dropped.id)
        roster.delete_agent(team.agent.id, with_blocks=True)
    assert now(alice, team.plan).retired_at
    with alice.scope():
        assert roster.bring_back_agent(team.agent.id).retired_at is None
        roster.bring_back_agent(team.agent.id)
    assert list(seen(alice, team.agent)) == ["persona", "human", "plan"]
    assert now(alice, dropped).retired_at


def test_its_chats_stay_and_nobody_begins_another(team: Team) -> None:
    alice = team.cast.alice
    chat = new_chat(alice, team.agent)
    with alice.scope():
        roster.delete_agent(team.agent.id)
    with alice.scope(), pytest.raises(Agent.DoesNotExist):
        roster.delete_agent(team.agent.id)
    with pytest.raises(Agent.DoesNotExist):
        new_chat(alice, team.agent)
    with alice.scope():
        assert Agent.objects.get(contexts=chat).retired_at


def test_it_takes_an_editor(team: Team) -> None:
    team.cast.let_bob_in("member")
    for act in (roster.preview_deletion, roster.delete_agent, roster.bring_back_agent):
        with team.cast.bob.scope(), pytest.raises(NotAllowed):
            act(team.agent.id)
        with team.cast.charlie.scope(), pytest.raises(Agent.DoesNotExist):
            act(team.agent.id)


def test_a_block_that_agents_have_is_deleted_only_when_that_is_said(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        with pytest.raises(blocks.BlockInUse) as refused:
            blocks.delete_block(team.plan.id)
        assert refused.value.facts == {"users": [{"agent": str(team.agent.id), "name": "Memo"}]}
        blocks.delete_block(team.plan.id, also_used=True)
    assert now(alice, team.plan).retired_at
    loose = new_block(alice, team.cast.team)
    with alice.scope():
        assert blocks.delete_block(loose.id).retired_at


def test_what_is_done_to_an_agent_is_in_the_audit_log(team: Team) -> None:
    with team.cast.alice.scope():
        roster.update_agent(team.agent.id, roster.AgentFields(name="Nemo", instructions="Be brief."))
        roster.update_agent(team.agent.id, roster.AgentFields(name="Nemo"))
        roster.delete_agent(team.agent.id)
        roster.bring_back_agent(team.agent.id)
        told = AuditEvent.objects.filter(object_id=team.agent.id).order_by("id")
        assert [(each.action, each.object_name) for each in told] == [
            ("agent.created", "Memo"),
            ("agent.edited", "Nemo"),
            ("agent.retired", "Nemo"),
            ("agent.returned", "Nemo"),
        ]
        assert told[1].details["fields"] == ["name", "instructions"]
        assert "Be brief." not in str(told[1].details)
