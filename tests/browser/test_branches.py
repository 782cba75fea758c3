"""Journey 4: what was stopped stays; a message is edited, an answer asked for again; both ways stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from agents.models import Turn
from memory.models import Message
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.branches import TEA, edit, expect_log, open_chat, talked
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person
from tests.live import Live

SLOWLY = text(" ".join(f"word{number}" for number in range(400)), chunks=400, pause=0.05)


def test_what_was_stopped_is_answered_again_beside_it(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(SLOWLY, text("A whole answer."))
    page = at_desk.begin(alice, stub_agent, "Tell me a lot.")
    expect(page.locator(".turn")).to_contain_text("word7 ")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped here.")
    page.get_by_role("button", name="Try again").click()
    expect_log(page, "Tell me a lot.", "A whole answer.")
    at_desk.await_answer()
    expect(page.locator(".turn .fork")).to_contain_text("2 / 2")
    page.get_by_role("button", name="Previous branch").click()
    expect(page.locator(".turn")).to_contain_text("Stopped here.")
    expect(page.locator(".turn .fork")).to_contain_text("1 / 2")
    page.reload()
    expect(page.locator(".turn")).to_contain_text("Stopped here.")
    expect(page.locator(".turn .prose")).to_contain_text("word7 ")
    page.get_by_role("button", name="Next branch").click()
    expect_log(page, "Tell me a lot.", "A whole answer.")


def test_an_edited_message_makes_a_sibling_and_both_survive_a_reload(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("m1", [text("a1")]), ("m2", [text("a2")]))
    page = open_chat(at_desk, alice, chat)
    stub.queue(text("b1"))
    edit(page, 0, "n1")
    expect_log(page, "n1", "b1")
    at_desk.await_answer()
    fork = page.locator(".message .fork")
    expect(fork).to_contain_text("2 / 2")
    page.reload()
    expect_log(page, "n1", "b1")
    page.get_by_role("button", name="Previous branch").click()
    expect_log(page, "m1", "a1", "m2", "a2")
    expect(page.locator(".toast")).to_contain_text("Memory blocks are as they are now")
    page.reload()
    expect_log(page, "m1", "a1", "m2", "a2")
    assert at_desk.faults() == []
    with alice.scope():
        assert Message.objects.filter(conversation_id=chat.conversation_id).count() == 6


def test_it_works_by_keyboard(at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any) -> None:
    chat = talked(alice, stub_agent, stub, ("m1", [text("a1")]), ("m2", [text("a2")]))
    page = open_chat(at_desk, alice, chat)
    page.locator("#log").focus()
    at_desk.press("k", "k")  # from the last answer to its message
    expect(page.locator(".message.user").nth(1)).to_be_focused()
    at_desk.press("e")
    field = page.locator("[data-editing] textarea")
    expect(field).to_be_focused()
    at_desk.press("Escape")
    expect(field).to_have_count(0)
    expect(page.locator(".message.user").nth(1)).to_be_focused()
    stub.queue(text("b2"), text("c2"))
    at_desk.press("e")
    expect(field).to_be_focused()
    at_desk.press("Control+a")
    at_desk.type("n2")
    at_desk.press("Enter")
    expect_log(page, "m1", "a1", "n2", "b2")
    at_desk.await_answer()
    last = page.locator(".message.user").nth(1)
    expect(last).to_be_focused()
    expect(last.locator(".fork")).to_contain_text("2 / 2")
    at_desk.press("[")
    expect_log(page, "m1", "a1", "m2", "a2")
    expect(page.locator(".message.user").nth(1)).to_be_focused()
    at_desk.press("]")
    expect_log(page, "m1", "a1", "n2", "b2")
    expect(page.locator(".message.user").nth(1)).to_be_focused()
    at_desk.press("r")
    expect_log(page, "m1", "a1", "n2", "c2")
    at_desk.await_answer()
    expect(page.locator(".turn .fork")).to_contain_text("2 / 2")


def test_another_tab_follows_the_chat_to_its_branch(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("m1", [text("a1")]), ("m2", [text("a2")]))
    page = open_chat(at_desk, alice, chat)
    other = at_desk.another_tab()
    other.goto(page.url)
    at_desk.await_scripts(other)
    expect_log(other, "m1", "a1", "m2", "a2")
    stub.queue(text("b2"))
    edit(page, 1, "n2")
    expect_log(page, "m1", "a1", "n2", "b2")
    at_desk.await_answer()
    other.evaluate("window.dispatchEvent(new Event('focus'))")
    expect_log(other, "m1", "a1", "n2", "b2")
    page.get_by_role("button", name="Previous branch").click()
    expect_log(page, "m1", "a1", "m2", "a2")
    other.evaluate("window.dispatchEvent(new Event('focus'))")
    expect_log(other, "m1", "a1", "m2", "a2")


def test_a_message_on_a_left_branch_is_found_and_gone_on_with(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("m1", [text("a1")]), ("The zebra is called Tom.", [text("a2")]))
    page = open_chat(at_desk, alice, chat)
    stub.queue(text("b2"))
    edit(page, 1, "n2")
    expect_log(page, "m1", "a1", "n2", "b2")
    at_desk.await_answer()
    at_desk.open(f"/w/{alice.personal}/search/?q=zebra")
    found = page.locator("#hits li").filter(has_text="The zebra is called Tom.")
    expect(found).to_contain_text("on a branch that was left")
    found.locator("a.text").click()
    expect(page.locator(".on-left")).to_contain_text("This message lies on a branch that was left.")
    assert at_desk.faults() == []
    page.get_by_role("button", name="Go on there").click()
    expect_log(page, "m1", "a1", "The zebra is called Tom.", "a2")


def test_nothing_is_switched_while_a_message_is_answered(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("m1", [text("a1")]))
    page = open_chat(at_desk, alice, chat)
    edited = page.locator(".message.user").first
    edited.hover()
    edited.get_by_role("link", name="Edit").click()
    expect(edited.locator("textarea")).to_be_focused()
    with alice.scope():
        turn = Turn.objects.get(conversation_id=chat.conversation_id)
        Turn.objects.filter(id=turn.id).update(status=Turn.Status.AWAITING)
    edited.locator("textarea").fill("n1")
    edited.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("A message is being answered.")
    expect(edited.locator("textarea")).to_have_value("n1")  # nothing that was typed is lost
    with alice.scope():
        Turn.objects.filter(id=turn.id).update(status=Turn.Status.DONE)
    stub.queue(text("b1"))
    edited.get_by_role("button", name="Save").click()
    expect_log(page, "n1", "b1")


def test_it_fits_a_phone_and_speaks_chinese(
    watch: Callable[..., Watched], live: Live, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("我喝茶。", [calls(TEA), text("好的。")]))
    phone = watch(live, viewport=PHONE, has_touch=True, locale="zh-CN")
    page = open_chat(phone, alice, chat)
    stub.queue(text("你好。"))
    message = page.locator(".message.user").first
    message.locator("[data-edit-message]").click()
    expect(message.locator("textarea")).to_be_focused()
    assert phone.faults() == []
    message.locator("textarea").fill("你好")
    message.locator("[data-editing] button.primary").click()
    expect_log(page, "你好", "你好。")
    phone.await_answer()
    page.locator(".left-memory summary").click()
    page.locator(".fork .about summary").click()
    assert phone.faults() == []
    page.locator("[data-switch=before] button").click()
    expect_log(page, "我喝茶。", "好的。")
    expect(page.locator(".fork")).to_contain_text(re.compile(r"1 / 2"))
