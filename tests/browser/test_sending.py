"""A message in two tabs, over a lost connection, and while its answer is on the way."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from memory.models import Message
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import Watched
from tests.cast import Person


def asked(person: Person) -> list[str]:
    with person.scope():
        rows = Message.objects.filter(role="user").order_by("position")
        return list(rows.values_list("content", flat=True))


def test_another_tab_shows_the_same_while_it_is_said(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    stub.queue(text("Hello."), text(words, chunks=60, pause=0.05))
    page = at_desk.begin(alice, stub_agent, "hello")
    at_desk.await_answer()
    second = at_desk.another_tab()
    second.goto(page.url)
    at_desk.say("Now slowly.")
    expect(second.locator(".message").last).to_contain_text("Now slowly.")
    expect(second.locator(".turn .prose").last).to_contain_text("word3 ")
    page.reload()
    for tab in (page, second):
        at_desk.await_answer(tab)
        expect(tab.locator(".turn .prose").last).to_have_text(words)
        expect(tab.locator(".message")).to_have_count(2)
    assert asked(alice) == ["hello", "Now slowly."]


def test_a_message_that_was_not_sent_is_kept_and_sent_once(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(text("Hello."), text("It came through."))
    page = at_desk.begin(alice, stub_agent, "hello")
    at_desk.await_answer()
    at_desk.context.set_offline(True)
    at_desk.say("Do you hear me?")
    at_desk.say("And this?")
    lost = page.locator(".pending.failed")
    expect(lost).to_have_count(2)
    lost.last.get_by_role("button", name="Change it").click()
    expect(page.locator("#composer")).to_have_value("And this?")
    at_desk.context.set_offline(False)
    page.reload()
    expect(page.locator("#composer")).to_have_value("And this?")
    expect(lost).to_contain_text("Do you hear me?")
    lost.get_by_role("button", name="Send again").click()
    expect(page.locator(".turn .prose").last).to_have_text("It came through.")
    at_desk.await_answer()
    page.reload()
    expect(lost).to_have_count(0)
    assert asked(alice) == ["hello", "Do you hear me?"]
