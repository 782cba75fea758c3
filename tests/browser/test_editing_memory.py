"""Blocks in the side panel: made, counted, refused, renamed, and edited by two people at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.models import AgentBlock
from memory.models import Block, BlockVersion
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person, new_agent, new_chat
from tests.live import Live
from tests.memory.web.pages import new_block


@pytest.fixture
def agent(alice: Person) -> Any:
    return new_agent(alice)


def open_chat(session: Watched, person: Person, agent: Any) -> Page:
    session.enter(person)
    chat = new_chat(person, agent)
    return session.open(f"/w/{person.personal}/c/{chat.conversation_id}/")


def edit(page: Page, label: str) -> Locator:
    """Open the form of a block in the panel."""
    card = page.locator("#panel .block").filter(has=page.get_by_role("heading", name=label, exact=True))
    card.get_by_role("link", name="Edit").click()
    form = page.locator("#panel form.block")
    expect(form.get_by_label("Text", exact=True)).to_be_focused()
    return form


def human_of(person: Person, agent: Any) -> Block:
    with person.scope():
        return AgentBlock.objects.select_related("block").get(agent=agent, label="human").block


def test_a_block_is_edited_with_a_live_count_and_refused_over_its_limit(
    at_desk: Watched, alice: Person, agent: Any
) -> None:
    page = open_chat(at_desk, alice, agent)
    form = edit(page, "human")
    form.get_by_label("Text", exact=True).fill("名字：李雷 😀")
    expect(form.locator(".count-line")).to_contain_text("7 / 2,000")
    form.get_by_text("Label, limit, rules").click()
    form.get_by_label("Limit").fill("5")
    expect(form.locator(".count-line[data-room=over]")).to_contain_text("over by 2")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("2 characters over the limit of 5")
    assert at_desk.faults() == []
    form.get_by_label("Limit").fill("1500")
    form.get_by_role("button", name="Save").click()
    card = page.locator("#panel article.block").last
    expect(card).to_contain_text("名字：李雷 😀")
    expect(card).to_contain_text("7 / 1,500")
    expect(card.get_by_role("link", name="Edit")).to_be_focused()


def test_it_says_while_one_types_that_the_limit_is_near_or_passed(
    watch: Callable[..., Watched], live: Live, alice: Person
) -> None:
    on_phone = watch(live, viewport=PHONE, has_touch=True)
    block = new_block(alice, label="goals", limit=20)
    on_phone.enter(alice)
    page = on_phone.open(f"/w/{alice.personal}/memory/{block.id}/")
    form, text = page.locator("form.block"), page.get_by_label("Text", exact=True)
    line, meter = form.locator(".count-line"), form.locator("meter")
    near, over = line.get_by_text("nearly full"), line.get_by_text("over by")
    for length, state in ((17, ""), (18, "near"), (20, "near"), (23, "over"), (18, "near"), (23, "over")):
        text.fill("x" * length)
        expect(line).to_contain_text(f"{length} / 20")
        expect(line).to_have_attribute("data-room", state)
        expect(meter).to_have_attribute("data-room", state)
        assert (near.is_visible(), over.is_visible()) == (state == "near", state == "over")
    expect(over).to_contain_text("over by 3")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("3 characters over the limit of 20")
    expect(line).to_contain_text("over by 3")
    text.fill("short again")
    expect(form).not_to_contain_text("over the limit")
    expect(text).not_to_have_attribute("aria-invalid", "true")
    expect(line).to_have_attribute("data-room", "")
    assert on_phone.faults() == []


def test_a_save_in_the_side_panel_is_taken_back_in_place(at_desk: Watched, alice: Person, agent: Any) -> None:
    page = open_chat(at_desk, alice, agent)
    address = page.url
    for press in ("button", "key"):
        form = edit(page, "human")
        form.get_by_label("Text", exact=True).fill("Likes tea.")
        form.get_by_role("button", name="Save").click()
        note = page.locator(".toast").last
        expect(note).to_contain_text("Saved.")
        card = page.locator("#panel article.block").last
        expect(card).to_contain_text("Likes tea.")
        if press == "button":
            note.get_by_role("button", name="Undo").click()
        else:
            at_desk.press("u")
        expect(page.locator(".toast").last).to_contain_text("Taken back.")
        expect(card).to_contain_text("Empty so far.")
    assert page.url == address
    assert at_desk.wrongs == []


def test_a_new_label_is_what_the_agent_sees(at_desk: Watched, alice: Person, agent: Any) -> None:
    page = open_chat(at_desk, alice, agent)
    page.get_by_role("link", name="Add a block").click()
    page.get_by_label("Label").fill("two words")
    page.get_by_label("Text", exact=True).fill("Ship in May.")
    page.get_by_role("button", name="Make the block").click()
    expect(page.locator("main")).to_contain_text("A label starts with a letter")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Ship in May.")
    page.get_by_label("Label").fill("goals")
    page.get_by_role("button", name="Make the block").click()
    expect(page.locator("main")).to_contain_text("goals")
    page = open_chat(at_desk, alice, agent)
    form = edit(page, "goals")
    form.get_by_text("Label, limit, rules").click()
    form.get_by_label("Label").fill("human")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("has a block with this label already")
    form.get_by_label("Label").fill("plan")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#panel article.block").last.get_by_role("heading")).to_have_text("plan")
    with alice.scope():
        assert AgentBlock.objects.get(agent=agent, label="plan").block.label == "plan"


def test_the_second_of_two_writers_sees_both_texts_in_the_side_panel(
    watch: Callable[..., Watched], live: Live, alice: Person, agent: Any
) -> None:
    first, second = watch(live), watch(live)
    forms = [edit(open_chat(session, alice, agent), "human") for session in (first, second)]
    forms[0].get_by_label("Text", exact=True).fill("Name: Li Lei")
    forms[0].get_by_role("button", name="Save").click()
    expect(first.page.locator("#panel article.block").last).to_contain_text("Name: Li Lei")

    forms[1].get_by_label("Text", exact=True).fill("Name: Han Meimei")
    forms[1].get_by_role("button", name="Save").click()
    expect(forms[1].get_by_role("alert")).to_contain_text("Somebody changed this block while you wrote.")
    expect(forms[1].get_by_role("alert")).to_contain_text("Name: Li Lei")
    expect(forms[1].get_by_label("Text", exact=True)).to_have_value("Name: Li Lei\nName: Han Meimei")
    assert second.faults() == []

    forms[1].get_by_label("Text", exact=True).fill("Names: Li Lei, Han Meimei")
    forms[1].get_by_role("button", name="Save").click()
    expect(second.page.locator("#panel article.block").last).to_contain_text("Names: Li Lei, Han Meimei")
    human = human_of(alice, agent)
    with alice.scope():
        texts = BlockVersion.objects.filter(block=human).order_by("number").values_list("value", flat=True)
        assert list(texts) == ["", "Name: Li Lei", "Names: Li Lei, Han Meimei"]
