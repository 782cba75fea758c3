"""What somebody who sees a workspace may do in it: viewer, member, editor, admin."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from agents import blocks, roster
from agents import services as agents
from agents.models import Agent, MainContext, Turn
from agents.roster import AgentFields
from memory import core, recall
from memory.core import BlockFields
from memory.models import Block, Proposal
from memory.operations import Append
from tenants import members, people, services
from tenants.models import Membership, User, Workspace
from tenants.permissions import ORDER, NotAllowed
from tests.cast import Cast, new_agent, new_chat, send


@dataclass
class Team:
    """Alice's team with an agent, a block, a chat and a turn that waits."""

    cast: Cast
    agent: Agent
    block: Block
    chat: MainContext
    turn: Turn


@pytest.fixture
def team(cast: Cast) -> Team:
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    turn = send(cast.alice, chat, "hello")
    with cast.alice.scope():
        block = blocks.add_agent_block(agent.id, BlockFields(label="project"))
        core.operate(block.id, Append("one"), actor=core.by_me())
    return Team(cast, agent, block, chat, turn)


ACTS: dict[str, tuple[str, Callable[[Team], Any]]] = {
    "reads a block": ("viewer", lambda team: Block.objects.get(id=team.block.id)),
    "reads a chat": ("viewer", lambda team: agents.open_chat(team.chat.conversation_id)),
    "begins a team's chat": (
        "member",
        lambda team: agents.start_chat(agent_id=team.agent.id, workspace_id=team.cast.team),
    ),
    "sends a message": (
        "member",
        lambda team: agents.receive_message(
            conversation_id=team.chat.conversation_id, content="hello", client_id="2"
        ),
    ),
    "stops a turn": ("member", lambda team: agents.stop_turn(team.turn.id)),
    "retries a turn": ("member", lambda team: agents.retry_turn(team.turn.id)),
    "appends to a block": (
        "editor",
        lambda team: core.operate(team.block.id, Append("x"), actor=core.by_me()),
    ),
    "edits a block": (
        "editor",
        lambda team: core.edit_block(
            team.block.id, BlockFields(value="x"), expected_version=2, actor=core.by_me()
        ),
    ),
    "restores a version": ("editor", lambda team: core.restore(team.block.id, 1, actor=core.by_me())),
    "takes a version back": ("editor", lambda team: core.undo(team.block.id, 2, actor=core.by_me())),
    "makes a block": (
        "editor",
        lambda team: core.create_block(
            workspace_id=team.cast.team, fields=BlockFields(label="new"), actor=core.by_me()
        ),
    ),
    "gives the agent a block": (
        "editor",
        lambda team: blocks.add_agent_block(team.agent.id, BlockFields(label="new")),
    ),
    "makes an agent": (
        "editor",
        lambda team: roster.create_agent(workspace_id=team.cast.team, fields=AgentFields(name="x")),
    ),
    "changes an agent": ("editor", lambda team: roster.update_agent(team.agent.id, AgentFields(name="x"))),
    "retires an agent": ("editor", lambda team: roster.delete_agent(team.agent.id)),
    "renames somebody else's chat": ("admin", lambda team: recall.rename(team.chat.conversation_id, "x")),
    "deletes somebody else's chat": ("admin", lambda team: recall.delete(team.chat.conversation_id)),
    "lets somebody in": (
        "admin",
        lambda team: members.add_member(
            workspace_id=team.cast.team, user_id=team.cast.bob.user.id, role="viewer"
        ),
    ),
}


@pytest.mark.parametrize("role", ORDER)
def test_a_role_allows_what_it_says_and_no_more(team: Team, role: str) -> None:
    team.cast.let_bob_in(role)
    for name, (needed, act) in ACTS.items():
        may = ORDER.index(role) >= ORDER.index(needed)
        with team.cast.bob.scope():
            assert _is_allowed(act, team) is may, f"{role} {name}"
            transaction.set_rollback(True)


def _is_allowed(act: Callable[[Team], Any], team: Team) -> bool:
    """Whether it is done; what only waits for an editor's yes is not."""
    try:
        return not isinstance(act(team), Proposal)
    except NotAllowed:
        return False


@pytest.mark.parametrize("role", ORDER)
def test_a_member_proposes_what_an_editor_does(team: Team, role: str) -> None:
    team.cast.let_bob_in(role)
    act = ACTS["appends to a block"][1]
    with team.cast.bob.scope():
        if role == "viewer":
            with pytest.raises(NotAllowed):
                act(team)
        else:
            assert isinstance(act(team), Proposal) is (role == "member")


def test_a_viewer_has_a_chat_of_his_own_with_the_teams_agent(team: Team) -> None:
    """It lies in his own workspace, where he is admin."""
    team.cast.let_bob_in("viewer")
    assert new_chat(team.cast.bob, team.agent).workspace_id == team.cast.bob.personal


def test_nobody_lets_another_into_a_personal_workspace(cast: Cast) -> None:
    with cast.alice.scope(), pytest.raises(services.NotShared):
        members.add_member(workspace_id=cast.alice.personal, user_id=cast.bob.user.id, role="viewer")
    with cast.bob.scope() as entered:
        assert entered.of_kind(Workspace.Kind.PERSONAL) == [cast.bob.personal]


def test_nobody_without_a_seat_is_let_in(cast: Cast) -> None:
    with cast.alice.scope(), pytest.raises(Membership.DoesNotExist):
        members.add_member(workspace_id=cast.team, user_id=cast.charlie.user.id, role="viewer")


def test_a_person_has_one_seat_in_a_tenant(cast: Cast) -> None:
    with cast.alice.scope():
        with pytest.raises(people.AlreadySeated):
            people.add_person(user=cast.bob.user, name="Bob again")
        assert Membership.objects.filter(user_id=cast.bob.user.id).count() == 1


def test_only_an_owner_makes_owners(cast: Cast) -> None:
    friend = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with cast.alice.scope():
        Membership.objects.filter(user_id=cast.bob.user.id).update(role="admin")
    with cast.bob.scope():
        with pytest.raises(NotAllowed):
            people.add_person(user=friend, name="A friend", role="owner")
        people.add_person(user=friend, name="A friend")
