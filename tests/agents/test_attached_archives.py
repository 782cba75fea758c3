"""An agent searches its own archives and those that people attach; it writes to its own alone."""

import json
import uuid

import pytest

from agents import archives
from agents.attaching import BadAttachment
from agents.models import Agent, AgentArchive
from memory import archival, core
from memory.models import Archive, Passage
from tenants.models import AuditEvent
from tenants.permissions import NotAllowed
from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Cast, Person, new_agent, new_chat, send


def stocked(person: Person, home: uuid.UUID, *words: str) -> Archive:
    """An archive that a person filled by hand."""
    with person.scope():
        archive = archival.create_archive(workspace_id=home, name="Library")
        for each in words:
            archival.insert_passage(archive, content=each, tags=[], actor=core.by_me())
    return archive


def attach(person: Person, agent: Agent, archive: Archive) -> None:
    with person.scope():
        archives.attach(agent.id, archive.id)


def found(tools: Tools, query: str = "tea") -> dict[str, str]:
    """What the agent finds, each with where it is from."""
    results = tools.call("archival_memory_search", query=query)["results"]
    return {each["content"]: each["from"] for each in results}


def test_it_searches_an_attached_archive_until_it_is_detached(alice: Person) -> None:
    tools = make_tools(alice)
    archive = stocked(alice, alice.personal, "Tea comes from Assam.")
    assert found(tools) == {}
    attach(alice, tools.agent, archive)
    assert found(tools) == {"Tea comes from Assam.": "filed by Alice"}
    with alice.scope():
        archives.detach(tools.agent.id, archive.id)
    assert found(tools) == {}


def test_it_writes_to_its_own(alice: Person) -> None:
    tools = make_tools(alice)
    archive = stocked(alice, alice.personal)
    attach(alice, tools.agent, archive)
    tools.call("archival_memory_insert", content="Tea comes from 静冈.")
    with alice.scope():
        assert Passage.objects.filter(archive=archive).count() == 0
        kinds = [(each.is_own, each.archive.name) for each in archives.attachments(tools.agent)]
        assert kinds == [(True, "Memo"), (False, "Library")]
        own = archives.archive_for(tools.agent, alice.personal)
        with pytest.raises(BadAttachment):
            archives.detach(tools.agent.id, own.id)
    assert set(found(tools)) == {"Tea comes from 静冈."}


def test_it_makes_another_where_its_own_was_deleted_and_finds_both_once_it_is_back(alice: Person) -> None:
    tools = make_tools(alice)
    tools.call("archival_memory_insert", content="Tea comes from Assam.")
    with alice.scope():
        first = archives.archive_for(tools.agent, alice.personal)
        archival.retire_archive(first.id)
    assert found(tools) == {}
    tools.call("archival_memory_insert", content="Tea comes from 静冈.")
    assert set(found(tools)) == {"Tea comes from 静冈."}
    with alice.scope():
        archival.retire_archive(first.id, retired=False)
        assert archives.archive_for(tools.agent, alice.personal).id != first.id
    assert set(found(tools)) == {"Tea comes from Assam.", "Tea comes from 静冈."}


def test_a_private_archive_stays_out_of_a_teams_chat(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    attach(cast.alice, agent, stocked(cast.alice, cast.alice.personal, "My tea."))
    attach(cast.alice, agent, stocked(cast.alice, cast.organisation, "Everybody's tea."))
    own = make_tools(cast.alice, agent)
    assert set(found(own)) == {"My tea.", "Everybody's tea."}
    chat = new_chat(cast.alice, agent, cast.team)
    shared = Tools(cast.alice, agent, chat, send(cast.alice, chat, "Hello."))
    assert set(found(shared)) == {"Everybody's tea."}


def test_editors_of_both_sides_attach_and_strangers_see_nothing(cast: Cast) -> None:
    cast.let_bob_in("member")
    agent = new_agent(cast.alice, cast.team)
    archive = stocked(cast.alice, cast.team, "Our tea.")
    with cast.bob.scope(), pytest.raises(NotAllowed):
        archives.attach(agent.id, archive.id)
    attach(cast.alice, agent, archive)
    with cast.alice.scope(), pytest.raises(BadAttachment):
        archives.attach(agent.id, archive.id)
    assert set(found(make_tools(cast.bob, agent))) == {"Our tea."}
    with cast.bob.scope(), pytest.raises(NotAllowed):
        archives.detach(agent.id, archive.id)
    with cast.charlie.scope():
        with pytest.raises(Archive.DoesNotExist):
            archives.attach(agent.id, archive.id)
        with pytest.raises(AgentArchive.DoesNotExist):
            archives.detach(agent.id, archive.id)
    with cast.alice.scope():
        archives.detach(agent.id, archive.id)
        told = AuditEvent.objects.filter(object_id=archive.id, action__endswith="tached").order_by("at")
        assert [(each.action, json.dumps(each.details["agent_name"])) for each in told] == [
            ("archive.attached", '"Memo"'),
            ("archive.detached", '"Memo"'),
        ]
