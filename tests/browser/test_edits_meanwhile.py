"""A card of memory takes in what an agent wrote, also where somebody begins to edit it at that moment."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import until
from tests.agents.stubbed import stub_model
from tests.browser.conftest import Watched
from tests.browser.held import Held
from tests.cast import Cast, new_agent
from tests.live import Live

TELL_WHEN_ALL_CAME = """(left) => {
  window.came = new Promise((done) => {
    document.addEventListener("htmx:finally:request", () => { left -= 1; if (!left) done(true); });
  });
}"""


def test_a_card_that_was_opened_for_editing_meanwhile_is_left_to_it(
    watch: Callable[..., Watched], live: Live, cast: Cast, stub: StubServer
) -> None:
    agent = new_agent(cast.alice, cast.alice.personal, model_id=stub_model(cast.alice, stub.url).id)
    stub.queue(text("Hello."))
    session = watch(live)
    session.enter(cast.alice)
    session.open(f"/w/{cast.alice.personal}/c/new/?agent={agent.id}")
    session.say("hello")
    session.await_answer()
    page = session.page
    cards = page.locator("#panel article.block")
    card, count = cards.filter(has_text="human"), cards.count()
    held = Held(page, "**/card/*", "GET")
    page.evaluate("document.dispatchEvent(new CustomEvent('memory'))")
    until(lambda: len(held.routes) == count or page.wait_for_timeout(20))
    card.get_by_role("link", name="Edit").click()
    form = page.locator("#panel form.block")
    form.get_by_label("Text").fill("Likes tea.")

    page.evaluate(TELL_WHEN_ALL_CAME, count)
    held.let_go()
    assert page.evaluate("window.came")

    expect(form.get_by_label("Text")).to_have_value("Likes tea.")
    form.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("Likes tea.")
    assert session.wrongs == []
