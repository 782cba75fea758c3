"""Journey 5 as far as the window: from a message to exactly what the model saw, part by part; how the window
filled, by keyboard; two windows side by side; why something was not found."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.models import MainContext, Step
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person, ask, new_agent, new_chat, send, work
from tests.live import Live

REMEMBER = calls(("core_memory_append", {"label": "human", "content": "Drinks tea."}))
FILE = calls(("archival_memory_insert", {"content": "Green tea is kept in the blue tin."}))
LOOK = calls(("archival_memory_search", {"query": "tea"}))


@pytest.fixture
def chat(alice: Person, stub: StubServer, stub_agent: Any) -> MainContext:
    """Two turns of five steps: memory was written, filed, and looked up."""
    made = new_chat(alice, stub_agent)
    stub.queue(REMEMBER, FILE, text("Noted."))
    work(send(alice, made, "I drink tea, from the blue tin."))
    stub.queue(LOOK, text("In the blue tin."))
    work(send(alice, made, "Where is the tea?"))
    return made


def steps_of(person: Person, chat: MainContext) -> list[Step]:
    with person.scope():
        rows = Step.objects.filter(turn__conversation_id=chat.conversation_id)
        return list(rows.order_by("id"))


def open_at(at: Watched, person: Person, chat: MainContext, rest: str = "") -> Page:
    at.enter(person)
    at.open(f"/w/{person.personal}/c/{chat.conversation_id}/{rest}")
    return at.await_scripts()


def number(shown: Locator) -> int:
    found = re.search(r"[\d,]+", shown.inner_text())
    assert found
    return int(found[0].replace(",", ""))


def sum_of_parts(window: Locator) -> int:
    """Tokens of the parts, but for what is kept free for the answer."""
    rows = window.locator(".window-parts > details")
    counts = [number(row.locator("summary .tokens")) for row in rows.all()]
    assert "Kept free for the answer" in rows.last.inner_text()
    return sum(counts[:-1])


def test_a_message_leads_to_the_exact_context_of_its_turn(
    at_desk: Watched, alice: Person, stub: StubServer, chat: MainContext
) -> None:
    page = open_at(at_desk, alice, chat)
    inspect = page.locator(".turn").last.get_by_role("link", name="Inspect")
    inspect.click()
    window = page.locator("#inspected #seen")
    expect(window.get_by_role("heading", name="What it saw")).to_be_focused()
    expect(window).to_contain_text("exactly what was sent")
    total = number(window.locator(".seen-bar strong"))
    assert sum_of_parts(window) == total == steps_of(alice, chat)[-1].counted_tokens
    expect(window).to_contain_text("What was looked up")
    expect(window.get_by_role("link", name="Green tea is kept in the blue tin.")).to_be_visible()
    block = window.locator("details", has_text="human").first
    block.locator("summary").click()
    sent = str(stub.requests[-1].json["messages"][0]["content"])
    assert block.locator("pre").inner_text().strip() in sent
    window.get_by_role("link", name="Step before", exact=True).click()
    expect(window).to_contain_text("Step 1 of a turn")
    expect(window).not_to_contain_text("What was looked up")
    window.get_by_role("button", name="Close").click()
    expect(page.locator("#inspected")).to_be_empty()
    expect(inspect).to_be_focused()


def test_a_key_opens_it_and_the_panel_with_it(at_desk: Watched, alice: Person, chat: MainContext) -> None:
    page = open_at(at_desk, alice, chat)
    page.get_by_role("button", name="Memory", exact=True).click()
    expect(page.locator("#panel")).to_be_hidden()
    page.locator("#log").focus()
    at_desk.press("k", "i")
    expect(page.locator("#inspected")).to_contain_text("exactly what was sent")
    expect(page.locator("#panel")).to_be_visible()


def test_esc_and_the_same_key_close_it_where_it_was_opened(
    at_desk: Watched, alice: Person, chat: MainContext
) -> None:
    page = open_at(at_desk, alice, chat)
    page.locator("#log").focus()
    beside, heading = page.locator("#inspected"), page.locator("#inspected h2").first
    for key in ("Escape", "i"):
        at_desk.press("k", "i")
        expect(heading).to_be_focused()
        at_desk.press(key)
        expect(beside).to_be_empty()
        expect(page.locator("#log :focus")).to_have_attribute("data-inspect", "")
    page.locator("#log").focus()
    at_desk.press("k", "i")
    expect(heading).to_be_focused()
    page.locator("#composer").press("Escape")  # out of the field, and no further
    expect(page.locator("#log")).to_be_focused()
    expect(beside).not_to_be_empty()
    at_desk.press("Escape")
    expect(beside).to_be_empty()


def test_one_sees_where_the_window_ends_also_beside_the_chat(
    at_desk: Watched, alice: Person, chat: MainContext
) -> None:
    page = open_at(at_desk, alice, chat)
    page.locator(".turn").last.get_by_role("link", name="Inspect").click()
    bar = page.locator("#inspected .seen-bar svg")
    expect(bar).to_have_css("outline-style", "solid")
    last, whole = bar.locator("rect").last.bounding_box(), bar.bounding_box()
    assert last is not None
    assert whole is not None
    assert last["x"] + last["width"] < whole["x"] + whole["width"] - 10, "free room is behind the last part"


def test_on_a_phone_it_is_a_page_with_a_way_back(
    watch: Callable[..., Watched], live: Live, alice: Person, chat: MainContext
) -> None:
    phone = watch(live, viewport=PHONE, has_touch=True, is_mobile=True)
    page = open_at(phone, alice, chat)
    page.locator(".message.user").first.get_by_role("link", name="Inspect").tap()
    page.wait_for_url("**/context/?message=*")
    expect(page.locator("#seen")).to_contain_text("exactly what was sent")
    page.get_by_role("link", name="I drink tea, from the blue tin.").first.tap()
    page.wait_for_url("**/?at=*")
    expect(page.locator(".message.user").first).to_be_visible()


def test_the_slider_goes_through_the_chat_by_keyboard(
    at_desk: Watched, alice: Person, chat: MainContext
) -> None:
    page = open_at(at_desk, alice, chat, "context/timeline/")
    slider, label = page.get_by_role("slider"), page.locator('label[for="moment"]')
    expect(label).to_have_text("Step 5 of 5")
    expect(page.locator("#at-moment")).to_contain_text("Green tea is kept in the blue tin.")
    slider.press("Home")
    expect(label).to_have_text("Step 1 of 5")
    moment = page.locator("#at-moment")
    expect(moment).not_to_contain_text("Drinks tea.")
    slider.press("ArrowRight")
    expect(label).to_have_text("Step 2 of 5")
    expect(moment).to_contain_text("v1 → v2")
    expect(moment).to_contain_text("Drinks tea.")
    second = steps_of(alice, chat)[1]
    page.wait_for_url(f"**/timeline/?step={second.id}")
    expect(slider).to_be_focused()
    moment.get_by_role("link", name="Next step").click()
    expect(label).to_have_text("Step 3 of 5")
    expect(moment).not_to_contain_text("v1 → v2")
    page.reload()
    expect(label).to_have_text("Step 3 of 5")


def test_a_small_window_fills_is_emptied_and_a_summary_forms(at_desk: Watched, alice: Person) -> None:
    agent = new_agent(alice, window=4000)
    chat = new_chat(alice, agent)
    for turn in range(9):
        ask(alice, chat, f"The {turn}th paragraph of the plan: " + "the garden, the roof and the pump. " * 8)
    page = open_at(at_desk, alice, chat, "context/timeline/")
    for lane in ("messages leave", "a new summary"):
        expect(page.locator(".timeline figcaption")).to_contain_text(lane)
    page.get_by_text("Everything that happened, as a list").click()
    page.locator(".marks li", has_text="left the window").first.get_by_role("link").click()
    page.wait_for_url("**/timeline/?step=*")
    moment = page.locator("#at-moment")
    expect(moment).to_contain_text("left the window")
    expect(moment).to_contain_text("in recall")
    expect(moment.locator(".moment-card", has_text="Summary")).to_contain_text("paragraph of the plan")


def test_two_windows_are_compared(at_desk: Watched, alice: Person, chat: MainContext) -> None:
    page = open_at(at_desk, alice, chat, "context/compare/")
    first, second = steps_of(alice, chat)[:2]
    page.get_by_label("First window").select_option(str(first.id))
    page.get_by_label("Second window").select_option(str(second.id))
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/compare/?from=*")
    block = page.locator(".compared li", has_text="human")
    expect(block).to_contain_text("v1 → v2")
    expect(block.locator("ins").last).to_contain_text("Drinks tea.")
    expect(page.locator(".queued.inserted > li")).to_have_count(2)
    page.get_by_label("Second window").select_option("now")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**&to=now")
    expect(page.locator(".queued.inserted")).to_contain_text("In the blue tin.")


def test_what_is_missing_leads_to_why_it_was_not_found(
    at_desk: Watched, alice: Person, chat: MainContext
) -> None:
    last = steps_of(alice, chat)[-1]
    page = open_at(at_desk, alice, chat, f"context/?step={last.id}")
    page.get_by_role("link", name="Something missing?").click()
    expect(page.get_by_label("What the agent looked for")).to_have_value("tea")
    missed = page.get_by_label("Words of the record that you miss")
    expect(missed).to_be_focused()
    missed.fill("blue tin")
    page.get_by_role("button", name="Explain").click()
    expect(page.locator(".why")).to_contain_text("It is found: place 1")
