"""Any chat-completions server as a LanguageModel, over one pooled `openai` client per process.

The client is asked for the raw response (`cast_to=httpx2.Response`): what it makes of messages and chunks by
itself costs ten times the call. It never retries either, since only here is it known whether a word was seen.
"""

from __future__ import annotations

import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import httpx2
from openai import APIConnectionError, APIStatusError, Omit, OpenAI, Stream

from agents.llm.answer import Answer
from agents.llm.base import Delta, ModelRequest
from agents.llm.chunks import payloads
from agents.llm.dialect import Dialect, dialect_of
from agents.llm.refusal import Refusal, from_status
from memory.outbound import http_client

LARGEST_ANSWER = 16 * 2**20
"""Bytes after which an answer is broken off: far above any real one, far below what a worker can hold."""

_DRAIN_SECONDS = 1.0
_HOPELESS = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
_BROKEN = (httpx2.HTTPError, ssl.SSLError)

_learned: dict[tuple[str, str], Dialect] = {}


@dataclass(frozen=True)
class OpenAIModel:
    """A model at a base URL. All times are seconds.

    `timeout` bounds the wait for the first byte and the silence between chunks, `longest` the whole call.
    A call that fails before its first delta is made up to `attempts` times, with waits from `backoff` upwards
    that together stay below `patience`; a server that asks for a longer wait is not asked again.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    _: KW_ONLY
    timeout: float = 120.0
    connect_timeout: float = 10.0
    longest: float = 900.0
    attempts: int = 4
    patience: float = 60.0
    backoff: float = 0.5

    @property
    def dialect(self) -> Dialect:
        """What is known of this server and model in this process."""
        return _learned.get((self.base_url, self.model)) or dialect_of(self.base_url)

    def stream(self, request: ModelRequest) -> Generator[Delta]:
        """Yield deltas, Usage where the server tells it, and Finish last. Raises ModelError (see `Refusal`).

        Drain it to its end, so that the connection is used again, or close it, which hangs up.
        """
        deadline = time.monotonic() + self.longest
        waited = 0.0
        for attempt in range(1, self.attempts + 1):
            begun = False
            try:
                with closing(self._attempt(request, deadline)) as deltas:
                    for delta in deltas:
                        begun = True
                        yield delta
                return
            except Refusal as refusal:
                wait = self._wait(refusal, attempt)
                hopeless = begun or not refusal.again or attempt == self.attempts
                if hopeless or waited + wait > self.patience:
                    refusal.hide(self.api_key)
                    raise
            waited += wait
            if request.abandoned.wait(wait):
                return

    def _wait(self, refusal: Refusal, attempt: int) -> float:
        # Workers that were refused together must not come back together, even where the server says when.
        backoff = self.backoff * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.0)
        return backoff + (refusal.retry_after or 0.0)

    def _attempt(self, request: ModelRequest, deadline: float) -> Generator[Delta]:
        response = self._open(request)
        answer = Answer()
        try:
            for payload in self._payloads(response, answer, deadline):
                yield from answer.read(payload)
            yield from answer.end()
        finally:
            response.close()

    def _open(self, request: ModelRequest) -> httpx2.Response:
        """A response with status 200. Learns the server's dialect where it refuses what was asked."""
        dialect = self.dialect
        tried = {dialect}
        while True:
            try:
                response = self._post(dialect.body(request, request.model or self.model))
            except Refusal as refusal:
                other = dialect.after(refusal.body)
                if other is None or other in tried:
                    raise
                dialect = other
                tried.add(other)
            else:
                streamed = response.headers.get("content-type", "").startswith("text/event-stream")
                self._learn(replace(dialect, streamed=streamed))
                return response

    def _learn(self, dialect: Dialect) -> None:
        if dialect != self.dialect:
            _learned[self.base_url, self.model] = dialect

    def _post(self, body: bytes) -> httpx2.Response:
        limits = httpx2.Timeout(self.timeout, connect=self.connect_timeout)
        try:
            response = _client(os.getpid()).post(
                _endpoint(self.base_url),
                cast_to=httpx2.Response,
                content=body,
                options={"headers": self._headers(), "timeout": limits},
                stream=True,
                stream_cls=Stream[Any],
            )
        except APIStatusError as error:
            # Not chained: some providers repeat the key in their answer.
            raise from_status(error.status_code, error.response.text, error.response.headers) from None
        except APIConnectionError as error:
            raise _unreachable(error.__cause__ or error) from error
        except (*_BROKEN, httpx2.InvalidURL, ValueError) as error:
            raise _unreachable(error) from error
        return cast(httpx2.Response, response)

    def _headers(self) -> dict[str, str | Omit]:
        if not (self.api_key.isascii() and (self.api_key.isprintable())):
            raise Refusal("the key has characters that no key has", kind="refused_key")
        authorization = f"Bearer {self.api_key}" if self.api_key else Omit()
        # A compressed stream arrives in bursts.
        return {"Authorization": authorization, "Accept-Encoding": "identity"}

    def _payloads(
        self, response: httpx2.Response, answer: Answer, deadline: float
    ) -> Iterator[dict[str, Any]]:
        pieces = response.iter_bytes()
        try:
            for payload in payloads(_bounded(pieces, deadline)):
                if payload is None:
                    answer.done = True
                    self._drain(response, pieces)
                    return
                yield payload
        except _BROKEN as error:
            if not answer.finished:
                raise _broken_off(error) from error

    def _drain(self, response: httpx2.Response, pieces: Iterator[bytes]) -> None:
        """Read the end of the response, without which the connection cannot be used again.

        A server that says `[DONE]` and then leaves the response open would hold the turn: a timer ends the
        wait, and the next time there is none.
        """
        if self.dialect.lingers:
            return
        connection = response.extensions["network_stream"].get_extra_info("socket")
        guard = threading.Timer(_DRAIN_SECONDS, _shut, [connection])
        guard.start()
        started = time.monotonic()
        with suppress(*_BROKEN):
            for _ in pieces:
                pass
        guard.cancel()
        self._learn(replace(self.dialect, lingers=time.monotonic() - started >= _DRAIN_SECONDS))


