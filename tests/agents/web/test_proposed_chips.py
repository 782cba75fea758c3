"""In a chat: what was proposed, and what became of it; and the change that links to its version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agents.models import AgentBlock, MainContext
from memory import proposals
from memory.models import Block, Proposal
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import stub_model
from tests.cast import Cast, Person, new_agent, new_chat, send, work

NOTE = ("core_memory_append", {"label": "persona", "content": "Ship in May."})


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with StubServer() as server:
        yield server


@pytest.fixture
def agent(cast: Cast, stub: StubServer) -> Any:
    return new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, stub.url).id)


@pytest.fixture
def chat(cast: Cast, agent: Any) -> MainContext:
    """Alice's private chat with the team's agent."""
    return new_chat(cast.alice, agent)


def page_of(person: Person, chat: MainContext) -> str:
    address = f"/w/{chat.workspace_id}/c/{chat.conversation_id}/"
    return person.browser.get(address).content.decode()


def propose(cast: Cast, stub: StubServer, chat: MainContext) -> Proposal:
    stub.queue(calls(NOTE), text("I proposed it."))
    work(send(cast.alice, chat, "We ship in May."))
    with cast.alice.scope():
        return Proposal.objects.get()


def persona_of(person: Person, agent: Any) -> Block:
    with person.scope():
        return AgentBlock.objects.select_related("block").get(agent=agent, label="persona").block


def test_what_reaches_wider_than_the_chat_is_shown_as_proposed(
    cast: Cast, stub: StubServer, chat: MainContext
) -> None:
    made = propose(cast, stub, chat)
    page = page_of(cast.alice, chat)
    assert f'id="proposed-{made.id}"' in page
    assert "<ins>Ship in May.</ins>" in page
    assert f"/memory/inbox/{made.id}/" in page
    assert 'class="chip"' not in page


def test_the_chip_says_what_became_of_it(cast: Cast, stub: StubServer, chat: MainContext, agent: Any) -> None:
    made = propose(cast, stub, chat)
    with cast.alice.scope():
        proposals.reject(made.id, note="Not before June.")
    page = page_of(cast.alice, chat)
    assert "Rejected <b>persona</b>" in page
    assert "Not before June." in page
    with cast.alice.scope():
        proposals.reopen(made.id)
        version = proposals.approve(made.id)
    page = page_of(cast.alice, chat)
    assert "Approved <b>persona</b>" in page
    assert "Memory updated" not in page  # it is told once
    assert f"/memory/{persona_of(cast.alice, agent).id}/versions/{version.number}/" in page


def test_the_panel_says_that_the_block_is_only_proposed_to_from_here(
    cast: Cast, chat: MainContext, agent: Any
) -> None:
    assert "propose-only" in page_of(cast.alice, chat)
    card = f"/w/{cast.team}/memory/{persona_of(cast.alice, agent).id}/card/"
    assert "propose-only" in cast.alice.browser.get(f"{card}?chat={chat.conversation_id}").content.decode()
    for query in ("", f"?agent={agent.id}", "?chat=nothing", "?agent=nothing"):
        assert "propose-only" not in cast.alice.browser.get(f"{card}{query}").content.decode(), query
    assert cast.alice.browser.get(f"{card}?chat={agent.id}").status_code == 404


def test_the_chip_of_a_change_links_to_its_version(cast: Cast, stub: StubServer, agent: Any) -> None:
    chat = new_chat(cast.alice, agent, cast.team)
    stub.queue(calls(NOTE), text("Noted."))
    work(send(cast.alice, chat, "We ship in May."))
    block = persona_of(cast.alice, agent)
    page = page_of(cast.alice, chat)
    assert 'class="chip"' in page
    assert f'href="/w/{cast.team}/memory/{block.id}/versions/2/">v2</a>' in page
