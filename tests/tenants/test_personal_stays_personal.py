"""What Alice tells a team's agent in her own chat is not seen by Bob in his chat with the same agent.

In no tool, no prompt, no list and no search, with both locks and with each alone. Alice finds it by the same
paths, so that each of them is known to lead somewhere.
"""

import asyncio
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from agents.blocks import add_agent_block, rename_label
from agents.core_memory import agent_blocks
from agents.events import Event
from agents.following import follow
from agents.models import Agent, AgentBlock, MainContext, Turn
from agents.services import chats, open_chat, receive_message, start_chat, stop_turn
from memory import recall
from memory.core import BadBlock, BlockFields
from memory.models import Block, Conversation, Message, Passage, Summary
from memory.retrieval import Filters, search
from tests.agents.llm.stub_behaviours import calls
from tests.agents.llm.stub_server import Recorded, StubServer
from tests.cast import Cast, Person, make_cast, send, work
from tests.tenants.lives import agent_and_chat, no_broker

# Each stands in one place only, beside words by which that place is searched.
ASKED, BLOCK, PASSAGE, ANSWER = "quagga-asked", "quagga-block", "quagga-passage", "quagga-answer"
SECRETS = (ASKED, BLOCK, PASSAGE, ANSWER)
SAY = calls(("send_message", {"message": "Well."}))


@dataclass
class Told:
    """Alice's own chat with the team's agent, and the stub behind the agent."""

    cast: Cast
    stub: StubServer
    agent: Agent
    chat: MainContext
    turn: Turn

    def chat_of(self, person: Person, home: uuid.UUID | None = None) -> MainContext:
        with person.scope():
            return start_chat(agent_id=self.agent.id, workspace_id=home)

    def asks(self, person: Person, chat: MainContext, *tools: tuple[str, dict[str, Any]]) -> list[Recorded]:
        """A turn in which the model calls tools; every request that the model got in it."""
        before = len(self.stub.requests)
        self.stub.queue(*([calls(*tools)] if tools else []), SAY)
        work(send(person, chat, "What do you know?"))
        return self.stub.requests[before:]


@pytest.fixture(scope="module")
def told(database: None) -> Iterator[Told]:
    with no_broker(), StubServer() as stub:
        yield tell(stub)


def tell(stub: StubServer) -> Told:
    """Alice tells the team's agent about the zoo; the agent files it, archives it and says it again."""
    cast = make_cast()
    cast.let_bob_in("admin")
    chat = agent_and_chat(cast.alice, stub, cast.team)
    stub.queue(
        calls(
            ("core_memory_append", {"label": "human", "content": f"Likes the zoo: {BLOCK}"}),
            ("archival_memory_insert", {"content": f"Zoo visits: {PASSAGE}", "tags": ["zoo"]}),
        ),
        calls(("send_message", {"message": f"The zoo, then: {ANSWER}"})),
    )
    turn = send(cast.alice, chat, f"I like the zoo: {ASKED}")
    work(turn)
    with cast.alice.scope():
        Summary.objects.create(
            workspace_id=chat.workspace_id,
            conversation_id=chat.conversation_id,
            content=f"Talk of the zoo: {ANSWER}",
            from_position=1,
            to_position=1,
        )
    return Told(cast, stub, chat.agent, chat, turn)


def secrets_in(requests: list[Recorded]) -> set[str]:
    """Which secrets stand in the bytes that a model got."""
    every = b"".join(request.body for request in requests).decode()
    return {secret for secret in SECRETS if secret in every}


def message_of(told: Told) -> Message:
    with told.cast.alice.scope():
        return Message.objects.get(content__contains=ASKED, role="user")


TOOLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "conversation search": ("conversation_search", {"query": "zoo"}, ASKED),
    "the newest of conversations": ("conversation_search", {"query": "", "limit": 50}, ANSWER),
    "archival search": ("archival_memory_search", {"query": "zoo"}, PASSAGE),
    "the newest of the archive": ("archival_memory_search", {"query": ""}, PASSAGE),
    "archival search by tag": ("archival_memory_search", {"query": "", "tags": ["zoo"]}, PASSAGE),
}


