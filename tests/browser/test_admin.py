"""The staff's admin in a real browser: its theme asks for no foreign host and breaks no rule of its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tenants.models import Tenant
from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Cast, Person, ask, new_agent, new_chat
from tests.live import Live
from tests.memsite.operators.staff import Staff, appointed, block_of, let_staff_read

WAYS: dict[str, dict[str, Any]] = {
    "english": {"locale": "en-GB", "viewport": DESK},
    "chinese": {"locale": "zh-CN", "viewport": PHONE, "color_scheme": "dark", "has_touch": True},
}
SECTIONS = (
    "tenants/user",
    "tenants/membership",
    "agents/agent",
    "memory/block",
    "memory/blockversion",
    "memory/proposal",
    "memory/conversation",
    "agents/turn",
    "agents/step",
    "tenants/auditevent",
)


def enter(session: Watched, staff: Staff, person: Person) -> Page:
    """Sign in, and enter a person's tenant, as an operator does it."""
    cookie = staff.browser.cookies["sessionid"]
    session.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": session.site.url}])
    with person.scope():
        name = Tenant.objects.get().name
    page = session.open(f"/admin/?q={name}")
    row = page.locator("#tenants tr").filter(has=page.get_by_role("rowheader", name=name, exact=True))
    row.get_by_role("button").click()
    page.wait_for_url("**/admin/tenant/")
    return page


@pytest.mark.parametrize("way", WAYS)
def test_its_pages_open_in_both_languages(
    watch: Callable[..., Watched], live: Live, cast: Cast, way: str
) -> None:
    alice = cast.alice
    block_of(alice, cast.team, label="plan", value="我们五月发布。We ship in May.")
    ask(alice, new_chat(alice, new_agent(alice, cast.team), cast.team), "My name is Li Lei.")
    let_staff_read(alice)
    session, staff = watch(live, **WAYS[way]), appointed()
    page = enter(session, staff, alice)
    is_chinese = way == "chinese"
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans" if is_chinese else "en")
    assert wide(session) is False
    for section in SECTIONS:
        page = session.open(f"/admin/{section}/")
        row = page.locator("#result_list tbody a[href*='/change/']").first
        if section != "memory/proposal":
            expect(row).to_be_visible()
            session.open(str(row.get_attribute("href")))
            assert wide(session) is False, section


def wide(session: Watched) -> bool:
    """Whether the page scrolls sideways."""
    return bool(session.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_an_operator_edits_a_block_and_brings_the_old_text_back(
    watch: Callable[..., Watched], live: Live, cast: Cast
) -> None:
    block = block_of(cast.alice, cast.team, label="plan", value="We ship in May.")
    session, staff = watch(live), appointed()
    page = enter(session, staff, cast.alice)
    session.open(f"/admin/memory/block/{block.id}/change/")
    page.locator("textarea[name=value]").fill("We ship in June.")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/admin/memory/block/")
    session.open(f"/admin/memory/blockversion/?block_id={block.id}")
    page.locator("#result_list tbody a[href*='/change/']").last.click()
    page.get_by_role("button", name="Make this version current again").click()
    expect(page.locator("textarea[name=value]")).to_have_value("We ship in May.")