@cache
def _client(process: int) -> OpenAI:
    """The client of this process. It holds no key: each call brings its own."""
    client = OpenAI(api_key="none", base_url="http://localhost", max_retries=0, http_client=http_client())
    # Read from the environment of the machine, and nobody else's business.
    client.organization = client.project = None
    return client


@lru_cache(maxsize=256)
def _endpoint(base_url: str) -> str:
    parts = urlsplit(base_url.strip())
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return urlunsplit(parts._replace(path=f"{path}/chat/completions", fragment=""))


def _bounded(pieces: Iterator[bytes], deadline: float) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > LARGEST_ANSWER:
            raise Refusal(f"the answer passed {LARGEST_ANSWER} bytes", kind="server")
        if time.monotonic() > deadline:
            raise Refusal("the answer took too long", kind="timeout")
        yield piece


def _unreachable(error: BaseException) -> Refusal:
    if isinstance(error, httpx2.TimeoutException) and not isinstance(error, httpx2.ConnectTimeout):
        return Refusal("the server did not answer in time", kind="timeout")
    again = isinstance(error, _BROKEN) and not isinstance(error, _HOPELESS)
    return Refusal(
        f"the server cannot be reached: {error or type(error).__name__}", kind="connection", again=again
    )


def _broken_off(error: BaseException) -> Refusal:
    if isinstance(error, httpx2.TimeoutException):
        return Refusal("the server fell silent in the middle of its answer", kind="timeout")
    return Refusal(f"the stream broke off: {error or type(error).__name__}", kind="cut_off", again=True)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        # The plain socket's method: that of a TLS socket takes the state away under the thread that reads.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
