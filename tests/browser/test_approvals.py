"""A tool call that waits is decided in the chat, by mouse and by keyboard, and looks like no proposal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from agents.models import Approval, Turn
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.ruled import NOTE, of, rule
from tests.agents.stubbed import Stubbed, stub_model
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person, new_agent, new_chat

WORDS = {
    "en-GB": {
        "asks": "May it run",
        "waits": "Waits for a decision.",
        "allowed": "Allowed",
        "no": "Not allowed",
    },
    "zh-CN": {"asks": "可以执行", "waits": "等待决定。", "allowed": "已允许", "no": "未允许"},
}


@pytest.fixture
def asking(alice: Person, stub: StubServer) -> Stubbed:
    """A chat whose agent asks before it writes core memory."""
    agent = new_agent(alice, model_id=stub_model(alice, stub.url).id)
    stubbed = Stubbed(alice, stub, agent, new_chat(alice, agent))
    rule(stubbed, of("requires_approval", NOTE[0]))
    return stubbed


def open_chat(watched: Watched, stubbed: Stubbed) -> Page:
    watched.enter(stubbed.person)
    return watched.open(f"/w/{stubbed.person.personal}/c/{stubbed.chat.conversation_id}/")


def last_turn(stubbed: Stubbed) -> Turn:
    with stubbed.person.scope():
        return Turn.objects.filter(conversation_id=stubbed.chat.conversation_id).latest("id")


@pytest.mark.parametrize("locale", WORDS)
def test_it_is_allowed_by_key_after_a_reload(
    watch: Callable[..., Watched], live: Any, asking: Stubbed, locale: str
) -> None:
    words = WORDS[locale]
    watched = watch(live, locale=locale)
    page = open_chat(watched, asking)
    asking.queue(calls(NOTE), text("As you say."))
    watched.say("I drink tea.")
    card = page.locator("[data-approval]")
    expect(card).to_contain_text(words["asks"])
    expect(card).to_contain_text("Drinks tea.")
    expect(page.locator(".thinking")).to_contain_text(words["waits"])
    expect(page.locator(".chip.proposed")).to_have_count(0)
    page.reload()
    expect(card).to_have_count(1)
    page.locator("#log").focus()
    watched.press("a")
    expect(card).to_be_focused()
    watched.press("a")
    expect(card).to_contain_text(words["allowed"])
    expect(page.locator(".turn .prose")).to_have_text("As you say.")
    expect(card).to_have_count(1)
    assert asking.block("human").value == "Drinks tea."
    assert watched.faults() == []


def test_it_is_edited_by_key_and_what_is_typed_outlives_a_reconnection(
    watch: Callable[..., Watched], live: Any, asking: Stubbed
) -> None:
    watched = watch(live)
    page = open_chat(watched, asking)
    asking.queue(calls(NOTE), text("As you say."))
    watched.say("I drink tea.")
    card = page.locator("[data-approval]")
    expect(card).to_contain_text("May it run")
    page.locator("#log").focus()
    watched.press("a")
    expect(card).to_be_focused()
    watched.press("e")
    field = card.get_by_label("content")
    expect(card.get_by_label("label")).to_be_focused()
    field.fill("Drinks green tea.")
    page.locator("[data-stream]").dispatch_event("reopen")
    expect(field).to_have_value("Drinks green tea.")
    card.get_by_role("button", name="Save and allow").click()
    expect(card).to_contain_text("Drinks green tea.")
    expect(page.locator(".turn .prose")).to_have_text("As you say.")
    assert asking.block("human").value == "Drinks green tea."
    assert watched.faults() == []


def test_escape_leaves_the_form_as_it_was(watch: Callable[..., Watched], live: Any, asking: Stubbed) -> None:
    watched = watch(live)
    page = open_chat(watched, asking)
    asking.queue(calls(NOTE))
    watched.say("I drink tea.")
    card = page.locator("[data-approval]")
    card.locator("[data-edit]").click()
    card.get_by_label("content").fill("Nothing of it.")
    watched.press("Escape")
    expect(card.get_by_label("content")).to_have_count(0)
    expect(card).to_contain_text("Drinks tea.")
    page.locator("#stop").click()
    expect(card).to_contain_text("Stopped")
    assert last_turn(asking).status == Turn.Status.STOPPED


def test_it_is_refused_with_a_reason_on_a_phone(
    watch: Callable[..., Watched], live: Any, asking: Stubbed
) -> None:
    watched = watch(live, viewport=PHONE)
    page = open_chat(watched, asking)
    asking.queue(calls(NOTE), text("As you wish."))
    watched.say("I drink tea.")
    card = page.locator("[data-approval]")
    expect(card).to_contain_text("May it run")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("#log").focus()
    watched.press("x")
    expect(card).to_be_focused()
    watched.press("x")
    expect(card.locator("input[name=note]")).to_be_focused()
    watched.type("Not your business.")
    watched.press("Enter")
    expect(card).to_contain_text("“Not your business.”")
    expect(page.locator(".turn .prose")).to_have_text("As you wish.")
    with asking.person.scope():
        assert Approval.objects.get(turn=last_turn(asking)).note == "Not your business."
    assert watched.faults() == []
