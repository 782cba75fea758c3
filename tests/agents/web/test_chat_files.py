"""Files that come with messages: filed in the archive of the chat's agent, shown with their message."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from agents import archives
from agents.models import MainContext, Turn
from memory.documents import pipeline
from memory.models import Document
from tests.cast import Cast, Person, new_agent, new_chat
from tests.memory.web.pages import queries_of

AS_SCRIPT = {"Accept": "application/json"}


def plan(text: str = "Ship in May.") -> SimpleUploadedFile:
    return SimpleUploadedFile("plan.txt", text.encode())


def address(chat: MainContext, rest: str = "") -> str:
    return f"/w/{chat.workspace_id}/c/{chat.conversation_id}/{rest}"


def attach(person: Person, chat: MainContext, text: str = "Ship in May.") -> Any:
    return person.browser.post(address(chat, "files/"), {"files": plan(text)}, headers=AS_SCRIPT)


def document(person: Person, key: str) -> Document:
    with person.scope():
        return Document.objects.get(id=key)


def last_turn(person: Person, chat: MainContext) -> Turn:
    with person.scope():
        return Turn.objects.filter(conversation=chat.conversation).order_by("-id")[0]


def send(person: Person, chat: MainContext, *documents: str, **fields: Any) -> Any:
    body = {"content": "Read this.", "client_id": uuid.uuid4().hex, "documents": list(documents)}
    return person.browser.post(address(chat, "messages/"), body | fields)


def test_a_file_lands_in_the_agents_archive_of_the_chats_workspace(alice: Person) -> None:
    agent = new_agent(alice)
    chat = new_chat(alice, agent)
    answer = attach(alice, chat)
    assert answer.status_code == 201
    found = document(alice, answer.json()["id"])
    with alice.scope():
        assert found.archive_id == archives.archive_for(agent, alice.personal).id
    assert found.message_id is None


def test_it_hangs_on_the_message_with_which_it_was_sent(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    key = attach(alice, chat).json()["id"]
    send(alice, chat, key)
    turn = last_turn(alice, chat)
    found = document(alice, key)
    assert (found.message_id, found.conversation_id) == (turn.message_id, chat.conversation_id)
    page = alice.browser.get(address(chat)).content.decode()
    assert f'/documents/{key}/">plan.txt</a>' in page
    assert "waiting to be read" in page
    pipeline.read(found.tenant_id, found.workspace_id, found.id)
    page = alice.browser.get(address(chat)).content.decode()
    assert f'/documents/{key}/">plan.txt</a>' in page
    assert "waiting to be read" not in page
    source = alice.browser.get(f"/w/{alice.personal}/documents/{key}/").content.decode()
    assert f"/messages/{turn.message_id}/" in source


def test_a_second_message_does_not_take_it_away(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    key = attach(alice, chat).json()["id"]
    send(alice, chat, key)
    first = last_turn(alice, chat)
    send(alice, chat, key, content="And again.")
    assert document(alice, key).message_id == first.message_id


def test_a_message_that_was_refused_keeps_its_files(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    key = attach(alice, chat).json()["id"]
    answer = alice.browser.post(
        address(chat, "messages/"),
        {"content": " ", "client_id": "x", "documents": [key]},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 422
    assert f'name="documents" value="{key}"' in answer.content.decode()
    assert document(alice, key).message_id is None


def test_without_script_the_form_takes_the_files_along(alice: Person) -> None:
    agent = new_agent(alice)
    body = {"content": "Read this.", "agent": str(agent.id), "files": plan()}
    page = alice.browser.post(f"/w/{alice.personal}/c/new/", body, follow=True).content.decode()
    assert "plan.txt</a>" in page
    with alice.scope():
        found = Document.objects.get()
        assert found.message_id == Turn.objects.get().message_id


def test_a_file_of_a_new_chat_goes_where_the_chat_will_lie(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    path = f"/w/{cast.team}/c/new/files/"
    answer = cast.alice.browser.post(path, {"agent": agent.id, "files": plan()}, headers=AS_SCRIPT)
    assert document(cast.alice, answer.json()["id"]).workspace_id == cast.alice.personal
    shared = {"agent": agent.id, "shared": "1", "files": plan()}
    answer = cast.alice.browser.post(path, shared, headers=AS_SCRIPT)
    assert document(cast.alice, answer.json()["id"]).workspace_id == cast.team


def test_nobody_attaches_what_somebody_else_has_uploaded(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    cast.let_bob_in("member")
    hers = attach(cast.alice, chat).json()["id"]
    his = attach(cast.bob, chat, "Ship in June.").json()["id"]
    send(cast.bob, chat, hers, his)
    assert document(cast.alice, hers).message_id is None
    assert document(cast.alice, his).message_id == last_turn(cast.bob, chat).message_id


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("member", 201)])
def test_who_may_not_write_attaches_nothing(cast: Cast, role: str, status: int) -> None:
    chat = new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team)
    cast.let_bob_in(role)
    assert attach(cast.bob, chat).status_code == status


def test_a_bad_file_says_what_to_do(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    answer = attach(alice, chat, "")
    assert answer.status_code == 422
    assert answer.json()["fault"].startswith("plan.txt: The file is empty.")


def test_many_attachments_take_no_more_queries_than_few(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, attach(alice, chat, "One.").json()["id"])
    few = queries_of(alice, address(chat))
    send(alice, chat, *(attach(alice, chat, f"Note {number}.").json()["id"] for number in range(10)))
    assert queries_of(alice, address(chat)) == few


def test_a_file_that_cannot_be_read_says_why_with_its_message(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    key = attach(alice, chat).json()["id"]
    send(alice, chat, key)
    assert "protected by a password" not in alice.browser.get(address(chat)).content.decode()
    with alice.scope():
        Document.objects.filter(id=key).update(status="failed", fault="encrypted")
    page = alice.browser.get(address(chat)).content.decode()
    assert "not read: The file is protected by a password.</span>" in page
