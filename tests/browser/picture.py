"""The picture in the README: `python -m tests.browser.picture` makes `docs/images/chat.png` anew.

It starts a site of its own on an empty folder, says a few invented things to the offline model, and takes
a picture of what came of it. Nothing of anyone's own site is in it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.live import ROOT
from tests.memsite.embedded.launching import Launcher, until
from tests.set_up_browser import find_browser

PICTURE = ROOT / "docs" / "images" / "chat.png"
SIZE = {"width": 1360, "height": 800}
EARLIER = ("My name is Li Lei.", "Our weekly report goes to the #plan channel.", "The deadline is 15 May.")
CHAT = ("I don't eat coriander.", "I eat coriander now.")


def main() -> None:
    """Start a site, take the picture, stop it."""
    path = find_browser()
    with tempfile.TemporaryDirectory() as folder, Launcher(Path(folder) / "data") as launcher:
        Path(folder).chmod(0o755)  # the embedded PostgreSQL may run as another user
        launcher.start("run")
        until(lambda: "First visit" in launcher.said())
        link = re.search(r"First visit.* (http://\S+)", launcher.said())
        assert link
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            take(browser, link[1])
            browser.close()


def take(browser: Browser, link: str) -> None:
    """Set the site up by its link, talk, and take the picture."""
    page = browser.new_page(
        viewport=SIZE,
        locale="en-GB",
        timezone_id="Asia/Shanghai",
        color_scheme="light",
    )
    page.goto(link)
    page.get_by_label("Organisation").fill("Example")
    page.get_by_label("Your name").fill("Li Lei")
    page.get_by_label("Email").fill("lilei@example.com")
    page.get_by_label("Password").fill("only for a picture")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/new/")
    for words in EARLIER:
        say(page, words)
        page.get_by_role("link", name="New chat").click()
    for words in CHAT:
        say(page, words)
    page.get_by_role("heading", level=1).click()  # the focus leaves the composer
    page.mouse.move(0, 0)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURE, animations="disabled")


def say(page: Page, words: str) -> None:
    """Send a message and wait for its answer."""
    page.locator("html[data-ready]").wait_for(state="attached")
    page.locator("#composer").fill(words)
    page.locator("#composer").press("Enter")
    expect(page.locator(".message .box").last).to_contain_text(words, timeout=30_000)
    expect(page.locator(".pending, .turn[data-live]")).to_have_count(0, timeout=30_000)
    expect(page.locator(".turn .prose").last).to_be_visible()


if __name__ == "__main__":
    main()
