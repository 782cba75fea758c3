"""Memory that was written on a branch which was left is offered to be taken back, as long as it stands."""

from __future__ import annotations

import threading
from typing import Any

from playwright.sync_api import expect

from memory.models import Block
from tests.agents.llm.stub_behaviours import calls, once, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.branches import TEA, edit, expect_log, open_chat, talked
from tests.browser.conftest import Watched
from tests.cast import Person


def test_memory_of_the_branch_that_was_left_is_offered_for_undo(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("I drink tea.", [calls(TEA), text("Noted.")]))
    page = open_chat(at_desk, alice, chat)
    expect(page.locator(".turn .chip")).to_contain_text("Memory updated")
    stub.queue(text("Hello."))
    edit(page, 0, "Hello")
    expect(page.locator(".toast")).to_contain_text("1 memory change was made on the branch you left.")
    expect_log(page, "Hello", "Hello.")
    at_desk.await_answer()
    page.reload()
    left = page.locator(".left-memory")
    expect(left.locator("summary")).to_contain_text("1 memory change of branch 1 stands")
    left.locator("summary").click()
    expect(left.locator(".chip")).to_contain_text("on a branch that was left")
    assert at_desk.faults() == []
    left.get_by_role("button", name="Undo all of this").click()
    expect(page.locator(".message .mark")).to_contain_text("1 memory change was taken back.")
    page.reload()
    expect(page.locator(".message .fork")).to_contain_text("2 / 2")
    expect(left).to_have_count(0)
    with alice.scope():
        human = Block.objects.get(label="human", attachments__agent=stub_agent)
        assert (human.version, "tea" in human.value) == (3, False)


def test_the_note_takes_memory_back_too(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("I drink tea.", [calls(TEA), text("Noted.")]))
    page = open_chat(at_desk, alice, chat)
    stub.queue(text("Other."))
    turn = page.locator(".turn")
    turn.hover()
    turn.get_by_role("button", name="Answer again").click()
    toast = page.locator(".toast").filter(has_text="on the branch you left")
    toast.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast").filter(has_text="1 memory change was taken back.")).to_be_visible()
    expect_log(page, "I drink tea.", "Other.")
    at_desk.await_answer()
    expect(page.locator(".left-memory")).to_have_count(0)


def test_the_offer_goes_when_the_new_answer_has_replaced_what_was_written(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("I drink tea.", [calls(TEA), text("Noted.")]))
    page = open_chat(at_desk, alice, chat)
    coffee = {"label": "human", "old_content": "Drinks tea.", "new_content": "Drinks coffee."}
    seen = threading.Event()
    stub.queue(once(seen, calls(("core_memory_replace", coffee))), text("Noted."))
    edit(page, 0, "I drink coffee.")
    offer = page.locator(".toast").filter(has_text="on the branch you left")
    offer.hover()  # so it does not go by itself
    expect(page.locator(".left-memory")).to_have_count(1)
    seen.set()
    at_desk.await_answer()
    expect(page.locator(".left-memory")).to_have_count(0)
    expect(offer).to_have_count(0)
    assert at_desk.faults() == []
