"""Core memory is not searched: whether a block stands in the prompt of a chat is told, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents import blocks
from agents.inspector.finding import explain
from agents.inspector.in_prompt import Standing, too_long
from agents.models import Agent, MainContext
from memory.models import Block
from memory.retrieval.why_not import Reason
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.agents.sharing import Team, edit, make_team, new_block, now
from tests.cast import Cast, Person, new_agent, new_chat

WORDS = "Alice keeps a zebra."


@pytest.fixture
def team(cast: Cast) -> Iterator[Team]:
    with StubServer() as server:
        yield make_team(cast, server)


def told(person: Person, chat: MainContext, words: str = "zebra") -> list[Standing | None]:
    """What is said of the records with these words, asked for by the same."""
    with person.scope():
        context = MainContext.objects.select_related("agent__model").get(id=chat.id)
        return [each.standing for each in explain(context, words, words)]


def human_of(person: Person, agent: Agent) -> Block:
    with person.scope():
        return Block.objects.get(attachments__agent=agent, label="human")


def test_a_block_in_view_is_in_the_prompt_and_an_older_text_of_it_is_not(team: Team) -> None:
    alice, chat = team.cast.alice, team.talk(team.cast.alice).chat
    edit(alice, team.plan, value=WORDS)
    assert told(alice, chat) == [Standing.WHOLE]
    edit(alice, team.plan, value="Alice keeps a horse.")
    assert told(alice, chat) == [Standing.OLDER]
    assert told(alice, chat, "horse") == [Standing.WHOLE]


def test_what_is_searched_is_told_of_by_its_search(team: Team) -> None:
    alice = team.cast.alice
    chat = team.talk(alice)
    chat.queue(text("I see."))
    chat.say(WORDS)
    with alice.scope():
        (found,) = explain(chat.chat, "zebra", "zebra")
    assert (found.standing, found.why.reasons) == (None, (Reason.FOUND,))


def test_one_that_the_agent_has_stands_there_and_one_that_it_has_not_does_not(team: Team) -> None:
    alice, chat = team.cast.alice, team.talk(team.cast.alice).chat
    other = new_block(alice, team.cast.team, value=WORDS)
    assert told(alice, chat) == [Standing.NOT_ITS]
    with alice.scope():
        blocks.attach(team.agent.id, other.id)
    assert told(alice, chat) == [Standing.WHOLE]


def test_ones_own_is_kept_back_from_a_chat_that_others_read_until_it_is_lent(team: Team) -> None:
    alice = team.cast.alice
    mine, ours = team.talk(alice).chat, team.talk(alice, team.cast.team).chat
    human = human_of(alice, team.agent)
    edit(alice, human, value=WORDS)
    assert (told(alice, mine), told(alice, ours)) == ([Standing.WHOLE], [Standing.KEPT_BACK])
    with alice.scope():
        blocks.lend(team.agent.id, human.id, allowed=True)
    assert told(alice, ours) == [Standing.WHOLE]


def test_of_two_blocks_of_one_name_one_stands_there(team: Team) -> None:
    """Alice does not see Bob's own, so she can give the agent another one of that name."""
    bob, alice = team.cast.bob, team.cast.alice
    team.cast.let_bob_in("editor")
    his = new_block(bob, bob.personal, "goals", value=WORDS)
    with bob.scope():
        blocks.attach(team.agent.id, his.id)
    chat = team.talk(bob).chat
    assert told(bob, chat) == [Standing.WHOLE]
    with alice.scope():
        blocks.attach(team.agent.id, new_block(alice, team.cast.team, "goals", value="A zebra.").id)
    assert sorted(map(str, told(bob, chat))) == [Standing.SAME_NAME, Standing.WHOLE]


def test_a_block_that_is_too_long_for_the_window_stands_there_in_part(alice: Person) -> None:
    agent = new_agent(alice, window=4000)
    chat, human = new_chat(alice, agent), human_of(alice, agent)
    edit(alice, human, value=WORDS)
    with alice.scope():
        assert too_long(agent) == []
    edit(alice, human, value=WORDS + " It eats grass, and every day a little more of it." * 300, limit=20_000)
    assert set(told(alice, chat)) == {Standing.OLDER, Standing.IN_PART}
    with alice.scope():
        (found,) = too_long(agent)
    assert found.block.label == "human"
    assert 0 < found.kept < len(now(alice, human).value)
