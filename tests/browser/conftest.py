"""A real browser on the live site. What a page may not do (foreign hosts, errors, CSP reports) is watched."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import until
from tests.agents.stubbed import stub_model
from tests.browser.slowness import IS_SLOW, throttle
from tests.cast import PASSWORD, Person, new_agent
from tests.live import ROOT, Live, make_live
from tests.set_up_browser import find_browser

WAIT_MS = 60_000 if IS_SLOW else 40_000
RESULTS = ROOT / "test-results"
DESK, PHONE = {"width": 1360, "height": 800}, {"width": 390, "height": 844}
# Nothing moves: what is looked at is where it will stay.
USUAL = {"locale": "en-GB", "viewport": DESK, "reduced_motion": "reduce"}
# What the console says where a test breaks the network, or where a page answers 4xx; see `_answered`.
EXPECTED = ("net::ERR_", "Failed to load resource", "Failed to fetch", "htmx:sse:error: network error")
# What a page asks for by itself and may never miss.
OWN_PARTS = {"script", "stylesheet", "image", "font"}
# A page of ours whose scripts have not all run: what is pressed on it may find nobody who hears.
UNREADY = "html:not([data-ready]):has(script[src*='/js/shell.'])"
# A busy machine takes its time; nothing here is a matter of seconds.
expect.set_options(timeout=WAIT_MS)
TELL_VIOLATIONS = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""


@dataclass
class Watched:
    """A browser session of one person, and everything wrong that its pages did.

    What Playwright does with a locator, and what it expects of one, waits until the scripts of the page have
    run, also of a page that a click has led to. `page.keyboard` waits for nothing, so that `press` and `type`
    are here; nor do `evaluate` and what asks at once, such as `count` and `is_visible`.
    """

    context: BrowserContext
    page: Page
    site: Live
    wrongs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    awaits_scripts: bool = True

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.site.url + path)
        return self.page

    def another_tab(self) -> Page:
        page = self.context.new_page()
        self.watch(page)
        return page

    def watch(self, page: Page) -> None:
        page.set_default_timeout(WAIT_MS)
        if self.awaits_scripts:
            # Where it is seen, Playwright calls this and then waits until it is gone.
            page.add_locator_handler(page.locator(UNREADY), lambda: None)
        if IS_SLOW:
            throttle(page)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.wrongs.append(f"error: {error}"))
        page.on("request", self._requested)
        page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not any(each in message.text for each in EXPECTED):
            self.wrongs.append(f"console: {message.text}")

    def _requested(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.site.url, "data:", "about:")):
            self.wrongs.append(f"foreign host: {request.url}")

    def _answered(self, response: Response) -> None:
        is_part = response.request.resource_type in OWN_PARTS
        if response.status >= 500 or (is_part and response.status >= 400):
            self.wrongs.append(f"answer {response.status}: {response.url}")

    def sign_in(self, person: Person, password: str = PASSWORD) -> Page:
        """By the form, as a person does it."""
        page = self.open("/accounts/login/")
        page.locator("input[name=login]").fill(person.user.email)
        page.locator("input[name=password]").fill(password)
        page.get_by_role("main").get_by_role("button").click()
        page.wait_for_url("**/w/**")
        return page

    def enter(self, person: Person) -> None:
        """With a session that is there already."""
        cookie = person.browser.cookies["sessionid"]
        self.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": self.site.url}])

    def await_scripts(self, page: Page | None = None) -> Page:
        """The page, once its scripts have run."""
        shown = page or self.page
        shown.locator("html[data-ready]").wait_for(state="attached")
        return shown

    def press(self, *keys: str, page: Page | None = None) -> None:
        """Press keys one after another, wherever the focus is."""
        for key in keys:
            self.await_scripts(page).keyboard.press(key)

    def type(self, text: str, page: Page | None = None) -> None:
        """Type a text, wherever the focus is."""
        self.await_scripts(page).keyboard.type(text)

    def say(self, text: str, page: Page | None = None) -> None:
        """Write in the composer and press Enter."""
        composer = self.await_scripts(page).locator("#composer")
        composer.fill(text)
        composer.press("Enter")

    def begin(self, person: Person, agent: Any, text: str) -> Page:
        """A new chat with an agent, begun with a message."""
        self.enter(person)
        self.open(f"/w/{person.personal}/c/new/?agent={agent.id}")
        self.say(text)
        self.page.wait_for_url(re.compile(r"/c/[0-9a-f]{8}-"))
        return self.page

    def await_answer(self, page: Page | None = None) -> None:
        """Nothing is on its way, and nothing is being answered."""
        asked = page or self.page
        expect(asked.locator(".turn").last).to_be_visible()
        expect(asked.locator(".pending")).to_have_count(0)
        expect(asked.locator(".turn[data-live]")).to_have_count(0)

    def copied(self, name: str) -> str:
        """What a button puts on the clipboard."""
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.evaluate("navigator.clipboard.writeText('')")
        self.page.get_by_role("button", name=name).click()
        until(lambda: self.page.evaluate("navigator.clipboard.readText()"))
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def faults(self) -> list[str]:
        """What axe finds serious, and whether the page scrolls sideways."""
        expect(self.page.locator(UNREADY)).to_have_count(0)
        found = Axe().run(self.page).response["violations"]
        serious = [each for each in found if each["impact"] in {"serious", "critical"}]
        faults = [f"{each['id']}: {node['html'][:120]}" for each in serious for node in each["nodes"]]
        is_wide = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        return [*faults, *(["it scrolls sideways"] if is_wide else [])]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A browser for as long as browser tests run: Playwright's loop may not outlive them in this thread."""
    # Django would take its own blocking calls for a mistake.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    found = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found,
            args=[
                "--no-sandbox",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether a test failed, for those who clean up after it."""
    outcome: Any = yield
    if outcome.get_result().failed:
        item.stash[HAS_FAILED] = True


HAS_FAILED = pytest.StashKey[bool]()


@pytest.fixture
def watch(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Watched]]:
    """Open a browser session on a site; at the end, no page of it may have done anything wrong.

    Where the test fails, pictures of its pages lie in `test-results/`.
    """
    sessions: list[Watched] = []

    def open_session(site: Live, **options: object) -> Watched:
        context = chromium.new_context(
            **({"locale": "en-GB", "viewport": DESK, "reduced_motion": "reduce"} | options)
        )
        context.add_init_script(TELL_VIOLATIONS)
        has_scripts = bool(options.get("java_script_enabled", True))
        session = Watched(context, context.new_page(), site, awaits_scripts=has_scripts)
        session.watch(session.page)
        sessions.append(session)
        return session

    yield open_session
    wrongs = [wrong for session in sessions for wrong in session.wrongs]
    if wrongs or request.node.stash.get(HAS_FAILED, False):
        pages = [page for session in sessions for page in session.context.pages]
        take_pictures(pages, re.sub(r"[^\w-]+", "-", request.node.name))
    for session in sessions:
        session.context.close()
    assert not wrongs


def take_pictures(pages: list[Page], name: str) -> None:
    RESULTS.mkdir(exist_ok=True)
    for number, page in enumerate(pages, start=1):
        page.screenshot(path=Path(RESULTS, f"{name}-{number}.png"))


@pytest.fixture
def at_desk(watch: Callable[..., Watched], live: Live) -> Watched:
    """Someone at a desk, in English, on the shared live site."""
    return watch(live)


@pytest.fixture
def stub(database: None) -> Iterator[StubServer]:
    """A model that says what a test wants, and remembers what it was asked."""
    with StubServer() as server:
        yield server


@pytest.fixture
def stub_agent(alice: Person, stub: StubServer) -> Any:
    """Alice's agent that thinks with the stub."""
    return new_agent(alice, model_id=stub_model(alice, stub.url).id)


@pytest.fixture(scope="module")
def mortal(database: None) -> Iterator[Live]:
    """A site to be killed; its offline model takes its time. Who kills a part of it starts that again."""
    site = make_live(MEMSITE_OFFLINE_PAUSE="0.05")
    for name in ("worker", "beat", "web"):
        site.start(name)
    yield site
    site.stop()
