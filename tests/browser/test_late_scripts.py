"""Scripts that come late, on a slow line: what is typed, chosen and sent before them is not lost."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory.models import Message
from tests.browser.conftest import Watched
from tests.browser.held import Held
from tests.cast import Person, ask, new_agent, new_chat, send, work

WORDS = "My cat is called Miso."


@pytest.fixture
def agent(alice: Person) -> Any:
    return new_agent(alice)


@pytest.fixture
def hasty(at_desk: Watched, alice: Person) -> Page:
    """A page on which one acts before its scripts have come."""
    at_desk.enter(alice)
    at_desk.awaits_scripts = False
    return at_desk.another_tab()


def open_without(page: Page, script: str, address: str) -> Held:
    """Open a page, one script of which does not come until it is let go."""
    held = Held(page, f"**/{script}*", "GET")
    page.goto(address, wait_until="commit")
    expect(page.locator("main")).to_be_visible()
    return held


def is_ready(page: Page) -> bool:
    return page.locator("html[data-ready]").count() > 0


def new_chat_page(session: Watched, person: Person, agent: Any) -> str:
    return f"{session.site.url}/w/{person.personal}/c/new/?agent={agent.id}"


def test_enter_sends_as_soon_as_the_script_is_there(
    at_desk: Watched, hasty: Page, alice: Person, agent: Any
) -> None:
    held = open_without(hasty, "js/composer", new_chat_page(at_desk, alice, agent))
    composer = hasty.locator("#composer")
    composer.press_sequentially(WORDS)
    composer.press("Enter")
    composer.press("Enter")
    expect(composer).to_have_value(WORDS)
    assert not is_ready(hasty)
    held.let_go()
    expect(composer).to_have_value("")
    expect(hasty.locator(".message .box")).to_have_text(WORDS)
    at_desk.await_answer(hasty)
    with alice.scope():
        assert [each.content for each in Message.objects.filter(role="user")] == [WORDS]


def test_enter_sends_where_the_script_does_not_come_at_all(
    at_desk: Watched, hasty: Page, alice: Person, agent: Any
) -> None:
    hasty.route("**/js/composer*", lambda route: route.abort())
    hasty.goto(new_chat_page(at_desk, alice, agent))
    hasty.locator("#composer").fill(WORDS)
    hasty.locator("#composer").press("Enter")
    expect(hasty.locator(".message .box")).to_have_text(WORDS)
    at_desk.await_answer(hasty)


def test_a_file_that_was_chosen_before_comes_along(
    at_desk: Watched, hasty: Page, alice: Person, agent: Any
) -> None:
    held = open_without(hasty, "js/attach", new_chat_page(at_desk, alice, agent))
    hasty.locator("#chat-files").set_input_files(
        [{"name": "handbook.md", "mimeType": "text/plain", "buffer": b"# Roof\n\nThe door is turquoise."}]
    )
    assert not is_ready(hasty)
    held.let_go()
    expect(hasty.locator("[data-attached] li")).to_contain_text("handbook.md")


def test_who_writes_elsewhere_goes_on_there_and_finds(
    at_desk: Watched, hasty: Page, alice: Person, agent: Any
) -> None:
    for words in ("The budget is 5,000 euro.", WORDS):
        ask(alice, new_chat(alice, agent), words)
    held = open_without(hasty, "js/composer", new_chat_page(at_desk, alice, agent))
    expect(hasty.locator("#chats a")).to_have_count(2)
    hasty.locator("#filter").press_sequentially("miso")
    assert not is_ready(hasty)
    held.let_go()
    expect(hasty.locator("#chats a")).to_have_count(1)
    expect(hasty.locator("#filter")).to_be_focused()


@pytest.mark.parametrize("last", ["django_htmx/ext/hx-sse", "js/stream"])
def test_an_answer_is_followed_to_its_end_whichever_script_comes_last(
    at_desk: Watched, hasty: Page, alice: Person, agent: Any, last: str
) -> None:
    chat = new_chat(alice, agent)
    turn = send(alice, chat, WORDS)
    address = f"{at_desk.site.url}/w/{alice.personal}/c/{chat.conversation_id}/"
    held = open_without(hasty, last, address)
    expect(hasty.locator(".turn[data-live]")).to_have_count(1)
    await_htmx(hasty)
    work(turn)
    assert not is_ready(hasty)
    held.let_go()
    expect(hasty.locator(".chip")).to_contain_text("Miso")
    at_desk.await_answer(hasty)


def await_htmx(page: Page) -> None:
    """Until htmx is there, and what it put off for a moment is done."""
    page.evaluate(
        """() => new Promise((done) => {
          const look = () => setTimeout(window.htmx ? () => setTimeout(done, 50) : look, 10);
          look();
        })"""
    )
