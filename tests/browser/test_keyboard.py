"""The chat without a mouse, and with an input method for Chinese."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched
from tests.cast import Person, new_agent


@pytest.fixture
def agent(alice: Person) -> Any:
    return new_agent(alice)


def pinyin(page: Page, typed: str, meant: str) -> None:
    """Write as an input method does: the Enter that takes the letters belongs to it, not to the page."""
    client = page.context.new_cdp_session(page)
    page.locator("#composer").focus()
    client.send("Input.imeSetComposition", {"text": typed, "selectionStart": 0, "selectionEnd": len(typed)})
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229}
    client.send("Input.dispatchKeyEvent", {"type": "rawKeyDown"} | enter)
    client.send("Input.insertText", {"text": meant})
    client.send("Input.dispatchKeyEvent", {"type": "keyUp"} | enter)


def test_enter_that_ends_a_composition_does_not_send(at_desk: Watched, alice: Person, agent: Any) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/new/?agent={agent.id}")
    pinyin(page, "nihao", "你好")
    composer = page.locator("#composer")
    expect(composer).to_have_value("你好")
    composer.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(page.locator(".message")).to_have_count(0)
    page.wait_for_timeout(150)  # an Enter right after the composition is taken for the input method's
    composer.press("Enter")
    expect(page.locator(".message")).to_contain_text("你好")


def test_shift_and_enter_start_a_line(at_desk: Watched, alice: Person, agent: Any) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/new/?agent={agent.id}")
    composer = page.locator("#composer")
    composer.press_sequentially("one")
    composer.press("Shift+Enter")
    composer.press_sequentially("two")
    expect(composer).to_have_value("one\ntwo")
    composer.press("Enter")
    expect(page.locator(".message .box")).to_have_text("one\ntwo", use_inner_text=True)


def test_a_whole_visit_needs_no_mouse(at_desk: Watched, alice: Person, agent: Any) -> None:
    page = at_desk.open("/accounts/login/")
    expect(page.locator("input[name=login]")).to_be_focused()
    at_desk.type(alice.user.email)
    at_desk.press("Tab")
    at_desk.type("correct horse battery")
    at_desk.press("Enter")
    expect(page.locator("#composer")).to_be_focused()
    at_desk.type("My cat is called Miso.")
    at_desk.press("Enter")
    expect(page.locator(".chip")).to_contain_text("Miso")
    at_desk.await_answer()

    expect(page.locator("#composer")).to_be_focused()
    at_desk.press("Escape")
    expect(page.locator("#log")).to_be_focused()
    at_desk.press("k")
    expect(page.locator(".turn")).to_be_focused()
    at_desk.press("k")
    expect(page.locator(".message")).to_be_focused()
    at_desk.press("m")
    expect(page.locator("#panel")).to_be_hidden()
    at_desk.press("m")
    expect(page.locator("#panel")).to_be_visible()
    at_desk.press("u")
    expect(page.locator(".chip.undone")).to_contain_text("Miso")
    at_desk.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    at_desk.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    at_desk.press("/")
    expect(page.locator("#filter")).to_be_focused()
    at_desk.type("c")  # in a field it is a letter
    expect(page.locator("#filter")).to_have_value("c")
    at_desk.press("Tab", "c")
    expect(page.locator("#welcome")).to_be_visible()


def test_every_control_of_a_chat_is_reached_and_seen(at_desk: Watched, alice: Person, agent: Any) -> None:
    page = at_desk.begin(alice, agent, "My cat is called Miso.")
    at_desk.await_answer()
    page.locator("body").evaluate("() => document.activeElement.blur()")
    wanted = {"New chat", "Memory", "Undo", "Difference", "Versions", "Copy the answer", "Edit"}
    reached: set[str] = set()
    for _step in range(60):
        at_desk.press("Tab")
        name, is_seen = page.evaluate(
            """() => {
              const focused = document.activeElement, style = getComputedStyle(focused);
              const ring = style.outlineStyle !== "none" || focused.matches("#composer, body");
              return [focused.getAttribute("aria-label") ?? focused.innerText.trim(), ring];
            }"""
        )
        assert is_seen, name
        reached.add(name)
    assert wanted <= reached
