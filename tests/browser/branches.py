"""A chat with branches, as one goes about in it in the browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import Watched
from tests.cast import Person, new_chat, send, work

TEA = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def talked(person: Person, agent: Any, stub: StubServer, *pairs: tuple[str, Any]) -> Any:
    """A chat in which these messages were answered so, without a browser."""
    chat = new_chat(person, agent)
    for words, behaviours in pairs:
        stub.queue(*behaviours)
        work(send(person, chat, words))
    return chat


def open_chat(at: Watched, person: Person, chat: Any) -> Page:
    at.enter(person)
    page = at.open(f"/w/{person.personal}/c/{chat.conversation_id}/")
    return at.await_scripts(page)


def expect_log(page: Page, *texts: str) -> None:
    expect(page.locator("#messages .prose")).to_have_text(list(texts))


def edit(page: Page, number: int, words: str) -> None:
    """Edit the nth message in its place, and save."""
    message = page.locator(".message.user").nth(number)
    message.hover()
    message.get_by_role("link", name="Edit").click()
    field = message.get_by_label("Message", exact=True)
    expect(field).to_be_focused()
    field.fill(words)
    message.get_by_role("button", name="Save").click()
