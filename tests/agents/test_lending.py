"""In a chat that others read, one's own block is out of view until one lends it, and then only read."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from agents import blocks
from agents.core_memory import blocks_in_chat
from agents.models import AgentBlock, MainContext
from memory.core import BadBlock
from tenants.models import WorkspaceMember
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.sharing import Team, edit, make_team, new_block, seen
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, Person
from tests.tenants.locks import LOCKS, turned

SECRET = "Prefers mornings."


@pytest.fixture
def team(cast: Cast, impatient: None) -> Iterator[Team]:
    """Alice told the team's agent of herself; Bob is of the team."""
    with StubServer() as server:
        made = make_team(cast, server)
        cast.let_bob_in("editor")
        edit(cast.alice, _human(cast.alice, made), value=SECRET)
        yield made


def _human(person: Person, team: Team) -> Any:
    team.talk(person)
    with person.scope():
        return AgentBlock.objects.select_related("block").get(agent=team.agent, label="human").block


def prompt(chat: Stubbed) -> str:
    """The system message of a turn in a chat."""
    chat.queue(text("Well."))
    chat.say("Hello.")
    return str(chat.request()["messages"][0]["content"])


def lend(person: Person, team: Team, allowed: bool = True) -> AgentBlock:
    with person.scope():
        human = AgentBlock.objects.get(agent=team.agent, label="human").block_id
        return blocks.lend(team.agent.id, human, allowed=allowed)


@pytest.mark.parametrize("lock", LOCKS)
def test_it_is_shown_to_the_team_only_while_it_is_lent(team: Team, lock: str) -> None:
    alice = team.cast.alice
    chat, private = team.talk(alice, team.cast.team), team.talk(alice)
    with turned(lock):
        assert SECRET in prompt(private)
        assert SECRET not in prompt(chat)
        lend(alice, team)
        assert SECRET in prompt(chat)
        lend(alice, team, allowed=False)
        assert SECRET not in prompt(chat)


def test_it_is_marked_as_read_only_and_nobody_writes_it_from_there(team: Team) -> None:
    alice = team.cast.alice
    lend(alice, team)
    chat = team.talk(alice, team.cast.team)
    head = '<block label="human" used="17" limit="2000" unit="characters" read_only="true">'
    assert head in prompt(chat)
    write = ("core_memory_append", {"label": "human", "content": "Seen in the team's chat."})
    chat.queue(calls(write), text("I cannot."))
    (result,) = map(json.loads, chat.results(chat.say("Hello.")))
    assert (result["status"], result["code"]) == ("error", "read_only")
    assert "the person's own" in result["error"]
    assert seen(alice, team.agent)["human"].value == SECRET
    assert "read_only" not in prompt(team.talk(alice))


@pytest.mark.parametrize("lock", LOCKS)
def test_it_is_lent_to_ones_own_turns_and_to_no_others(team: Team, lock: str) -> None:
    """Bob reads what the agent answers Alice; his own turns do not hold what is hers."""
    lend(team.cast.alice, team)
    with turned(lock):
        assert SECRET in prompt(team.talk(team.cast.alice, team.cast.team))
        assert SECRET not in prompt(team.talk(team.cast.bob, team.cast.team))
        assert SECRET not in prompt(team.talk(team.cast.bob))


def test_a_key_that_is_narrowed_to_the_team_reads_nothing_that_is_lent(team: Team) -> None:
    alice = team.cast.alice
    lend(alice, team)
    chat = team.talk(alice, team.cast.team)
    assert SECRET in prompt(chat)
    narrowed = replace(alice, identity=alice.identity.narrowed([team.cast.team]))
    assert SECRET not in prompt(replace(chat, person=narrowed))
    for person, is_shown in ((alice, True), (narrowed, False)):
        with person.scope():
            context = MainContext.objects.select_related("agent").get(id=chat.chat.id)
            assert any(SECRET in block.value for block in blocks_in_chat(context)) is is_shown


def test_only_its_owner_lends_it(team: Team) -> None:
    alice, bob = team.cast.alice, team.cast.bob
    human = _human(alice, team)
    for stranger in (bob, team.cast.charlie):
        with stranger.scope(), pytest.raises(AgentBlock.DoesNotExist):
            blocks.lend(team.agent.id, human.id, allowed=True)
    with alice.scope(), pytest.raises(BadBlock):
        blocks.lend(team.agent.id, team.plan.id, allowed=True)
    assert SECRET not in prompt(team.talk(alice, team.cast.team))
    assert lend(alice, team).in_shared_chats


def test_a_label_that_the_team_has_too_is_the_teams(team: Team) -> None:
    alice = team.cast.alice
    hers = new_block(alice, alice.personal, value=SECRET)
    with alice.scope():
        blocks.attach(team.agent.id, hers.id)
        blocks.lend(team.agent.id, hers.id, allowed=True)
    chat = team.talk(alice, team.cast.team)
    assert 'label="notes"' in prompt(chat)
    with team.cast.bob.scope():
        blocks.attach(team.agent.id, new_block(team.cast.bob, team.cast.team, value="Ours.").id)
    shown = prompt(chat)
    assert shown.count('label="notes"') == 1
    assert "Ours." in shown


def test_who_left_the_team_lends_it_nothing_more(team: Team) -> None:
    """The agent is out of her reach, so the function answers nothing, whoever asks it."""
    alice, bob = team.cast.alice, team.cast.bob
    lend(alice, team)
    for person, count in ((alice, 1), (bob, 0), (team.cast.charlie, 0)):
        with person.scope():
            assert len(lent(team)) == count
    with alice.scope():
        WorkspaceMember.objects.filter(workspace_id=team.cast.team, user_id=alice.user.id).delete()
    with alice.scope():
        assert lent(team) == []


def lent(team: Team) -> list[Any]:
    """What the function in the database answers whoever is asking."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM lent_blocks(%s)", [team.agent.id])
        return list(cursor.fetchall())


def test_the_panel_shows_what_the_model_sees(team: Team) -> None:
    alice = team.cast.alice
    chat, private = team.talk(alice, team.cast.team), team.talk(alice)
    assert shown(alice, private) == {"persona": "propose", "plan": "propose", "human": "free"}
    assert shown(alice, chat) == {"persona": "free", "plan": "free"}
    lend(alice, team)
    assert shown(alice, chat) == {"persona": "free", "plan": "free", "human": "read_only"}


def shown(person: Person, chat: Stubbed) -> dict[str, str]:
    """The blocks of a chat with what may be done to each there."""
    with person.scope():
        context = MainContext.objects.select_related("agent").get(id=chat.chat.id)
        return {block.label: block.governance for block in blocks_in_chat(context)}
