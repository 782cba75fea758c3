"""A chat that was had elsewhere: brought in over the API, found by search, read there, gone on with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from memory.models import Message
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Person
from tests.live import Live

WORDS = {
    "en-GB": {"imported": "imported", "tool": "Answer of a tool", "later": "Later messages"},
    "zh-CN": {"imported": "导入", "tool": "工具的回答", "later": "后面的消息"},
}
LONG = "n" * 120


def bring(session: Watched, person: Person, agent: Any) -> str:
    """Three hundred messages; the 60th tells of a zebra, the one after it is what a tool answered."""
    messages: list[dict[str, str]] = [
        {"role": "assistant" if number % 2 else "user", "content": f"Line {number} of **much** talk."}
        for number in range(300)
    ]
    messages[60] = {"role": "user", "name": LONG, "content": "The zebra fair is in Harbin."}
    messages[61] = {"role": "tool", "name": "calendar", "content": '{"day": "' + "5" * 300 + '"}'}
    timed = [each | {"created_at": "2023-05-08T13:56:00Z"} for each in messages]
    answer = session.context.request.post(
        f"{session.site.url}/api/v1/conversations/import/",
        headers={"Authorization": f"Bearer {person.key}"},
        data={"agent": str(agent.id), "title": "Elsewhere", "messages": timed},
    )
    assert answer.status == 201
    return f"/w/{person.personal}/c/{answer.json()['conversation']}/"


@pytest.mark.parametrize(("locale", "viewport"), [("en-GB", DESK), ("zh-CN", PHONE)])
def test_it_is_read_found_and_gone_on_with(
    watch: Callable[..., Watched],
    live: Live,
    alice: Person,
    stub: StubServer,
    stub_agent: Any,
    locale: str,
    viewport: dict[str, int],
) -> None:
    words = WORDS[locale]
    session = watch(live, locale=locale, viewport=viewport)
    address = bring(session, alice, stub_agent)
    with alice.scope():
        zebra = Message.objects.get(content__contains="zebra")
    session.enter(alice)
    page = session.open(address)
    expect(page.locator("#log .message")).to_have_count(40)
    expect(page.locator("#log .message").last).to_contain_text("Line 299 of much talk.")
    expect(page.locator("#log .message").last).to_contain_text(words["imported"])
    expect(page.locator("#log .message").last).to_be_in_viewport()
    assert session.faults() == []

    session.open(f"/w/{alice.personal}/search/?q=zebra+fair")
    page.locator(f'main a[href*="{zebra.id}"]').first.click()
    page.wait_for_url(f"**{address}?at={zebra.id}#m-{zebra.id}")
    found = page.locator(f"#m-{zebra.id}")
    expect(found).to_be_in_viewport()
    expect(found).to_contain_text("The zebra fair is in Harbin.")
    tool = page.locator("#log details.tool")
    expect(tool.locator("pre")).to_be_hidden()
    tool.get_by_text(words["tool"]).click()
    expect(tool.locator("pre")).to_be_visible()
    assert session.faults() == []

    expect(page.get_by_text("Line 81 of")).to_have_count(0)
    page.get_by_role("link", name=words["later"]).click()
    expect(page.get_by_text("Line 81 of")).to_be_visible()
    expect(page.locator("#gap")).to_have_count(1)

    stub.queue(text("Welcome back."))
    session.say("Go on.")
    session.await_answer()
    expect(page.locator(".turn .prose").last).to_have_text("Welcome back.")
    expect(page.locator("#log .message").last).to_contain_text("Go on.")
    session.open(address)
    expect(page.locator("#log .message").last).to_be_in_viewport()
    expect(page.locator(".turn")).to_have_count(1)
