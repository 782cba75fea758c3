"""Open streams hold no database connection: more of them than the pool has do not stop the site."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import httpx
import pytest

from tests.cast import Person, new_agent, new_chat, send
from tests.live import Live, make_live

POOL, STREAMS = 3, 12


@pytest.fixture
def small_site(database: None) -> Iterator[Live]:
    """Web alone, with a small pool: turns wait for ever, and so do their streams."""
    site = make_live(MEMSITE_POOL=str(POOL))
    site.start("web")
    yield site
    site.stop()


def test_a_page_answers_beside_many_streams(small_site: Live, alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "hello")
    here = f"{small_site.url}/w/{alice.personal}/c/{chat.conversation_id}/"
    cookies = {"sessionid": alice.browser.cookies["sessionid"].value}
    begun = threading.Semaphore(0)
    done = threading.Event()

    def follow() -> None:
        with (
            httpx.Client(cookies=cookies, timeout=60) as client,
            client.stream("GET", f"{here}turns/{turn.id}/events/") as stream,
        ):
            assert stream.status_code == 200
            next(stream.iter_raw())
            begun.release()
            done.wait(60)

    followers = [threading.Thread(target=follow) for _ in range(STREAMS)]
    for each in followers:
        each.start()
    try:
        assert all(begun.acquire(timeout=60) for _ in followers)
        with httpx.Client(cookies=cookies, timeout=60) as client:
            assert client.get(here).status_code == 200
    finally:
        done.set()
        for each in followers:
            each.join()
