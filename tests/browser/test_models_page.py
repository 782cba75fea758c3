"""A real model is added in the page, tested, given to an agent, and removed; its key only goes in."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.agents.llm.stub_behaviours import calls, refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import Watched
from tests.cast import Person

KEY = "sk-of-a-browser-test-1234567890"


def test_a_model_is_added_tested_used_and_removed(at_desk: Watched, alice: Person, stub: StubServer) -> None:
    home = f"/w/{alice.personal}"
    at_desk.enter(alice)
    page = at_desk.open(f"{home}/settings/models/")
    page.get_by_role("link", name="Add a provider").click()
    page.get_by_label("Provider").fill("The stub")
    page.get_by_label("Base URL").fill(f"{stub.url}?key=1")
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_label("Model", exact=True).fill("stub-1")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("A base URL looks like")
    page.get_by_label("Base URL").fill(stub.url)
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("stub-1")

    stub.queue(text("Hello!"), calls(("note_down", {"word": "hello"})))
    page.get_by_role("button", name="Test").click()
    expect(page.locator(".probe")).to_contain_text("It can call tools.")
    stub.queue(text("Hello!"), refuse(400, "stub does not support tools"))
    page.get_by_role("button", name="Test").click()
    expect(page.locator(".probe")).to_contain_text("It does not call tools")
    stub.queue(refuse(401, f"Incorrect API key provided: {KEY}"))
    page.get_by_role("button", name="Test").click()
    expect(page.locator(".probe.error")).to_contain_text("refused the key")
    assert stub.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in page.content()

    at_desk.open(f"{home}/agents/new/")
    page.get_by_label("Name").fill("Planner")
    page.get_by_label("Persona").fill("I plan quarters.")
    page.get_by_label("Model").select_option(label="stub-1 · The stub")
    page.get_by_label("Window in tokens").fill("64000")
    page.get_by_role("button", name="Make the agent").click()
    expect(page.locator("main")).to_contain_text("The model takes at most 32,000 tokens.")
    page.get_by_label("Window in tokens").fill("16000")
    page.get_by_role("button", name="Make the agent").click()
    stub.queue(text("At your service."))
    at_desk.say("Good morning")
    expect(page.locator(".turn .prose")).to_have_text("At your service.")
    expect(page.locator("#window")).to_contain_text("/ 16,000")
    assert "I plan quarters." in stub.requests[-1].json["messages"][0]["content"]

    at_desk.open(f"{home}/settings/models/")
    page.get_by_role("link", name="Edit").first.click()
    expect(page.get_by_label("Base URL")).to_have_value(stub.url)
    assert KEY not in page.content()
    page.get_by_role("button", name="Remove this provider").click()
    expect(page.locator(".toast")).to_contain_text("Agents use this model.")
    expect(page.locator("main")).to_contain_text("stub-1")


def test_an_emptied_window_is_the_models_again(at_desk: Watched, alice: Person) -> None:
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/agents/new/")
    page.get_by_label("Name").fill("Short")
    page.get_by_label("Window in tokens").fill("8000")
    page.get_by_role("button", name="Make the agent").click()
    at_desk.say("hello")
    expect(page.locator("#window")).to_contain_text("/ 8,000")
    page.get_by_role("main").get_by_role("link", name="Short").click()
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    page.get_by_label("Window in tokens").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    expect(page.get_by_label("Window in tokens")).to_have_value("")
