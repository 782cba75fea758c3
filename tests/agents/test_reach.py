"""What a turn may see: never more than its person, nor than the key with which the message was sent."""

import uuid
from collections.abc import Iterator

import pytest

from agents import blocks, branching
from agents.models import Turn
from agents.services import receive_message
from agents.turns.lease import reach_of
from tenants.scope import scope
from tests.agents.llm.stub_behaviours import calls, refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.sharing import Team, make_team, new_block
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Cast, Person, new_agent, new_chat, send, work

READ = "message_read"


@pytest.fixture
def team(cast: Cast, impatient: None) -> Iterator[Team]:
    with StubServer() as server:
        yield make_team(cast, server)


def reach(person: Person, turn: Turn) -> frozenset[uuid.UUID]:
    found = reach_of(turn)
    assert found is not None
    assert found.user_id == person.user.id
    return found.reach or frozenset()


def test_it_is_the_conversations_the_agents_and_the_organisations(team: Team) -> None:
    cast = team.cast
    alice = cast.alice
    for chat, places in (
        (team.talk(alice), {alice.personal, cast.team}),
        (team.talk(alice, cast.team), {cast.team}),
    ):
        assert reach(alice, send(alice, chat.chat, "Hello.")) == places | {cast.organisation}


def test_it_is_also_where_blocks_of_the_agent_lie(team: Team) -> None:
    alice = team.cast.alice
    mine = new_agent(alice)
    chat = new_chat(alice, mine)
    before = reach(alice, send(alice, chat, "Hello."))
    assert team.cast.team not in before
    with alice.scope():
        blocks.attach(mine.id, team.plan.id)
    assert reach(alice, send(alice, chat, "Hello.")) == before | {team.cast.team}


def test_a_block_of_ones_own_does_not_open_ones_own_workspace_to_the_teams_chat(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        blocks.attach(team.agent.id, new_block(alice, alice.personal).id)
    chat = team.talk(alice, team.cast.team)
    assert alice.personal not in reach(alice, send(alice, chat.chat, "Hello."))


def test_a_key_that_is_narrowed_narrows_the_turn(team: Team) -> None:
    """The agent's workspace is none of the key's, so it is none of the turn's."""
    alice = team.cast.alice
    chat = team.talk(alice)
    wide = send(alice, chat.chat, "Hello.")
    with scope(alice.identity.narrowed([alice.personal])):
        narrow = send_here(chat)
    assert reach(alice, wide) > reach(alice, narrow) == {alice.personal}
    chat.queue(text("Hello."))
    assert work(wide)[-1].data["status"] == "done"
    told = work(narrow)
    assert [each.data["kind"] for each in told if each.kind == "error"] == ["no_access"]


def send_here(chat: Stubbed) -> Turn:
    """A message in the present scope."""
    return receive_message(
        conversation_id=chat.chat.conversation_id, content="Hello.", client_id=uuid.uuid4().hex
    )


def test_a_message_of_another_agents_chat_is_not_read_by_its_id(team: Team) -> None:
    """Also where it lies in reach, since the agent has a block from there."""
    alice = team.cast.alice
    elsewhere = team.talk(alice, team.cast.team)
    elsewhere.queue(text("Well."))
    secret = elsewhere.say("The vault opens at nine.").message_id
    own = Stubbed(alice, elsewhere.server, new_agent(alice, model_id=team.agent.model_id), elsewhere.chat)
    with alice.scope():
        blocks.attach(own.agent.id, team.plan.id)
    own.chat = new_chat(alice, own.agent)
    for reader, found in ((elsewhere, True), (own, False)):
        reader.queue(calls((READ, {"id": str(secret)})), text("Well."))
        (result,) = reader.results(reader.say("Read it."))
        assert ("vault" in result) is found


def test_a_key_that_is_narrowed_narrows_a_turn_that_it_has_answered_again(alice: Person) -> None:
    with StubServer(refuse(401), text("Hello!"), text("Hello again!")) as server:
        stubbed = make_stubbed(alice, server)
        turn = stubbed.say("Hello.")
        assert (turn.status, turn.reach) == ("failed", None)
        with scope(alice.identity.narrowed([alice.personal])):
            again = branching.answer_again(turn.id).turn
        assert (again.id, again.reach) == (turn.id, [alice.personal])
        work(again)
        with scope(alice.identity.narrowed([alice.personal])):
            beside = branching.answer_again(turn.id).turn
        assert beside.id != turn.id
        assert beside.reach == [alice.personal]
