"""The chat in the browser without script, and the fragments that script asks for."""

from __future__ import annotations

import json
import uuid

from agents.models import Turn
from memory.models import Message
from tests.cast import Cast, Person, new_agent, new_chat, send, work


def address(person: Person, rest: str = "") -> str:
    return f"/w/{person.personal}/{rest}"


def test_it_begins_a_chat_with_its_first_message(alice: Person) -> None:
    agent = new_agent(alice)
    answer = alice.browser.post(address(alice, "c/new/"), {"content": "你好\r\n再见", "agent": agent.id})
    assert answer.status_code == 302
    page = alice.browser.get(answer["Location"])
    assert "你好" in page.content.decode()
    with alice.scope():
        assert Message.objects.get().content == "你好\n再见"


def test_it_says_nothing_to_another_agent_than_the_one_that_was_asked_for(alice: Person) -> None:
    new_agent(alice)
    for agent in (uuid.uuid4(), "nobody"):
        answer = alice.browser.post(address(alice, "c/new/"), {"content": "你好", "agent": agent})
        assert answer.status_code == 404
    with alice.scope():
        assert not Message.objects.exists()


def test_it_answers_a_message_with_a_fragment_or_a_page(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    url = address(alice, f"c/{chat.conversation_id}/messages/")
    body = {"content": "one", "client_id": "a"}
    fragment = alice.browser.post(url, body, headers={"HX-Request": "true"})
    assert b"<html" not in fragment.content
    assert b"hx-sse:connect" in fragment.content
    assert alice.browser.post(url, body).status_code == 302
    with alice.scope():
        assert Turn.objects.filter(conversation=chat.conversation_id).count() == 1


def test_only_who_may_rename_a_chat_gets_the_form(cast: Cast) -> None:
    chat = new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team)
    path = f"/w/{cast.team}/c/{chat.conversation_id}/"
    for role in ("viewer", "editor"):
        cast.let_bob_in(role)
        shown = cast.bob.browser.get(path).content.decode()
        assert cast.bob.browser.get(f"{path}rename/").status_code == 403
        assert not [verb for verb in ("rename", "pin", "delete") if f"{path}{verb}/" in shown]
    shown = cast.alice.browser.get(path).content.decode()
    assert cast.alice.browser.get(f"{path}rename/").status_code == 200
    assert all(f"{path}{verb}/" in shown for verb in ("rename", "pin", "delete"))


def test_it_gives_an_unsendable_message_back(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    url = address(alice, f"c/{chat.conversation_id}/messages/")
    for content in ("", "   ", "nul\x00"):
        answer = alice.browser.post(url, {"content": content}, headers={"HX-Request": "true"})
        assert answer.status_code == 422
        assert b"pending failed" in answer.content
    with alice.scope():
        assert not Turn.objects.filter(conversation=chat.conversation_id).exists()


def test_it_shows_a_message_that_waits_as_waiting(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, "first")
    send(alice, chat, "second")
    page = alice.browser.get(address(alice, f"c/{chat.conversation_id}/")).content.decode()
    assert page.count("hx-sse:connect") == 1
    assert "Waiting: the message before this one is answered first." in page


def test_it_shows_what_a_turn_wrote_and_takes_it_back(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    work(send(alice, chat, "I don't eat coriander."))
    page = alice.browser.get(address(alice, f"c/{chat.conversation_id}/")).content.decode()
    assert 'class="chip"' in page
    undo = page.split("data-undo action=")[1].split('"')[1]
    answer = alice.browser.post(undo, headers={"HX-Request": "true"})
    assert b"chip undone" in answer.content
    assert json.loads(answer["HX-Trigger"])["memory"]["version"] == 3


def test_it_offers_to_try_a_failed_turn_again(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "hello")
    with alice.scope():
        Turn.objects.filter(id=turn.id).update(status="failed", error_kind="server")
    page = alice.browser.get(address(alice, f"c/{chat.conversation_id}/")).content.decode()
    assert "The provider had a fault." in page
    answer = alice.browser.post(
        address(alice, f"c/{chat.conversation_id}/turns/{turn.id}/retry/"), headers={"HX-Request": "true"}
    )
    assert b"hx-sse:connect" in answer.content


def test_it_pages_by_forty_messages(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    for number in range(23):
        send(alice, chat, f"number {number:02}.")
    url = address(alice, f"c/{chat.conversation_id}/")
    page = alice.browser.get(url).content.decode()
    assert "number 03." in page
    assert "number 02." not in page
    earlier = page.split('id="earlier"')[1].split('href="')[1].split('"')[0]
    older = alice.browser.get(earlier, headers={"HX-Request": "true"}).content.decode()
    assert "number 00." in older
    assert "number 03." not in older
    assert "<html" in alice.browser.get(earlier).content.decode()


def test_it_tells_another_tab_only_what_is_new(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    first = send(alice, chat, "alpha")
    url = address(alice, f"c/{chat.conversation_id}/news/?after={first.id}")
    assert alice.browser.get(url, headers={"HX-Request": "true"}).status_code == 204
    send(alice, chat, "omega")
    news = alice.browser.get(url, headers={"HX-Request": "true"}).content.decode()
    assert "omega" in news
    assert "alpha" not in news


def test_it_deletes_a_chat_and_brings_it_back(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    url = address(alice, f"c/{chat.conversation_id}/")
    page = alice.browser.post(f"{url}delete/", follow=True).content.decode()
    assert alice.browser.get(url).status_code == 404
    assert f"{url}restore/" in page
    assert alice.browser.post(f"{url}restore/", follow=True).status_code == 200


def test_it_never_redirects_a_stream(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    url = address(alice, f"c/{chat.conversation_id}/turns/{uuid.uuid4()}/events/")
    answer = alice.browser.get(url)
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/plain")
    alice.browser.logout()
    assert alice.browser.get(url, headers={"Accept": "text/event-stream"}).status_code == 401
