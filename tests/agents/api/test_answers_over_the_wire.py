"""A message and its answer over real HTTP: awaited, watched, watched again, and left in the middle."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.api_calls import PROBLEM
from tests.cast import Cast, Person
from tests.live import Live


@dataclass
class Sent:
    """One server-sent event."""

    id: int
    kind: str
    data: Any


def client(site: Live, person: Person) -> httpx.Client:
    """A client of the site's API with the person's key."""
    headers = {"Authorization": f"Bearer {person.key}"}
    return httpx.Client(base_url=f"{site.url}/api/v1/", headers=headers, timeout=60)


def events(lines: Iterator[str]) -> Iterator[Sent]:
    """The events of a stream."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Sent(int(fields.get("id", 0)), fields["event"], json.loads(fields["data"]))
            fields = {}


@contextmanager
def watching(api: httpx.Client, verb: str, path: str, **options: Any) -> Iterator[Iterator[Sent]]:
    """A stream that stays open as long as the block."""
    headers = {"Accept": "text/event-stream"} | options.pop("headers", {})
    with api.stream(verb, path, headers=headers, **options) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["cache-control"] == "no-cache, no-transform"
        assert response.headers["x-accel-buffering"] == "no"
        yield events(response.iter_lines())


@pytest.fixture
def chat(live: Live, alice: Person) -> Iterator[Stubbed]:
    """Alice's chat on the live site with an agent that thinks with a stub."""
    with StubServer() as server:
        yield make_stubbed(alice, server)


@pytest.fixture
def api(live: Live, alice: Person) -> Iterator[httpx.Client]:
    with client(live, alice) as made:
        yield made


def path_of(chat: Stubbed) -> str:
    return f"conversations/{chat.chat.conversation_id}/messages/"


def test_it_waits_for_the_answer(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(calls(("core_memory_append", {"label": "human", "content": "Li Lei"})), text("Hello, Li Lei."))
    response = api.post(path_of(chat), json={"content": "I am Li Lei", "client_id": "one"})
    assert response.status_code == 200
    answer = response.json()
    assert answer["turn"]["status"] == "done"
    assert [message["role"] for message in answer["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert answer["messages"][-1]["content"] == "Hello, Li Lei."
    assert api.get(response.headers["location"]).json()["id"] == answer["turn"]["id"]


def test_it_needs_no_client_id(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(text("One."), text("Two."))
    first, second = (api.post(path_of(chat), json={"content": "again"}).json() for _ in range(2))
    assert first["turn"]["id"] != second["turn"]["id"]
    assert first["turn"]["client_id"]


def test_it_answers_the_offline_model(live: Live, cast: Cast) -> None:
    with client(live, cast.alice) as api:
        agent = api.post("agents/", json={"name": "Memo"}).json()
        conversation = api.post("conversations/", json={"agent": agent["id"]}).json()
        path = f"conversations/{conversation['id']}/messages/"
        answer = api.post(path, json={"content": "我不吃香菜"}).json()
        assert answer["turn"]["status"] == "done"
        blocks = api.get("blocks/", params={"agent": agent["id"], "label": "human"}).json()["results"]
        assert "香菜" in blocks[0]["value"]


def test_it_streams_the_answer_to_done(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(text("Good day to you."))
    with watching(api, "POST", path_of(chat), json={"content": "hello"}) as stream:
        opening, *told = list(stream)
    assert opening.kind == "turn"
    assert opening.data["conversation"] == str(chat.chat.conversation_id)
    assert [event.id for event in told] == list(range(1, len(told) + 1))
    assert "".join(event.data["text"] for event in told if event.kind == "text") == "Good day to you."
    assert told[-1].kind == "done"
    assert told[-1].data["status"] == "done"
    ids = [event.data["id"] for event in told if event.kind == "message"]
    assert api.get(f"messages/{ids[-1]}/").json()["content"] == "Good day to you."


def test_it_goes_on_where_a_client_left(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(text("Good day."))
    turn = api.post(path_of(chat), json={"content": "hello"}).json()["turn"]["id"]
    with watching(api, "GET", f"turns/{turn}/events/") as stream:
        whole = list(stream)
    for options in ({"params": {"after": 2}}, {"headers": {"Last-Event-ID": "2"}}):
        with watching(api, "GET", f"turns/{turn}/events/", **options) as stream:
            assert list(stream) == whole[2:]
    headers = {"Last-Event-ID": "2"}
    with watching(api, "GET", f"turns/{turn}/events/", params={"after": 1}, headers=headers) as stream:
        assert list(stream) == whole[2:]


def test_it_streams_a_repeated_message_again(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(text("Good day."))
    body = {"content": "hello", "client_id": "one"}
    with watching(api, "POST", path_of(chat), json=body) as stream:
        first = list(stream)
    with watching(api, "POST", path_of(chat), json=body) as stream:
        assert list(stream) == first


def test_it_refuses_before_it_streams(api: httpx.Client, chat: Stubbed) -> None:
    headers = {"Accept": "text/event-stream"}
    response = api.post(path_of(chat), json={"content": ""}, headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (400, PROBLEM)
    response = api.get("turns/00000000-0000-7000-8000-000000000000/events/", headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (404, PROBLEM)


def test_it_keeps_the_turn_running_when_the_client_hangs_up(
    live: Live, api: httpx.Client, chat: Stubbed
) -> None:
    before = len(live.log("web"))  # others use the site too
    chat.queue(text("A long answer.", chunks=5, pause=0.2))
    with watching(api, "POST", path_of(chat), json={"content": "hello"}) as stream:
        turn = next(stream).data["id"]
    with watching(api, "GET", f"turns/{turn}/events/") as stream:
        assert list(stream)[-1].data["status"] == "done"
    chat.queue(text("Another long answer.", chunks=5, pause=0.2))
    impatient = httpx.Timeout(60, read=0.3)
    with pytest.raises(httpx.ReadTimeout):
        api.post(path_of(chat), json={"content": "again", "client_id": "two"}, timeout=impatient)
    answer = api.post(path_of(chat), json={"content": "again", "client_id": "two"}).json()
    assert answer["messages"][-1]["content"] == "Another long answer."
    assert "Traceback" not in live.log("web")[before:]


def test_it_stops_a_turn_and_keeps_what_was_said(api: httpx.Client, chat: Stubbed) -> None:
    chat.queue(text(" ".join(["word"] * 400), chunks=200, pause=0.1))
    with watching(api, "POST", path_of(chat), json={"content": "hello"}) as stream:
        turn = next(stream).data["id"]
        next(event for event in stream if event.kind == "text")
        assert api.post(f"turns/{turn}/stop/").status_code == 200
        assert list(stream)[-1].data["status"] == "stopped"
    messages = api.get(path_of(chat), params={"order": "newest", "limit": 1}).json()["results"]
    assert messages[0]["state"] == "stopped"
    assert messages[0]["content"].startswith("word")


def test_it_serves_many_who_wait_at_once(live: Live, cast: Cast, chat: Stubbed) -> None:
    """More than the pool has connections: who waits holds none."""
    chat.server.otherwise = text("Good day.", pause=0.5)
    statuses: list[int] = []

    def ask(number: int) -> None:
        with client(live, cast.alice) as mine:
            body = {"content": f"hello {number}"}
            statuses.append(mine.post(path_of(chat), json=body, params={"wait": 2}).status_code)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    with client(live, cast.alice) as mine:
        assert mine.get("agents/").status_code == 200
    for thread in threads:
        thread.join()
    assert set(statuses) <= {200, 202}
    assert len(statuses) == 40
