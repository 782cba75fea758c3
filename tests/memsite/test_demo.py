"""`manage.py demo` fills a site with things to look at, and fills nothing twice."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agents.models import Agent, AgentBlock, Turn
from memory.models import Block, BlockVersion, Conversation, Message, Proposal
from memory.proposals import approve, preview
from memsite.demo.content import AGENTS, BLOCKS, CHATS, TEAM
from tenants.models import AuditEvent, Membership, User, Workspace, WorkspaceMember
from tenants.scope import Identity, scope
from tests.cast import Client, Person

COUNTED = (Agent, AgentBlock, Block, BlockVersion, Conversation, Message, Proposal, Turn, Workspace)


def demo(person: Person, *arguments: str) -> str:
    said = StringIO()
    call_command("demo", "--email", person.user.email, "--base", "http://site", *arguments, stdout=said)
    return said.getvalue()


def everything(person: Person) -> dict[str, int]:
    with person.scope():
        return {model.__name__: model.objects.count() for model in COUNTED}


def colleague(person: Person) -> Identity:
    """Mei, of the person's tenant."""
    with person.scope():
        seat = Membership.objects.get(user__email__startswith="mei@")
    return Identity(person.identity.tenant_id, seat.user_id)


def test_it_makes_a_team_with_everything_to_look_at(alice: Person) -> None:
    demo(alice)
    with alice.scope():
        team = Workspace.objects.get(name=TEAM)
        roles = dict(WorkspaceMember.objects.filter(workspace=team).values_list("user_id", "role"))
        assert roles == {alice.user.id: "admin", colleague(alice).user_id: "member"}
        assert set(Agent.objects.filter(workspace=team).values_list("name", flat=True)) == {
            agent.name for agent in AGENTS
        }
        for wanted in BLOCKS:
            block = Block.objects.get(workspace=team, label=wanted.label)
            assert block.governance == wanted.governance
            assert AgentBlock.objects.filter(block=block).count() == len(AGENTS)
        versions = BlockVersion.objects.filter(workspace=team)
        assert {"user", "agent"} <= set(versions.values_list("actor_kind", flat=True))
        assert {"edit", "undo", "append"} <= set(versions.values_list("operation", flat=True))
        told = set(AuditEvent.objects.filter(workspace_id=team.id).values_list("action", flat=True))
        assert {"block.created", "block.proposed", "member.added"} <= told


def test_its_chats_are_answered_in_english_and_chinese(alice: Person) -> None:
    demo(alice)
    chats: dict[str, list[str]] = {}
    for identity in (alice.identity, colleague(alice)):
        with scope(identity):
            for chat in Conversation.objects.all():
                spoken = Message.objects.filter(conversation=chat, role="assistant").order_by("position")
                chats[chat.title] = [each.content for each in spoken if each.content]
            assert set(Turn.objects.values_list("status", flat=True)) == {"done"}
    assert set(chats) == {chat.title for chat in CHATS}
    assert all(len(chats[chat.title]) == len(chat.lines) for chat in CHATS)
    assert "The greenhouse opens at eight" in chats["The greenhouse"][-1]
    assert "每周三给番茄搭架子" in chats["番茄和浇水"][-1]


def test_two_proposals_wait_and_the_base_of_one_has_moved(alice: Person) -> None:
    demo(alice)
    with alice.scope():
        waiting = list(Proposal.objects.filter(status="open").order_by("id"))
        assert [preview(each).has_moved for each in waiting] == [True, False]
        by_person, by_agent = waiting
        assert (by_person.actor_kind, by_agent.actor_kind) == ("user", "agent")
        assert by_person.reason
        assert by_agent.source is not None
        assert by_agent.source.kind == "message"
        assert approve(by_person.id).operation == "merge"
        assert "钥匙" in approve(by_agent.id).value


def test_a_second_run_makes_nothing_twice_and_leaves_what_people_changed(alice: Person) -> None:
    demo(alice)
    with alice.scope():
        approve(Proposal.objects.filter(actor_kind="user").get().id)
    before = everything(alice)
    assert before["Proposal"] == 2
    demo(alice)
    assert everything(alice) == before


def test_the_colleague_signs_in_with_what_was_printed(alice: Person) -> None:
    first = demo(alice)
    email, password = re.findall(r"Sign in as (\S+): password (\S+)", first)[0]
    assert Client().login(email=email, password=password)
    assert User.objects.get(email=email).language == "zh-hans"
    link = re.findall(rf"Sign in as {email}: choose a password at http://site(\S+)", demo(alice))[0]
    assert Client().get(link, follow=True).status_code == 200


def test_it_is_for_owners_only(bob: Person) -> None:
    with pytest.raises(CommandError, match="owns no organisation"):
        demo(bob)
    with bob.scope():
        assert not Workspace.objects.filter(name=TEAM).exists()
