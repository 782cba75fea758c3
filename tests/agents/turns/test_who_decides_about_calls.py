"""The person of the turn decides about a tool call, or an editor; nobody puts words into another's call."""

from typing import Any

import pytest

from agents.models import Approval, Turn
from agents.turns import approvals
from agents.turns.approvals import NotYourCall
from tenants.models import AuditEvent
from tenants.permissions import NotAllowed
from tenants.scope import scope
from tests.agents.asking import decide, waiting
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.ruled import FILE, of, rule
from tests.agents.stubbed import Stubbed, make_stubbed, stub_model
from tests.cast import Cast, new_agent, new_chat, work


@pytest.fixture
def team_chat(cast: Cast, impatient: None) -> Any:
    """A chat of the team's, in which Bob has said something."""
    with StubServer() as server:
        agent = new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, server.url).id)
        yield agent, server


def asked_by_bob(cast: Cast, team_chat: Any, role: str) -> tuple[Stubbed, Turn, Approval]:
    agent, server = team_chat
    cast.let_bob_in(role)
    stubbed = Stubbed(cast.bob, server, agent, new_chat(cast.bob, agent, cast.team))
    rule(Stubbed(cast.alice, server, agent, stubbed.chat), of("requires_approval", FILE[0]))
    stubbed.queue(calls(FILE), text("Filed."))
    turn = stubbed.say("File that tea is at four.")
    return stubbed, turn, waiting(stubbed, turn)[0]


def test_the_person_of_the_turn_decides_though_a_member(cast: Cast, team_chat: Any) -> None:
    stubbed, turn, approval = asked_by_bob(cast, team_chat, "member")
    changed = {"content": "Tea is at five."}
    assert decide(cast.bob, approvals.approve, approval, arguments=changed).status == "approved"
    work(turn)
    assert stubbed.fresh(turn).status == Turn.Status.DONE


def test_an_editor_decides_but_puts_no_words_into_anothers_call(cast: Cast, team_chat: Any) -> None:
    _, turn, approval = asked_by_bob(cast, team_chat, "member")
    with pytest.raises(NotYourCall):
        decide(cast.alice, approvals.approve, approval, arguments={"content": "Tea is at five."})
    assert decide(cast.alice, approvals.approve, approval).decided_by == cast.alice.user.id
    with cast.alice.scope():
        event = AuditEvent.objects.get(action="approval.approved", object_id=approval.id)
    assert event.subject_id == cast.bob.user.id


def test_another_member_sees_it_and_does_not_decide(cast: Cast, impatient: None) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(cast.alice, server)
        agent = new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, server.url).id)
        stubbed.agent, stubbed.chat = agent, new_chat(cast.alice, agent, cast.team)
        rule(stubbed, of("requires_approval", FILE[0]))
        stubbed.queue(calls(FILE))
        (approval,) = waiting(stubbed, stubbed.say("File that tea is at four."))
        cast.let_bob_in("member")
        with cast.bob.scope():
            assert not approvals.may_decide(approvals.in_sight().get(id=approval.id))
        for action in (approvals.approve, approvals.reject):
            with pytest.raises(NotAllowed):
                decide(cast.bob, action, approval)
            with pytest.raises(Approval.DoesNotExist):
                decide(cast.charlie, action, approval)


def test_arguments_are_not_edited_with_a_key_that_reaches_less_than_the_turn(stubbed: Stubbed) -> None:
    rule(stubbed, of("requires_approval", FILE[0]))
    stubbed.queue(calls(FILE), text("Filed."))
    (approval,) = waiting(stubbed, stubbed.say("File that tea is at four."))
    alice = stubbed.person
    with alice.scope():
        assert approvals.may_edit(approvals.in_sight().get(id=approval.id))
    with scope(alice.identity.narrowed([alice.personal])):
        found = approvals.in_sight().get(id=approval.id)
        assert not approvals.may_edit(found)
        with pytest.raises(NotAllowed):
            approvals.approve(found.id, arguments={"content": "Something else."})


def test_a_key_that_reaches_less_far_than_the_turn_puts_no_words_into_it(cast: Cast, team_chat: Any) -> None:
    _, turn, approval = asked_by_bob(cast, team_chat, "member")
    changed = {"content": "Tea is at five."}
    with scope(cast.bob.identity.narrowed([cast.team])):
        assert approvals.may_decide(approval)
        assert not approvals.may_edit(approval)
        with pytest.raises(NotYourCall):
            approvals.approve(approval.id, arguments=changed)
    with cast.bob.scope():
        Turn.objects.filter(id=turn.id).update(reach=[cast.team])
    with scope(cast.bob.identity.narrowed([cast.team])):
        assert approvals.approve(approval.id, arguments=changed).status == "approved"
