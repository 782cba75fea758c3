"""Journey 3: web and worker are killed while an answer streams; nothing is lost, doubled or said twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from memory.models import Message
from tests.browser.conftest import Watched
from tests.cast import Person, new_agent
from tests.live import Live

COUNT = 120


@pytest.fixture
def counting(watch: Callable[..., Watched], mortal: Live, alice: Person) -> Watched:
    """A chat in which the answer is on its way."""
    agent = new_agent(alice)
    session = watch(mortal)
    page = session.begin(alice, agent, f"Count to {COUNT}")
    expect(page.locator(".turn")).to_contain_text("12")
    return session


def said(page: Page) -> list[int]:
    """The numbers in the answer, as the page shows them."""
    text = page.locator(".turn .prose").last.text_content() or ""
    return [int(number) for number in re.findall(r"\d+", text)]


def await_end(page: Page) -> None:
    expect(page.locator(".turn:is([data-live], :has([data-stream]))")).to_have_count(0, timeout=60_000)


def stored(person: Person) -> list[str]:
    with person.scope():
        rows = Message.objects.filter(role="assistant", actor_kind="agent").order_by("position")
        return [row.content for row in rows if row.content]


def test_killing_web_loses_and_doubles_nothing(counting: Watched, mortal: Live, alice: Person) -> None:
    page = counting.page
    patient = counting.another_tab()  # nobody touches it: it reconnects by itself
    patient.goto(page.url)
    expect(patient.locator(".turn")).to_contain_text("13")
    mortal.kill("web")
    time.sleep(1)
    mortal.start("web")
    page.reload()
    second = counting.another_tab()
    second.goto(page.url)
    for tab in (page, second, patient):
        await_end(tab)
        expect(tab.locator(".turn .prose").last).to_contain_text(str(COUNT))
    wanted = list(range(1, COUNT + 1))
    assert said(page) == said(second) == said(patient)
    assert [number for number in said(page) if number in wanted][-COUNT:] == wanted
    assert len(stored(alice)) == 1
    assert [int(number) for number in re.findall(r"\d+", stored(alice)[0])] == said(page)
    streams = [url for url in counting.requests if url.endswith("/events/")]
    assert 1 <= len(streams) <= 18


def test_killing_the_worker_says_nothing_twice(counting: Watched, mortal: Live, alice: Person) -> None:
    mortal.kill("worker")
    mortal.start("worker")
    page = counting.page
    await_end(page)
    expect(page.locator(".turn .prose").last).to_contain_text(str(COUNT))
    wanted = list(range(1, COUNT + 1))
    assert [number for number in said(page) if number in wanted][-COUNT:] == wanted
    assert len(stored(alice)) == 1
    page.reload()
    assert [int(number) for number in re.findall(r"\d+", stored(alice)[0])] == said(page)
