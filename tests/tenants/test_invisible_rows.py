"""Referential checks and unique constraints look past the policies: no hint, and no error, comes of it."""

import threading
import uuid

import pytest
from django.db import IntegrityError, connection

from agents.archives import archive_for
from agents.blocks import add_agent_block
from agents.models import Agent, AgentArchive, AgentBlock
from agents.roster import AgentFields, create_agent
from agents.services import receive_message, start_chat
from memory.core import BlockFields
from memory.models import Derivation, Source
from memory.provenance import derive, source_of_person
from tenants.models import Workspace
from tests.cast import Cast, new_agent, new_chat


def test_a_source_of_the_same_name_in_another_workspace_is_another_source(cast: Cast, locks: str) -> None:
    """Bob writes by hand where Alice did: neither sees the other's row, neither is refused."""
    reference = uuid.uuid4()
    made = []
    for person in (cast.alice, cast.bob, cast.charlie):
        with person.scope():
            made.append(source_of_person(person.personal, reference).id)
            assert source_of_person(person.personal, reference).id == made[-1]
            assert Source.objects.filter(reference=str(reference)).count() == 1
    assert len(set(made)) == 3


def test_a_derivation_that_is_there_already_is_no_error(cast: Cast, locks: str) -> None:
    parent, child = uuid.uuid4(), uuid.uuid4()
    for person in (cast.alice, cast.bob, cast.charlie):
        with person.scope():
            derive(person.personal, parents=[("message", parent)], child=("passage", child))
            assert Derivation.objects.filter(parent_id=parent).count() <= 1
    with cast.alice.scope():
        assert Derivation.objects.filter(parent_id=parent).count() == 1


def test_a_persons_own_block_does_not_stand_in_the_way_of_the_teams(cast: Cast, locks: str) -> None:
    """Alice's `human` with the team's agent is invisible to Bob, and his to her."""
    cast.let_bob_in("admin")
    agent = new_agent(cast.alice, cast.team)
    new_chat(cast.bob, agent)
    for person in (cast.alice, cast.bob):
        with person.scope():
            assert AgentBlock.objects.filter(agent=agent, label="human").count() == 1
    with cast.alice.scope():
        add_agent_block(agent.id, BlockFields(label="project"))
    with cast.bob.scope():
        assert AgentBlock.objects.filter(agent=agent, label="project").count() == 1


def test_an_archive_of_the_agent_is_made_in_each_workspace(cast: Cast, locks: str) -> None:
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    for person in (cast.alice, cast.bob):
        with person.scope():
            archive_for(agent, person.personal)
            archive_for(agent, person.personal)
            assert AgentArchive.objects.filter(agent=agent).count() == 1


def test_a_parent_with_children_out_of_sight_is_not_deleted(cast: Cast, locks: str) -> None:
    """Bob talks with the team's agent in his own workspace; Alice, its admin, does not see that chat."""
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    new_chat(cast.bob, agent)

    def delete() -> None:
        with cast.alice.scope():
            AgentBlock.objects.filter(agent=agent)._raw_delete("default")
            Agent.objects.filter(id=agent.id)._raw_delete("default")

    with pytest.raises(IntegrityError):
        delete()
    with cast.bob.scope():
        assert Agent.objects.filter(id=agent.id).exists()


def test_two_chats_that_begin_at_once_make_one_block(cast: Cast) -> None:
    """The person's own `human` with a team's agent, whose maker had none of it to give."""
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    failures = at_once(lambda: new_chat(cast.bob, agent), 4)
    assert failures == []
    with cast.bob.scope():
        assert AgentBlock.objects.filter(agent=agent, label="human").count() == 1


def test_two_turns_that_archive_at_once_make_one_archive(cast: Cast) -> None:
    agent = new_agent(cast.alice)

    def archive() -> None:
        with cast.alice.scope():
            archive_for(agent, cast.alice.personal)

    assert at_once(archive, 4) == []
    with cast.alice.scope():
        assert AgentArchive.objects.filter(agent=agent).count() == 1


def test_one_message_that_is_sent_twice_at_once_is_one_turn(cast: Cast) -> None:
    chat = new_chat(cast.alice, new_agent(cast.alice))
    turns = set()

    def post() -> None:
        with cast.alice.scope():
            turn = receive_message(conversation_id=chat.conversation_id, content="once", client_id="1")
            turns.add(turn.id)

    assert at_once(post, 4) == []
    assert len(turns) == 1


def at_once(act, number: int) -> list[BaseException]:  # type: ignore[no-untyped-def]
    """Do the same in several threads at the same moment; what went wrong."""
    failures: list[BaseException] = []
    ready = threading.Barrier(number)

    def run() -> None:
        ready.wait(timeout=10)
        try:
            act()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def test_what_a_stranger_names_is_not_there_and_not_forbidden(cast: Cast, locks: str) -> None:
    """An id of Alice's and an id of nobody's answer alike."""
    agent = new_agent(cast.alice)
    for person in (cast.bob, cast.charlie):
        for key in (agent.id, uuid.uuid4()):
            with person.scope(), pytest.raises(Agent.DoesNotExist):
                start_chat(agent_id=key)
            with person.scope(), pytest.raises(Agent.DoesNotExist):
                add_agent_block(key, BlockFields(label="mine"))


def test_a_foreign_workspace_is_not_there_for_what_is_made_in_it(cast: Cast, locks: str) -> None:
    agent = new_agent(cast.bob)
    answers = set()
    for home in (cast.team, cast.charlie.personal, uuid.uuid4()):
        with cast.bob.scope():
            with pytest.raises(Exception) as refused:  # noqa: PT011
                start_chat(agent_id=agent.id, workspace_id=home)
            answers.add((type(refused.value), str(refused.value)))
            with pytest.raises(Exception) as refused:  # noqa: PT011
                create_agent(workspace_id=home, fields=AgentFields(name="x"))
            answers.add((type(refused.value), str(refused.value)))
            assert not Workspace.objects.filter(id=home).exists()
    assert len(answers) == 2
