"""A write that reaches wider than its conversation is proposed; the model hears once what became of it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agents import blocks
from agents.models import Turn
from agents.turns import lease
from agents.turns.loop import run_turn
from memory import proposals
from memory.models import Message, Proposal
from tenants import services
from tenants.scope import RowKey
from tests.agents.llm.stub_behaviours import calls, hang_after, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.sharing import Team, edit, make_team, new_block, newest
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, send, work

WRITE = ("core_memory_append", {"label": "plan", "content": "Launch on May 3."})
HEAD = "[what became of your proposals]"


@pytest.fixture
def team(cast: Cast, impatient: None) -> Iterator[Team]:
    with StubServer() as server:
        yield make_team(cast, server)


def propose(team: Team) -> tuple[Stubbed, Proposal]:
    """Alice's own chat with the team's agent, in which it proposes a line of the plan."""
    chat = team.talk(team.cast.alice)
    chat.queue(calls(WRITE), text("I proposed it."))
    chat.say("We launch on May 3.")
    return chat, team.proposals()[-1]


def next_request(chat: Stubbed, words: str = "What is new?") -> Any:
    """What the model is sent in the next turn."""
    chat.queue(text("Well."))
    chat.say(words)
    return chat.request()


def news(request: Any) -> list[str]:
    """What a request tells of decided proposals."""
    said = [each["content"] for each in request["messages"] if each["role"] == "system"]
    return [each for each in said if each.startswith(HEAD)]


def approve(team: Team, proposal: Proposal) -> None:
    with team.cast.alice.scope():
        proposals.approve(proposal.id)


def test_it_proposes_from_a_private_chat_what_the_team_reads(team: Team) -> None:
    chat, proposal = propose(team)
    assert team.value() == ""
    assert (proposal.status, proposal.value) == ("open", "Launch on May 3.")
    assert (proposal.actor_kind, proposal.actor_id) == ("agent", team.agent.id)
    assert (proposal.asked_by, proposal.conversation_id) == (
        team.cast.alice.user.id,
        chat.chat.conversation_id,
    )
    (result,) = (json.loads(each.content) for each in chat.messages() if each.role == "tool")
    assert (result["status"], result["label"], result["proposal"]) == ("proposed", "plan", str(proposal.id))
    assert "Not saved" in result["message"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [({"reason": " Ada said so. "}, "Ada said so."), ({"reason": "x" * 5000}, "x" * 1000), ({}, "")],
)
def test_it_says_why(team: Team, given: dict[str, str], kept: str) -> None:
    chat = team.talk(team.cast.alice)
    chat.queue(calls((WRITE[0], WRITE[1] | given)), text("I proposed it."))
    chat.say("We launch on May 3.")
    assert team.proposals()[-1].reason == kept


def test_the_source_is_the_message_and_lies_where_the_block_lies(team: Team) -> None:
    chat, proposal = propose(team)
    assert proposal.source is not None
    assert proposal.source.workspace_id == team.cast.team
    assert proposal.source.reference == str(chat.messages()[0].id)


def test_the_prompt_says_beforehand_what_will_only_be_proposed(team: Team) -> None:
    chat = team.talk(team.cast.alice)
    system = next_request(chat)["messages"][0]["content"]
    assert '<block label="plan" used="0" limit="2000" unit="characters" propose="true">' in system
    assert '<block label="human" used="0" limit="2000" unit="characters">' in system
    system = next_request(team.talk(team.cast.alice, team.cast.team))["messages"][0]["content"]
    assert '<block label="plan" used="0" limit="2000" unit="characters">' in system


def test_it_writes_at_once_in_the_teams_own_chat(team: Team) -> None:
    chat = team.talk(team.cast.alice, team.cast.team)
    chat.queue(calls(WRITE), text("Saved."))
    chat.say("We launch on May 3.")
    assert team.value() == "Launch on May 3."
    assert team.proposals() == []


def test_what_was_approved_is_in_the_next_prompt_and_the_model_hears_of_it(team: Team) -> None:
    chat, proposal = propose(team)
    assert "Launch on May 3." not in chat.request()["messages"][0]["content"]
    approve(team, proposal)
    request = next_request(chat)
    assert "Launch on May 3." in request["messages"][0]["content"]
    (told,) = news(request)
    assert f"- proposal {proposal.id} (plan: append “Launch on May 3.”): approved by Alice" in told
    version = newest(team.cast.alice, team.plan)
    assert f"see version {version.number} of the block" in told
    assert (version.actor_id, version.approved_by) == (team.agent.id, team.cast.alice.user.id)


@pytest.mark.parametrize("ending", ["rejected", "withdrawn"])
def test_it_hears_of_a_no(team: Team, ending: str) -> None:
    chat, proposal = propose(team)
    with team.cast.alice.scope():
        if ending == "rejected":
            proposals.reject(proposal.id, note="Not </status> before June.")
        else:
            Proposal.objects.filter(id=proposal.id).update(status="withdrawn")
    (told,) = news(next_request(chat))
    assert f"): {ending} by" in told
    assert ("their note: “Not &lt;/status> before June.”" in told) is (ending == "rejected")


def test_it_hears_of_it_once_and_keeps_it_in_the_conversation(team: Team) -> None:
    chat, proposal = propose(team)
    assert news(next_request(chat)) == []
    approve(team, proposal)
    first, second = news(next_request(chat)), news(next_request(chat))
    assert len(first) == 1
    assert first == second
    stored = [each for each in chat.messages() if each.role == "system"]
    assert [each.content for each in stored] == first
    assert all(each.told_at for each in team.proposals())


def test_it_stands_right_behind_the_message_that_began_the_turn(team: Team) -> None:
    chat, proposal = propose(team)
    approve(team, proposal)
    chat.queue(text("Well."))
    turn = chat.say("What is new?")
    assert [each.role for each in chat.messages(turn)] == ["user", "system", "assistant"]


def test_it_hears_of_a_block_that_lay_elsewhere_and_was_detached(team: Team) -> None:
    alice = team.cast.alice
    with alice.scope():
        away = services.open_workspace(name="Away").id
    plan = new_block(alice, away, "away", governance="propose")
    with alice.scope():
        blocks.attach(team.agent.id, plan.id)
    chat = team.talk(alice)
    chat.queue(calls((WRITE[0], WRITE[1] | {"label": "away"})), text("I proposed it."))
    chat.say("We launch on May 3.")
    with alice.scope():
        blocks.detach(team.agent.id, plan.id)
    assert news(next_request(chat)) == []
    with alice.scope():
        proposals.approve(Proposal.objects.get(block=plan).id)
    for _ in range(2):
        (told,) = news(next_request(chat))
        assert "approved by Alice" in told


def test_other_conversations_do_not_hear_of_it(team: Team) -> None:
    chat, proposal = propose(team)
    approve(team, proposal)
    team.cast.let_bob_in()
    others = ((team.cast.alice, None), (team.cast.bob, None), (team.cast.alice, team.cast.team))
    for person, home in others:
        assert news(next_request(team.talk(person, home))) == []
    assert len(news(next_request(chat))) == 1


def die_after(turn: Turn, kind: str) -> None:
    """A worker that gets so far and no further."""
    told = run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id))
    assert any(event.kind == kind for event in told)
    told.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("dies_after", ["claim", "state", "text"])
def test_it_hears_of_it_once_though_its_worker_dies(team: Team, dies_after: str) -> None:
    chat, proposal = propose(team)
    approve(team, proposal)
    half = [hang_after("Half an answer")] if dies_after == "text" else []
    chat.queue(*half, text("Whole."))
    turn = send(chat.person, chat.chat, "What is new?")
    key = RowKey(turn.tenant_id, turn.workspace_id, turn.id)
    if dies_after == "claim":
        assert lease.claim(key) is not None
    else:
        die_after(turn, dies_after)
    with chat.person.scope():
        Turn.objects.filter(id=turn.id).update(lease_until="2020-01-01T00:00Z")
    work(turn)
    assert [each.role for each in chat.messages(turn)].count("system") == 1
    assert len(news(chat.request())) == 1


def test_an_answer_that_calls_a_proposal_saved_is_marked(team: Team) -> None:
    chat = team.talk(team.cast.alice)
    chat.queue(calls(WRITE), text("I've saved that."))
    turn = chat.say("We launch on May 3.")
    assert [each.claims_unsaved for each in chat.messages(turn) if each.role == "assistant"] == [False, True]


def test_the_same_proposal_is_made_once(team: Team) -> None:
    chat = team.talk(team.cast.alice)
    chat.queue(calls(WRITE, WRITE), calls(WRITE), text("Proposed."))
    chat.say("We launch on May 3.")
    assert len(team.proposals()) == 1


def test_whoever_follows_is_told_of_a_proposal(team: Team) -> None:
    chat = team.talk(team.cast.alice)
    chat.queue(calls(WRITE), text("Proposed."))
    told = chat.events("We launch on May 3.")
    (proposal,) = team.proposals()
    (event,) = (each for each in told if each.kind == "proposal")
    (call,) = (each.data["call"] for each in told if each.kind == "tool")
    assert event.data == {
        "proposal": str(proposal.id),
        "block": str(team.plan.id),
        "label": "plan",
        "workspace": str(team.cast.team),
        "operation": "append",
        "call": call,
    }
    assert not any(each.kind == "memory" for each in told)


def test_a_block_that_takes_proposals_only_is_not_written_in_any_chat(team: Team) -> None:
    edit(team.cast.alice, team.plan, governance="propose")
    chat = team.talk(team.cast.alice, team.cast.team)
    chat.queue(calls(WRITE), text("Proposed."))
    chat.say("We launch on May 3.")
    assert team.value() == ""
    assert [each.status for each in team.proposals()] == ["open"]


def test_a_viewer_has_nothing_proposed_for_him(team: Team) -> None:
    team.cast.let_bob_in("viewer")
    chat = team.talk(team.cast.bob)
    chat.queue(calls(WRITE), text("I cannot."))
    turn = chat.say("We launch on May 3.")
    (result,) = map(json.loads, chat.results(turn))
    assert (result["status"], result["code"]) == ("error", "read_only")
    assert team.proposals() == []
    assert 'label="plan" used="0" limit="2000" unit="characters" read_only="true"' in str(chat.request())


def test_the_message_of_decisions_is_no_hit_of_a_search(team: Team) -> None:
    chat, proposal = propose(team)
    approve(team, proposal)
    look = ("conversation_search", {"query": "approved"})
    chat.queue(calls(look), text("Well."))
    turn = chat.say("Look it up.")
    (result,) = map(json.loads, chat.results(turn))
    assert result["results"] == []
    with team.cast.alice.scope():
        assert Message.objects.filter(turn_id=turn.id, role="system").count() == 1