@pytest.mark.parametrize("way", TOOLS)
def test_bobs_agent_finds_nothing_of_alices_chat(told: Told, locks: str, way: str) -> None:
    name, arguments, secret = TOOLS[way]
    alice, bob = told.cast.alice, told.cast.bob
    assert secret in secrets_in(told.asks(alice, told.chat_of(alice), (name, arguments)))
    assert secrets_in(told.asks(bob, told.chat_of(bob), (name, arguments))) == set()


def test_bobs_agent_reads_no_message_of_alices_by_its_id(told: Told, locks: str) -> None:
    read = ("message_read", {"id": str(message_of(told).id)})
    alice, bob = told.cast.alice, told.cast.bob
    assert ASKED in secrets_in(told.asks(alice, told.chat_of(alice), read))
    requests = told.asks(bob, told.chat_of(bob), read)
    assert secrets_in(requests) == set()
    assert "There is no message with this id" in requests[-1].body.decode()


def test_bobs_prompt_holds_nothing_of_alices(told: Told, locks: str) -> None:
    alice, bob = told.cast.alice, told.cast.bob
    assert BLOCK in secrets_in(told.asks(alice, told.chat_of(alice)))
    assert secrets_in(told.asks(bob, told.chat_of(bob))) == set()


def test_the_teams_chat_holds_nothing_of_anybodys_own(told: Told, locks: str) -> None:
    """Not even when Alice herself speaks there, since Bob reads along."""
    search_all = [(name, arguments) for name, arguments, _ in TOOLS.values()]
    read = ("message_read", {"id": str(message_of(told).id)})
    for person in (told.cast.alice, told.cast.bob):
        chat = told.chat_of(person, told.cast.team)
        requests = told.asks(person, chat, *search_all, read)
        assert secrets_in(requests) == set()
        assert '<block label=\\"persona\\"' in requests[0].body.decode()
        assert '<block label=\\"human\\"' not in requests[0].body.decode()


def test_nothing_is_written_to_a_persons_block_from_the_teams_chat(told: Told, locks: str) -> None:
    chat = told.chat_of(told.cast.alice, told.cast.team)
    write = ("core_memory_append", {"label": "human", "content": "from the team's chat"})
    answer = told.asks(told.cast.alice, chat, write)[-1].body.decode()
    assert "There is no block 'human' in your core memory" in answer


def test_the_teams_block_is_not_written_but_proposed_to_from_a_persons_chat(told: Told, locks: str) -> None:
    write = ("core_memory_append", {"label": "persona", "content": "from a chat of Alice's own"})
    answer = told.asks(told.cast.alice, told.chat_of(told.cast.alice), write)[-1].body.decode()
    assert "so your change waits as a proposal" in answer
    with told.cast.bob.scope():
        assert not Block.objects.filter(value__contains="of Alice's own").exists()


def test_what_the_agent_archives_in_a_persons_chat_lies_with_the_person(told: Told) -> None:
    with told.cast.alice.scope():
        assert {row.workspace_id for row in Passage.objects.filter(content__contains=PASSAGE)} == {
            told.cast.alice.personal
        }


def test_the_human_block_of_a_shared_agent_is_one_per_person(told: Told, locks: str) -> None:
    alice, bob = told.cast.alice, told.cast.bob
    told.chat_of(bob)
    mine = {}
    for person in (alice, bob):
        with person.scope():
            (row,) = AgentBlock.objects.filter(agent=told.agent, label="human")
            mine[person.name] = row.block_id
            assert (row.person_id, row.workspace_id, row.block.workspace_id) == (
                person.user.id,
                person.personal,
                person.personal,
            )
            assert [block.label for block in agent_blocks(told.agent)] == ["persona", "human"]
    assert mine["Alice"] != mine["Bob"]
    with alice.scope():
        assert BLOCK in Block.objects.get(id=mine["Alice"]).value
    with bob.scope():
        assert not Block.objects.filter(id=mine["Alice"]).exists()


