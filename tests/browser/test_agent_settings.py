"""An agent's window and its tool rules are set in the browser, with a way back."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from agents.models import Agent
from tests.browser.conftest import Watched
from tests.cast import Person, new_agent

WAITS = {"type": "requires_approval", "tool_name": "core_memory_append"}


def held(person: Person, agent: Agent) -> Agent:
    with person.scope():
        return Agent.objects.get(id=agent.id)


def open_settings(at: Watched, person: Person, agent: Agent, tab: str) -> Any:
    at.enter(person)
    at.open(f"/w/{person.personal}/agents/{agent.id}/settings/")
    page = at.await_scripts()
    page.get_by_role("link", name=tab).click()
    expect(page.get_by_role("link", name=tab)).to_have_attribute("aria-current", "page")
    return at.await_scripts()


def test_the_window_is_set_and_set_back(at_desk: Watched, alice: Person) -> None:
    agent = new_agent(alice)
    page = open_settings(at_desk, alice, agent, "Its window")
    expect(page.locator(".marks-table")).to_contain_text("70 %")
    page.get_by_label("Warn the model at").fill("60")
    page.get_by_label("Replace old tool results").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    expect(page.locator(".marks-table")).to_contain_text("60 %")
    assert held(alice, agent).context == {"warn_at": 60, "clear_tool_uses": None}
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Warn the model at")).to_have_value("70")
    assert held(alice, agent).context == {}


def test_what_cannot_be_is_said_at_its_field(at_desk: Watched, alice: Person) -> None:
    agent = new_agent(alice)
    page = open_settings(at_desk, alice, agent, "Its window")
    page.get_by_label("Summarise in the background at").fill("60")
    page.get_by_role("button", name="Save").click()
    field = page.get_by_label("Summarise in the background at")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("60")
    expect(page.locator(".field", has=field)).to_contain_text("the warning comes first")
    assert held(alice, agent).context == {}


def test_a_rule_is_added_saved_and_removed(at_desk: Watched, alice: Person) -> None:
    agent = new_agent(alice)
    page = open_settings(at_desk, alice, agent, "Tool rules")
    page.get_by_role("button", name="Add a rule: Asks first").click()
    tool = page.locator(".rule").get_by_label("Tool")
    expect(tool).to_be_focused()
    assert held(alice, agent).tool_rules == []
    tool.select_option("core_memory_append")
    page.get_by_role("button", name=re.compile("^Save$")).last.click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    assert held(alice, agent).tool_rules == [WAITS]
    page.get_by_role("button", name="Remove rule 1: Asks first").click()
    expect(page.locator(".rule")).to_have_count(0)
    assert held(alice, agent).tool_rules == []
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(page.locator(".rule")).to_have_count(1)
    assert held(alice, agent).tool_rules == [WAITS]
