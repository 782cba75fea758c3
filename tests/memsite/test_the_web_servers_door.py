"""A request goes through middleware, view and rendering in one piece; static files stay on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import SyncToAsync

from memsite.handler import InOneThread

THROUGH = "convert_exception_to_response.<locals>.inner"
"""The first middleware inside the one for static files, and all that it leads to."""


def ask(path: str) -> list[dict[str, Any]]:
    """The messages that answer a request without a key, as the web server gets them."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
    asked = iter([{"type": "http.request", "body": b""}])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        message = next(asked, None)
        if message is None:
            await asyncio.Event().wait()  # the client stays until it has its answer
        return message or {}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    asyncio.run(InOneThread()(scope, receive, send))
    return sent


@pytest.fixture
def hops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is sent from the event loop to a thread."""
    seen: list[str] = []
    go = SyncToAsync.__call__

    async def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append(getattr(self.func, "__qualname__", repr(self.func)))
        return await go(self, *args, **kwargs)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    return seen


def test_a_request_of_the_api_enters_its_thread_once(hops: list[str]) -> None:
    answer = ask("/api/v1/search/")
    assert answer[0]["status"] == 401
    assert b"problem+json" in dict(answer[0]["headers"])[b"Content-Type"]
    assert hops.count(THROUGH) == 1
    assert len(hops) == 4, f"beside it what begins a request, its line in the log, and what ends it: {hops}"


def test_a_static_file_is_served_without_any_thread_of_the_request(hops: list[str]) -> None:
    answer = ask("/static/favicon.svg")
    assert answer[0]["status"] == 200
    assert THROUGH not in hops
