"""HTTP to servers that somebody set up: one pooled client per process, and how long it is waited for."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeVar

import httpx2

_IDLE_SECONDS = 90.0
_NUMBER = re.compile(r"\d+(\.\d+)?")
# Calls that nobody waits for any longer hold a thread until their own time is over.
_aside = ThreadPoolExecutor(16, "outbound")
T = TypeVar("T")


class TooLarge(Exception):
    """An answer passed the most bytes that are read of one."""


def http_client() -> httpx2.Client:
    """The client of this process: a fork must not share sockets.

    Neither cookies nor redirects: both would carry one call to where another's went.
    """
    return _client(os.getpid())


@cache
def _client(process: int) -> httpx2.Client:
    return httpx2.Client(
        limits=httpx2.Limits(
            max_connections=1000, max_keepalive_connections=100, keepalive_expiry=_IDLE_SECONDS
        ),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
    )


def within(seconds: float, call: Callable[[], T]) -> T:
    """What a call answers, waited for no longer than that. Raises TimeoutError, and what the call raises.

    A client's own timeouts hold for each read, and none for the look-up of a name.
    """
    future = _aside.submit(call)
    try:
        return future.result(seconds)
    finally:
        future.cancel()


def body_of(response: httpx2.Response, *, largest: int, deadline: float) -> bytes:
    """A streamed response's body. Raises TooLarge, TimeoutError past `deadline` (of `time.monotonic`)."""
    found = bytearray()
    for piece in response.iter_bytes():
        found += piece
        if len(found) > largest:
            raise TooLarge(TooLarge.__doc__)
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(found)


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for (a number or an HTTP date, RFC 9110 10.2.3); None without one.

    `retry-after-ms` is what OpenAI and Azure send beside it.
    """
    for name, parts in (("retry-after-ms", 1000), ("retry-after", 1)):
        if _NUMBER.fullmatch(headers.get(name, "").strip()):
            return float(headers[name]) / parts
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
