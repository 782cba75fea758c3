"""The inspector's pages: what was sent, what would be, how it filled, what changed, and why not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents.models import Step
from agents.roster import AgentFields, update_agent
from memory.models import Message
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Cast, Person, send

REMEMBER = calls(("core_memory_append", {"label": "human", "content": "Drinks tea."}))
FILE = calls(("archival_memory_insert", {"content": "Green tea is kept in the blue tin."}))
LOOK = calls(("archival_memory_search", {"query": "tea"}))


@pytest.fixture
def chat(alice: Person) -> Iterator[Stubbed]:
    with StubServer(REMEMBER, FILE, text("Noted."), LOOK, text("In the blue tin.")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("I drink tea, from the blue tin.")
        stubbed.say("Where is the tea?")
        yield stubbed


def page(chat: Stubbed, rest: str = "", person: Person | None = None) -> str:
    where = f"/w/{chat.person.personal}/c/{chat.chat.conversation_id}/context/{rest}"
    answer = (person or chat.person).browser.get(where)
    assert answer.status_code == 200, answer.status_code
    return str(answer.content.decode())


def test_what_would_be_sent_now_is_shown_part_by_part(chat: Stubbed) -> None:
    shown = page(chat)
    for words in (
        "What would be sent if you spoke now",
        "Drinks tea.",
        "In the blue tin.",
        "Tool definitions",
    ):
        assert words in shown


def test_a_message_leads_to_what_was_sent_for_it(chat: Stubbed) -> None:
    with chat.person.scope():
        asked = Message.objects.filter(conversation_id=chat.chat.conversation_id, role="user").earliest(
            "position"
        )
    shown = page(chat, f"?message={asked.id}")
    assert "exactly what was sent" in shown
    assert "Drinks tea." not in shown
    last = page(chat, f"?message={chat.messages()[-1].id}")
    assert "Drinks tea." in last
    assert "What was looked up" in last
    assert "Green tea is kept in the blue tin." in last
    assert "1 of 2 steps" in last


def test_the_window_over_time_is_drawn(chat: Stubbed) -> None:
    shown = page(chat, "timeline/")
    assert "Step <span data-place>5</span> of 5" in shown
    assert shown.count("<polygon") >= 4
    for words in (
        "Block human changed to v2",
        "1 record was looked up",
        f"the end of the window, {chat.agent.window_size:,} tokens",
    ):
        assert words in shown
    with chat.person.scope():
        first = Step.objects.filter(turn__conversation_id=chat.chat.conversation_id).earliest("id")
    assert "Step <span data-place>1</span> of 5" in page(chat, f"timeline/?step={first.id}")


def test_two_windows_are_compared(chat: Stubbed) -> None:
    shown = page(chat, "compare/")
    assert "Only in the second" in shown
    assert "unchanged" in shown
    now = page(chat, "compare/?to=now")
    assert '<option value="now" selected>' in now
    assert "In the blue tin." in now


def test_why_a_record_was_not_found_is_said(chat: Stubbed) -> None:
    shown = page(chat, "why/?q=bicycle&record=green+tea")
    assert "Green tea is kept in the blue tin." in shown
    assert "It has not: bicycle" in shown
    assert "It is found: place 1" in page(chat, "why/?q=blue+tin&record=green+tea")
    assert "Nothing that you may see has these words." in page(chat, "why/?q=tea&record=zebra")


def test_an_empty_chat_says_that_nothing_was_sent_yet(alice: Person) -> None:
    with StubServer() as server:
        stubbed = make_stubbed(alice, server)
        assert "Nothing was sent to a model in this chat yet." in page(stubbed, "timeline/")
        assert "Nothing was sent to a model in this chat yet." in page(stubbed, "compare/")
        assert "No messages yet." in page(stubbed)


def test_instructions_that_fill_the_window_are_said_where_one_looks(chat: Stubbed) -> None:
    assert "Tool definitions" in page(chat)
    with chat.person.scope():
        update_agent(chat.agent.id, AgentFields(instructions="Be brief. " * 900, window=4000))
    for rest in ("", "compare/?to=now"):
        assert "The window is too small." in page(chat, rest)
    assert "Green tea is kept in the blue tin." in page(chat, "timeline/")
    answer = chat.person.api.get(f"/api/v1/conversations/{chat.chat.conversation_id}/context/")
    assert answer.status_code == 409
    assert "Shorten the instructions" in answer.json()["detail"]


def test_a_message_that_no_model_saw_says_so(chat: Stubbed) -> None:
    turn = send(chat.person, chat.chat, "Wait.")
    assert "No model call stands behind this message" in page(chat, f"?message={turn.message_id}")
    assert "No model call stands behind this message" not in page(chat)


def test_strangers_see_none_of_it(chat: Stubbed, cast: Cast) -> None:
    where = f"/c/{chat.chat.conversation_id}/context/"
    for person in (cast.bob, cast.charlie):
        for rest in ("", "timeline/", "compare/", "why/?q=tea&record=tea"):
            assert person.browser.get(f"/w/{person.personal}{where}{rest}").status_code == 404
