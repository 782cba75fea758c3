"""The archive as a person uses it: found while one types, corrected and taken back, many deleted at once."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from memory.models import Archive, Passage
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person
from tests.live import Live
from tests.memory.web.filed import file, new_archive


@pytest.fixture
def notes(alice: Person) -> Archive:
    """An archive with a leaking roof, a soup, and thirty tomatoes."""
    archive = new_archive(alice)
    file(alice, archive, *(f"Tomato plant {number} wants sun." for number in range(30)), tags=["garden"])
    file(alice, archive, "The roof leaks when it rains.", "周报用要点列表，发到计划频道。")
    return archive


# The choices of filters that are wider than their field with its arrow.
CUT_CHOICES = """() => [...document.querySelectorAll(".many select:not([name=archive])")].flatMap((field) => {
  const style = getComputedStyle(field), ink = document.createElement("canvas").getContext("2d");
  ink.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 21;
  return [...field.options].map((each) => each.text).filter((text) => ink.measureText(text).width > room);
})"""


# The points of a hit that reach out of their row.
CUT_POINTS = """all => all.filter((each) => {
  const ink = document.createRange();
  ink.selectNodeContents(each);
  return ink.getBoundingClientRect().right > each.parentElement.getBoundingClientRect().right + 1;
}).map((each) => each.textContent)"""


def browse(session: Watched, person: Person, rest: str = "") -> Page:
    session.enter(person)
    return session.open(f"/w/{person.personal}/archive/{rest}")


def test_it_is_found_while_one_types_and_the_address_keeps_it(
    at_desk: Watched, alice: Person, notes: Archive
) -> None:
    page = browse(at_desk, alice)
    expect(page.locator("#passages > form")).to_contain_text("32 passages")
    at_desk.press("/")
    expect(page.locator("#archive-q")).to_be_focused()
    at_desk.type("leaking roof")
    expect(page.locator(".found mark").first).to_have_text("roof")
    expect(page).to_have_url(re.compile(r"\?q=leaking(\+|%20)roof"))
    why = page.locator(".found .why").first
    why.locator("summary").click()
    expect(why.locator("dt").first).to_have_text("Words")
    page.reload()
    expect(page.locator("#archive-q")).to_have_value("leaking roof")
    expect(page.locator(".found a.text").first).to_contain_text("The roof leaks when it rains.")
    assert at_desk.faults() == []


def test_why_it_was_found_is_not_cut_off_in_chinese_on_a_phone(
    watch: Callable[..., Watched], live: Live, alice: Person, notes: Archive
) -> None:
    page = browse(watch(live, viewport=PHONE, locale="zh-CN"), alice, "?q=leaking+roof")
    page.locator(".found .why summary").first.click()
    points = page.locator(".found .why[open] dd > span")
    expect(points.first).to_contain_text("满分")
    assert points.evaluate_all(CUT_POINTS) == []


def test_the_filters_stand_in_the_address_too(at_desk: Watched, alice: Person, notes: Archive) -> None:
    page = browse(at_desk, alice)
    page.get_by_text("Narrow it down").click()
    page.get_by_label("Tags").fill("garden")
    page.get_by_label("Tags").press("Enter")
    expect(page.locator("#passages > form")).to_contain_text("30 passages")
    expect(page).to_have_url(re.compile(r"tag=garden"))
    page.get_by_role("link", name="More", exact=True).click()
    expect(page.locator(".found > li")).to_have_count(5)
    page.get_by_label("How it came").select_option("assistant")
    expect(page.locator("#passages")).to_contain_text("No passage is like this.")
    page.go_back()
    expect(page.locator(".found > li").first).to_be_visible()


def test_a_correction_shows_what_it_changed_and_is_taken_back(
    at_desk: Watched, alice: Person, notes: Archive
) -> None:
    page = browse(at_desk, alice, "?q=roof")
    page.locator(".found a.text", has_text="The roof leaks").click()
    page.get_by_role("link", name="Correct").click()
    page.get_by_label("Text").fill("The roof leaks when it snows.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".passage")).to_have_text("The roof leaks when it snows.")
    expect(page.locator(".versions ins").first).to_have_text("snows")
    expect(page.locator(".versions del").first).to_have_text("rains")
    page.locator(".toast").hover()  # so it stays while one looks
    assert at_desk.faults() == []
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".passage")).to_have_text("The roof leaks when it rains.")
    expect(page.locator(".versions .number").first).to_have_text("v3")


def test_ticked_ones_go_and_come_back(at_desk: Watched, alice: Person, notes: Archive) -> None:
    page = browse(at_desk, alice)
    button = page.get_by_role("button", name="Delete the ticked ones")
    expect(button).to_be_disabled()
    boxes = page.locator(".found input[type=checkbox]")
    boxes.nth(0).focus()
    at_desk.press("Space")
    boxes.nth(1).check()
    button.click()
    expect(page.locator(".toast")).to_contain_text("2 passages are deleted.")
    expect(page.locator("#passages > form")).to_contain_text("30 passages")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#passages > form")).to_contain_text("32 passages")


def test_all_that_match_go_and_come_back(at_desk: Watched, alice: Person, notes: Archive) -> None:
    page = browse(at_desk, alice, "?tag=garden")
    page.get_by_label("All on this page").check()
    expect(page.locator(".found input:checked")).to_have_count(25)
    page.get_by_role("button", name="Delete all 30 that match").click()
    expect(page.locator(".toast")).to_contain_text("30 passages are deleted.")
    expect(page.locator("#passages")).to_contain_text("No passage is like this.")
    at_desk.press("u")
    expect(page.locator("#passages > form")).to_contain_text("30 passages")
    expect(page).to_have_url(re.compile(r"/archive/\?tag=garden$"))


def test_it_works_on_a_phone_and_without_script(
    watch: object, live: object, alice: Person, notes: Archive
) -> None:
    session = watch(live, viewport=PHONE, java_script_enabled=False)  # type: ignore[operator]
    session.enter(alice)
    page = session.open(f"/w/{alice.personal}/archive/?q=roof")
    expect(page.locator(".found mark").first).to_have_text("roof")
    page.locator(".found input[type=checkbox]").first.check()
    page.get_by_role("button", name="Delete the ticked ones").click()
    expect(page.locator(".toast")).to_contain_text("1 passage is deleted.")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    with alice.scope():
        assert not Passage.objects.exclude(retired_at=None).exists()


def test_one_search_leads_to_the_exact_place(at_desk: Watched, alice: Person, notes: Archive) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/agents/")
    at_desk.press("/")
    expect(page.locator("#filter")).to_be_focused()
    at_desk.type("leaking roof")
    at_desk.press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=leaking(\+|%20)roof"))
    expect(page.locator("#hits mark").first).to_have_text("roof")
    page.get_by_label("Kind").select_option("blocks")
    expect(page.locator("#hits")).to_contain_text("Nothing here is like this.")
    expect(page).to_have_url(re.compile(r"kind=blocks"))
    page.get_by_label("Kind").select_option("archive")
    expect(page.locator("#hits .tag").first).to_have_text("Archive")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    at_desk.press("j")
    expect(page.locator("#hits [data-step]").first).to_be_focused()
    assert at_desk.faults() == []
    page.locator("#hits a.text").first.click()
    expect(page.locator(".passage")).to_have_text("The roof leaks when it rains.")


@pytest.mark.parametrize("page", ["archive/?tag=none", "search/?person=nobody"])
def test_fields_of_a_filter_stand_in_line_and_show_their_choices(
    at_desk: Watched, alice: Person, page: str
) -> None:
    new_archive(alice)
    at_desk.enter(alice)
    shown = at_desk.open(f"/w/{alice.personal}/{page}")
    fields = shown.locator(".filters.many .field > :is(input, select)")
    assert fields.count() >= 6
    assert len({box["height"] for each in fields.all() if (box := each.bounding_box())}) == 1
    assert shown.evaluate(CUT_CHOICES) == []
