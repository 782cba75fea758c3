"""The web server of live tests with MEMSITE_SLOW_BROWSER=1: the real one, which answers late.

Scripts come late and one by one, in an order that is unkind to them; and so does whatever changes a page
that stands there already. Nothing is kept by the browser.
"""

from __future__ import annotations

import asyncio
from typing import Any

from memsite.asgi import application as prompt

SCRIPTS = {"/django_htmx/htmx": 0.3, "/django_htmx/ext/": 1.0, "/js/": 1.5}
CHANGES = 0.7


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers as the site does, after a while."""
    if scope["type"] == "http":
        await asyncio.sleep(lateness(scope))
    await prompt(scope, receive, without_caches(send) if "/static/" in scope.get("path", "") else send)


def lateness(scope: dict[str, Any]) -> float:
    """Seconds that a request waits before it is looked at."""
    for part, seconds in SCRIPTS.items():
        if scope["path"].startswith("/static/") and part in scope["path"]:
            return seconds
    is_change = scope["method"] not in {"GET", "HEAD"} or b"hx-request" in dict(scope["headers"])
    return CHANGES if is_change else 0


def without_caches(send: Any) -> Any:
    """Hands on what is sent, as something that is not to be kept."""

    async def handed_on(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            kept = [each for each in message["headers"] if each[0].lower() != b"cache-control"]
            message = message | {"headers": [*kept, (b"cache-control", b"no-store")]}
        await send(message)

    return handed_on
