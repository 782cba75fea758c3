"""A chat in the list: named, pinned, found, deleted and brought back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.cast import Person, ask, new_agent, new_chat


@pytest.fixture
def chat(alice: Person) -> Any:
    agent = new_agent(alice)
    for words in ("The budget is 5,000 euro.", "My cat is called Miso."):
        chat = new_chat(alice, agent)
        ask(alice, chat, words)
    return chat


def choose(page: Page, name: str) -> None:
    page.locator("header details.menu > summary").last.click()
    page.locator("header .items").get_by_text(name, exact=True).click()


def test_a_chat_is_renamed_pinned_and_found(at_desk: Watched, alice: Person, chat: Any) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    choose(page, "Rename")
    expect(page.locator("#title input[name=title]")).to_be_focused()
    at_desk.press("Control+a")
    at_desk.type("猫 <b>Miso</b>")
    at_desk.press("Enter")
    expect(page.locator("#title")).to_have_text("猫 <b>Miso</b>")
    expect(page.locator("#chats [aria-current]")).to_have_text("猫 <b>Miso</b>")
    expect(page).to_have_title("猫 <b>Miso</b> · memsite")
    choose(page, "Pin")
    expect(page.locator("#chats h2").first).to_have_text("Pinned")
    page.locator("#filter").fill("miso")
    expect(page.locator("#chats a")).to_have_count(1)
    expect(page.locator("#chats [aria-current]")).to_have_count(1)
    page.locator("#filter").fill("nothing like it")
    expect(page.locator("#chats")).to_contain_text("No chat has this in its title.")


def test_a_deleted_chat_comes_back(at_desk: Watched, alice: Person, chat: Any) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    choose(page, "Delete")
    expect(page.locator("#chats a")).to_have_count(1)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile(str(chat.conversation_id)))
    expect(page.locator("#chats a")).to_have_count(2)
    expect(page.locator(".turn .prose")).to_contain_text("Miso")


def test_notes_stand_above_the_composer(at_desk: Watched, alice: Person, chat: Any) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    for size in ({"width": 1360, "height": 800}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        page.locator("#composer").fill("line\n" * 12)
        page.evaluate("document.dispatchEvent(new CustomEvent('note', {detail: {text: 'A note.'}}))")
        note = page.locator(".toast").last.bounding_box()
        composer = page.locator(".composer").bounding_box()
        assert note
        assert composer
        assert note["y"] + note["height"] <= composer["y"]
