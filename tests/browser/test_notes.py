"""Short notes: they do not pile up."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.branches import edit, expect_log, open_chat, talked
from tests.browser.conftest import Watched
from tests.cast import Person

TEA = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def test_of_the_notes_about_branches_the_latest_is_left(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = talked(alice, stub_agent, stub, ("I drink tea.", [calls(TEA), text("Noted.")]))
    page = open_chat(at_desk, alice, chat)
    stub.queue(text("Hello."))
    edit(page, 0, "Hello")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("1 memory change was made on the branch you left.")
    expect_log(page, "Hello", "Hello.")
    at_desk.await_answer()
    for name, log in (("Previous branch", ("I drink tea.", "Noted.")), ("Next branch", ("Hello", "Hello."))):
        page.get_by_role("button", name=name).click()
        expect_log(page, *log)
        expect(toast).to_contain_text(["This is another branch."])