def test_nobody_gives_the_agent_a_human_block_that_all_share(told: Told) -> None:
    """Who has not talked with it yet would not see that others have one of their own."""
    with told.cast.bob.scope():
        AgentBlock.objects.filter(agent=told.agent, label="human")._raw_delete("default")
        with pytest.raises(BadBlock):
            add_agent_block(told.agent.id, BlockFields(label="human"))
        made = add_agent_block(told.agent.id, BlockFields(label="notes"))
        made.label = "human"
        with pytest.raises(BadBlock):
            rename_label(made)
        transaction.set_rollback(True)


LISTS: dict[str, Any] = {
    "chats": lambda told: str([(row.conversation_id, row.conversation.title) for row in chats()]),
    "conversations": lambda told: str(list(Conversation.objects.values_list("title", "id"))),
    "messages": lambda told: str(list(Message.objects.values_list("content", "tool_calls"))),
    "blocks": lambda told: str([block.value for block in agent_blocks(told.agent)]),
    "all blocks": lambda told: str(list(Block.objects.values_list("value", flat=True))),
    "passages": lambda told: str(list(Passage.objects.values_list("content", flat=True))),
    "summaries": lambda told: str(list(Summary.objects.values_list("content", flat=True))),
    "search": lambda told: str(search("zoo", Filters(), limit=100).hits),
    "search in her chat": lambda told: str(
        search("zoo", Filters(containers=[told.chat.conversation_id])).hits
    ),
    "the newest": lambda told: str(search("", Filters(kinds=["message", "passage"]), limit=100).hits),
    "the agent's chats": lambda told: str(
        [row.conversation.title for row in MainContext.objects.filter(agent=told.agent)]
    ),
    "turns": lambda told: str(
        [row.message.content for row in Turn.objects.filter(context__agent=told.agent)]
    ),
}


@pytest.mark.parametrize("way", LISTS)
def test_no_list_shows_bob_what_is_alices(told: Told, locks: str, way: str) -> None:
    with told.cast.alice.scope():
        assert any(secret in LISTS[way](told) for secret in SECRETS)
    for person in (told.cast.bob, told.cast.charlie):
        with person.scope():
            seen = LISTS[way](told)
        assert not [secret for secret in SECRETS if secret in seen]


def test_alices_chat_is_not_there_for_bob(told: Told, locks: str) -> None:
    conversation = told.chat.conversation_id
    for person in (told.cast.bob, told.cast.charlie):
        with person.scope():
            for act in (
                lambda: open_chat(conversation),
                lambda: recall.read_message(told.turn.message_id),
                lambda: recall.rename(conversation, "mine"),
                lambda: recall.pin(conversation, pinned=True),
                lambda: recall.delete(conversation),
                lambda: receive_message(conversation_id=conversation, content="hello", client_id="1"),
                lambda: stop_turn(told.turn.id),
            ):
                with pytest.raises(
                    (
                        Conversation.DoesNotExist,
                        MainContext.DoesNotExist,
                        Message.DoesNotExist,
                        Turn.DoesNotExist,
                    )
                ):
                    act()
    with told.cast.alice.scope():
        assert open_chat(conversation).conversation.deleted_at is None


def test_bob_does_not_follow_alices_turn(told: Told, locks: str) -> None:
    def heard(person: Person) -> str:
        async def drain() -> list[Event | None]:
            return [event async for event in follow(person.identity, told.turn.id)]

        return json.dumps([event.data for event in asyncio.run(drain()) if event])

    assert ANSWER in heard(told.cast.alice)
    for person in (told.cast.bob, told.cast.charlie):
        with pytest.raises(Turn.DoesNotExist):
            heard(person)


def test_a_task_with_another_workspace_does_not_reach_the_turn(told: Told, locks: str) -> None:
    """A task carries ids; ids that do not belong together find nothing."""
    turn = send(told.cast.alice, told.chat_of(told.cast.alice), "unanswered")
    for tenant, workspace in (
        (turn.tenant_id, told.cast.team),
        (turn.tenant_id, told.cast.bob.personal),
        (told.cast.charlie.identity.tenant_id, told.cast.charlie.personal),
        (told.cast.charlie.identity.tenant_id, turn.workspace_id),
    ):
        assert work(Turn(id=turn.id, tenant_id=tenant, workspace_id=workspace)) == []
    told.stub.queue(SAY)
    assert work(turn)
