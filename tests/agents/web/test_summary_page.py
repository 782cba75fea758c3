"""A summary's page: its text, the messages that it covers, and having it made anew."""

import re
from typing import Any

import pytest
from django.utils import timezone

from agents.models import MainContext
from memory import summaries
from memory.models import Conversation, Message, Summary
from memory.summaries import Written
from tests.agents.context.compiling import fill
from tests.api_calls import call, get
from tests.cast import Cast, Person, new_agent, new_chat

TEXT = "[facts; I is the person]\nThe boiler needs 1.5 bar of pressure"


@pytest.fixture
def chat(alice: Person) -> MainContext:
    """A chat of sixty messages."""
    made = new_chat(alice, new_agent(alice))
    fill(alice, made, 30, "we walked")
    return made


def fold(person: Person, chat: MainContext, count: int = 4, **fields: Any) -> Summary:
    with person.scope():
        rows = list(Message.objects.filter(conversation_id=chat.conversation_id).order_by("position")[:count])
        replaces = fields.pop("replaces", None)
        conversation = Conversation.objects.get(id=chat.conversation_id)
        made = summaries.store(conversation, Written(TEXT, **fields), rows, previous=None, replaces=replaces)
        MainContext.objects.filter(id=chat.id).update(summary=made)
    return made


def address(summary: Summary, rest: str = "") -> str:
    return f"/w/{summary.workspace_id}/c/{summary.conversation_id}/summaries/{summary.id}/{rest}"


def page_of(person: Person, summary: Summary) -> str:
    response = person.browser.get(address(summary))
    assert response.status_code == 200
    return str(response.content.decode())


def test_it_shows_the_text_and_leads_to_each_message(alice: Person, chat: MainContext) -> None:
    page = page_of(alice, fold(alice, chat))
    assert "The boiler needs 1.5 bar of pressure" in page
    assert "quoting, without a model" in page
    links = re.findall(rf'href="(/w/{chat.workspace_id}/messages/[^"]+)"', page)
    assert len(links) == 4
    assert "Message 0: we walked" in page
    with alice.scope():
        first = Message.objects.get(conversation_id=chat.conversation_id, position=1)
    assert links[0].endswith(f"/{first.id}/")


def test_of_many_messages_it_shows_both_ends(alice: Person, chat: MainContext) -> None:
    page = page_of(alice, fold(alice, chat, count=56))
    assert "56 messages" in page
    assert "6 messages between them are not listed" in page
    assert "Message 0: we walked" in page
    assert "Message 27: we walked" in page


def test_search_leads_to_it(alice: Person, chat: MainContext) -> None:
    made = fold(alice, chat)
    page = alice.browser.get(f"/w/{alice.personal}/search/?q=boiler").content.decode()
    assert f'href="{address(made)}"' in page


def test_it_says_why_no_model_made_it_and_when_one_is_asked_again(alice: Person, chat: MainContext) -> None:
    page = page_of(alice, fold(alice, chat, fault="timeout", mend_at=timezone.now()))
    assert "The model did not answer in time." in page
    assert "The model is asked again" in page


def test_a_replaced_one_leads_to_the_one_that_stands_now(alice: Person, chat: MainContext) -> None:
    old = fold(alice, chat)
    made = fold(alice, chat, made_by="stub", replaces=old)
    page = page_of(alice, old)
    assert "Another summary has taken its place" in page
    assert address(made) in page
    assert "Make it anew" not in page
    now = page_of(alice, made)
    assert "stub" in now
    assert address(old) in now
    assert "Make it anew" in now


def test_it_is_made_anew_by_a_button(alice: Person, chat: MainContext) -> None:
    made = fold(alice, chat)
    page = alice.browser.post(address(made, "anew/"), follow=True).content.decode()
    assert "It is being made anew" in page
    assert "Somebody asked to have it made anew" in page
    with alice.scope():
        again = Summary.objects.get(id=made.id)
    assert again.fault == "anew"
    assert again.mend_at is not None


def test_who_reads_a_teams_chat_sees_it_and_has_no_button(cast: Cast) -> None:
    cast.let_bob_in("viewer")
    chat = new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team)
    fill(cast.alice, chat, 3)
    made = fold(cast.alice, chat)
    assert "Make it anew" in page_of(cast.alice, made)
    assert "Make it anew" not in page_of(cast.bob, made)
    assert cast.bob.browser.post(address(made, "anew/")).status_code == 403


def test_a_summary_of_another_chat_is_not_there(alice: Person, chat: MainContext) -> None:
    made = fold(alice, chat)
    other = new_chat(alice, new_agent(alice))
    assert page_of(alice, made)
    wrong = f"/w/{other.workspace_id}/c/{other.conversation_id}/summaries/{made.id}/"
    assert alice.browser.get(wrong).status_code == 404


def test_the_api_lists_those_that_stand_reads_one_and_makes_it_anew(alice: Person, chat: MainContext) -> None:
    old = fold(alice, chat)
    made = fold(alice, chat, made_by="stub", replaces=old)
    path = f"conversations/{chat.conversation_id}/summaries/"
    assert [each["id"] for each in get(alice, path)["results"]] == [str(made.id)]
    read = get(alice, f"summaries/{old.id}/")
    assert (read["content"], read["replaced_by"]) == (TEXT, str(made.id))
    assert read["covers"]["count"] == len(read["covers"]["ids"]) == 4
    answer = call(alice, "POST", path)
    assert (answer.status_code, answer.json()["fault"]) == (202, "anew")
    other = new_chat(alice, new_agent(alice))
    assert call(alice, "POST", f"conversations/{other.conversation_id}/summaries/").status_code == 409
