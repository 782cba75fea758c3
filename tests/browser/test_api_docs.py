"""The page that documents the API works under the site's policy, with nothing from other hosts."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Watched
from tests.cast import Cast, new_agent


def test_it_tries_a_route_with_a_key(cast: Cast, at_desk: Watched) -> None:
    agent = new_agent(cast.alice)
    page = at_desk.open("/api/docs/")
    page.locator("button.authorize").first.click()
    page.locator(".auth-container input").fill(cast.alice.key)
    page.locator(".auth-container button.authorize").click()
    page.locator(".btn-done").click()
    route = page.locator("#operations-agents-agents")
    route.click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    expect(route.locator(".live-responses-table")).to_contain_text(str(agent.id))
