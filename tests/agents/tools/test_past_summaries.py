"""Past summaries are found by an agent, and lead to the messages that they cover."""

import uuid

import pytest

from agents.models import MainContext
from memory import summaries
from memory.models import Conversation, Message, Summary
from memory.summaries import Written
from tests.agents.context.compiling import fill
from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Person, new_agent, new_chat

TEXT = "[facts; I is the person]\nThe boiler needs 1.5 bar of pressure"


def fold(person: Person, chat: MainContext, text: str = TEXT, count: int = 10) -> Summary:
    """A summary of the chat's first messages, in its window."""
    with person.scope():
        rows = Message.objects.filter(conversation_id=chat.conversation_id).order_by("position")
        covered = list(rows[:count])
        conversation = Conversation.objects.get(id=chat.conversation_id)
        made = summaries.store(conversation, Written(text), covered, previous=None)
        MainContext.objects.filter(id=chat.id).update(summary=made, queue_from=count + 1)
    return made


@pytest.fixture
def earlier(alice: Person) -> tuple[Tools, Summary]:
    """An agent with a chat that was folded, and another chat now."""
    agent = new_agent(alice)
    before = new_chat(alice, agent)
    fill(alice, before, 40, "we walked")
    made = fold(alice, before)
    return make_tools(alice, agent), made


def test_a_search_finds_one_with_what_it_covers(earlier: tuple[Tools, Summary]) -> None:
    tools, made = earlier
    hit = tools.call("conversation_search", query="boiler pressure")["results"][0]
    assert (hit["id"], hit["kind"], hit["content"]) == (str(made.id), "summary", TEXT)
    assert hit["covers"]["messages"] == 10
    assert "role" not in hit
    first = tools.call("message_read", id=hit["covers"]["first"])
    last = tools.call("message_read", id=hit["covers"]["last"])
    assert first["content"].startswith("Message 0:")
    assert last["content"] == "I see."
    assert hit["covers"]["since"] == first["date"]


def test_a_search_for_what_somebody_said_finds_messages_alone(earlier: tuple[Tools, Summary]) -> None:
    tools, _ = earlier
    found = tools.call("conversation_search", query="boiler pressure")["results"]
    assert found[0]["kind"] == "summary"
    said = tools.call("conversation_search", query="boiler pressure walked", roles=["user"])["results"]
    assert said
    assert all("kind" not in each for each in said)


def test_the_one_that_stands_in_the_window_is_not_found(alice: Person) -> None:
    agent = new_agent(alice)
    tools, other = make_tools(alice, agent), make_tools(alice, agent)
    fill(alice, tools.chat, 10)
    made = fold(alice, tools.chat)
    found = other.call("conversation_search", query="boiler")["results"]
    assert [each["id"] for each in found] == [str(made.id)]
    assert tools.call("conversation_search", query="boiler")["results"] == []


def test_it_is_read_by_its_id_with_the_messages(earlier: tuple[Tools, Summary]) -> None:
    tools, made = earlier
    read = tools.call("message_read", id=str(made.id))
    assert (read["kind"], read["content"], read["next_offset"]) == ("summary", TEXT, None)
    assert len(read["covers"]["ids"]) == 10
    assert tools.call("message_read", id=read["covers"]["ids"][2])["content"].startswith("Message 1:")


def test_of_a_long_one_the_ids_at_both_ends_are_told(alice: Person) -> None:
    agent = new_agent(alice)
    before = new_chat(alice, agent)
    fill(alice, before, 60)
    made = fold(alice, before, count=110)
    covers = make_tools(alice, agent).call("message_read", id=str(made.id))["covers"]
    assert (covers["messages"], len(covers["ids"])) == (110, summaries.IDS_MOST)
    assert (covers["ids"][0], covers["ids"][-1]) == (covers["first"], covers["last"])


def test_a_replaced_one_is_not_found_and_names_what_took_its_place(earlier: tuple[Tools, Summary]) -> None:
    tools, old = earlier
    with tools.person.scope():
        conversation = Conversation.objects.get(id=old.conversation_id)
        covered = list(summaries.covered(old))
        made = summaries.store(conversation, Written(TEXT), covered, previous=None, replaces=old)
    found = tools.call("conversation_search", query="boiler")["results"]
    assert [each["id"] for each in found if "kind" in each] == [str(made.id)]
    assert tools.call("message_read", id=str(old.id))["replaced_by"] == str(made.id)


def test_another_agents_and_a_strangers_are_not_there(
    earlier: tuple[Tools, Summary], alice: Person, charlie: Person
) -> None:
    tools, made = earlier
    assert tools.call("message_read", id=str(made.id))["status"] == "ok"
    assert tools.call("conversation_search", query="boiler")["results"]
    for other in (make_tools(alice), make_tools(charlie)):
        assert "no message" in other.error("message_read", id=str(made.id))
        assert other.call("conversation_search", query="boiler")["results"] == []
    assert "no message" in tools.error("message_read", id=str(uuid.UUID(int=7)))
