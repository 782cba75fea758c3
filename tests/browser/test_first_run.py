"""Journey 1: open, sign in, say 你好 to the offline model, and read its answer."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Person, new_agent
from tests.live import Live
from tests.memsite.embedded.launching import Launcher, until

SIZES = {"desk": DESK, "phone": PHONE}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_it_answers_a_greeting_without_a_fault(
    watch: Callable[..., Watched], live: Live, alice: Person, locale: str, size: str
) -> None:
    new_agent(alice)
    session = watch(live, locale=locale, viewport=SIZES[size])
    session.sign_in(alice)
    page = session.open(f"/w/{alice.personal}/c/new/")
    session.say("你好")
    expect(page.locator(".turn .prose").last).to_contain_text("离线模型")
    session.await_answer()
    expect(page.locator("#log")).to_have_attribute("aria-busy", "false")
    assert session.faults() == []


def test_the_page_is_chinese_for_a_chinese_browser(
    watch: Callable[..., Watched], live: Live, alice: Person
) -> None:
    session = watch(live, locale="zh-CN")
    page = session.sign_in(alice)
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("nav").first).to_contain_text("会话")


@pytest.fixture
def fresh() -> Iterator[Launcher]:
    """A site as `make run` starts it, on an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Launcher(Path(folder) / "data") as launcher:
            process = launcher.start("run")
            until(lambda: "First visit" in launcher.said() or process.poll() is not None)
            assert process.poll() is None, launcher.complained()
            yield launcher


def test_the_printed_link_leads_to_a_chat_that_answers(
    watch: Callable[..., Watched], fresh: Launcher
) -> None:
    site = Live({}, fresh.port, Path())
    session = watch(site, timezone_id="Asia/Shanghai")
    page = session.open("/")
    expect(page.get_by_text("memsite is not set up yet")).to_be_visible()
    link = re.search(r"First visit.*http://localhost:\d+(/setup/\S+)", fresh.said())
    assert link
    session.open(link[1])
    assert session.faults() == []
    fill_in(page, password="12345678")
    expect(page.get_by_text("too common")).to_be_visible()
    fill_in(page, password="correct horse battery")
    expect(page.locator("#composer")).to_be_focused()
    page.get_by_role("button", name="My name is Li Lei").click()
    page.locator("#composer").press("Enter")
    expect(page.locator(".chip").first).to_contain_text("Li Lei")
    session.open("/me/")
    expect(page.locator("select[name=time_zone]")).to_have_value("Asia/Shanghai")
    session.open(link[1])
    expect(page.get_by_text("memsite is set up")).to_be_visible()


def fill_in(page: Page, *, password: str) -> None:
    page.get_by_label("Organisation").fill("Acme")
    page.get_by_label("Your name").fill("Alice")
    page.get_by_label("Email").fill("alice@example.com")
    page.get_by_label("Password").fill(password)
    page.get_by_label("Password").press("Enter")
