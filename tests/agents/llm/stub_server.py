"""A real HTTP server on loopback that speaks chat completions and misbehaves on demand.

It answers requests with the behaviours that were queued, in order, and then with `otherwise`. Tests run it
in a thread (`with StubServer() as stub`), benchmarks as a process (`python -m benchmarks.stub_model`).
The client under test is the real one: nothing of it is replaced.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.agents.llm.stub_behaviours import Behaviour, Exchange, refuse

PATH = "/v1/chat/completions"


@dataclass(frozen=True)
class Recorded:
    """A request as it came in, counted from 1; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    number: int
    connection: int

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


class StubServer:
    """Start with `with`; `url` is the base URL, `queue(...)` adds behaviours, `requests` is what came in."""

    def __init__(self, *behaviours: Behaviour, otherwise: Behaviour | None = None, port: int = 0) -> None:
        self.behaviours: deque[Behaviour] = deque(behaviours)
        self.otherwise = otherwise or refuse(400, "the stub has no behaviour left in its queue")
        self.requests: list[Recorded] = []
        self.connections = 0
        self.count = 0
        self.keep_records = True
        self.port = port
        self._news = threading.Condition()
        self._disconnects = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._run, name="stub-model", daemon=True)
        self._started = threading.Event()

    @property
    def url(self) -> str:
        """The base URL, as a person would type it into the settings page."""
        return f"http://127.0.0.1:{self.port}/v1"

    def queue(self, *behaviours: Behaviour) -> None:
        """Answer the next requests so, one behaviour for each."""
        self.behaviours.extend(behaviours)

    def wait_for_requests(self, number: int, seconds: float = 60) -> None:
        """Return when that many requests have come in; raise TimeoutError when they do not."""
        self._wait(lambda: len(self.requests) >= number, f"{number} requests", seconds)

    def wait_for_disconnects(self, number: int = 1, seconds: float = 60) -> None:
        """Return when clients have hung up that often; raise TimeoutError when they do not."""
        self._wait(lambda: self._disconnects >= number, f"{number} disconnects", seconds)

    def __enter__(self) -> StubServer:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *unused: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _wait(self, condition: Any, what: str, seconds: float) -> None:
        with self._news:
            if not self._news.wait_for(condition, seconds):
                raise TimeoutError(f"the stub waited {seconds} s for {what}")

    def _run(self) -> None:
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self._listen())
        self._started.set()
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(self._hang_up())
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def serve(self, announce: Callable[[str], object]) -> None:
        """Serve in the running event loop until cancelled, for a process that does nothing else."""
        server = await self._listen()
        announce(self.url)
        async with server:
            await server.serve_forever()

    async def _hang_up(self) -> None:
        for writer in self._writers:
            writer.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            await self._requests(Exchange(reader, writer), self.connections)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # Either side is gone. The end of the server cancels; asyncio would log that as an error.
        finally:
            self._writers.discard(writer)
            writer.close()
            with self._news:
                self._disconnects += 1
                self._news.notify_all()

    async def _requests(self, exchange: Exchange, connection: int) -> None:
        while not exchange.over:
            request = await self._read(exchange.reader, connection)
            if self.keep_records:
                with self._news:
                    self.requests.append(request)
                    self._news.notify_all()
            exchange.request = request
            await self._choose(request)(exchange)

    def _choose(self, request: Recorded) -> Behaviour:
        if request.path.split("?")[0] != PATH:
            return refuse(404, f"there is no {request.path} here")
        return self.behaviours.popleft() if self.behaviours else self.otherwise

    async def _read(self, reader: asyncio.StreamReader, connection: int) -> Recorded:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = dict(_headers(lines))
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.count += 1
        return Recorded(method, path, headers, body, self.count, connection)


def _headers(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    for line in lines:
        name, _, value = line.partition(":")
        yield name.strip().lower(), value.strip()
