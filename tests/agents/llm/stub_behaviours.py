"""What the stub server can do with a request: one function for each way in which real servers behave.

A behaviour is an async function of an `Exchange`; the functions below make them. Write another one in a test
where these do not reach: `async def odd(exchange): ...`.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from tests.agents.llm.stub_format import USAGE, call_piece, chunk, completion, head_of, pieces, sse, text_of

if TYPE_CHECKING:
    from tests.agents.llm.stub_server import Recorded

FIXED_TEXT = " ".join(f"Word{number}" for number in range(1, 21))
MEMORY_NOTE = "The stub was here."


class Exchange:
    """One connection: the request that has come in last, and the means to answer it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.request: Recorded
        self.over = False

    async def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        """A whole response with a known length."""
        lines = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
        self.writer.write(head_of(status, lines) + body)
        await self.writer.drain()

    async def open(self, content_type: str = "text/event-stream") -> None:
        """The head of a streamed response."""
        self.writer.write(head_of(200, {"content-type": content_type, "transfer-encoding": "chunked"}))

    async def send(self, data: bytes) -> None:
        """Some bytes of a streamed response."""
        self.writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await self.writer.drain()

    async def event(self, data: Any) -> None:
        """One server-sent event that holds JSON."""
        await self.send(sse(data))

    async def chunk(self, delta: dict[str, Any], finish: str | None = None) -> None:
        """One chat.completion.chunk."""
        await self.event(chunk(delta, finish))

    async def usage(self, told: dict[str, Any] | None = None) -> None:
        """The usage chunk, where the request asked for it."""
        if (self.request.json.get("stream_options") or {}).get("include_usage"):
            await self.event({"choices": [], "usage": USAGE | (told or {})})

    async def end(self, *, done: bool = True) -> None:
        """`[DONE]` and the end of the response."""
        if done:
            await self.send(b"data: [DONE]\n\n")
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def silence(self) -> None:
        """Say nothing until the client hangs up."""
        await self.reader.read()
        self.over = True

    def cut(self) -> None:
        """Drop the connection where it stands."""
        self.writer.transport.abort()
        self.over = True


Behaviour = Callable[[Exchange], Awaitable[None]]


def text(
    words: str,
    *,
    chunks: int = 3,
    pause: float = 0.0,
    finish: str = "stop",
    usage: dict[str, Any] | None = None,
) -> Behaviour:
    """Says `words`, streamed in `chunks` pieces with `pause` seconds between them; `usage` as it tells it."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open()
        await exchange.chunk({"role": "assistant", "content": ""})
        for piece in pieces(words, chunks):
            await asyncio.sleep(pause)
            await exchange.chunk({"content": piece})
        await exchange.chunk({}, finish)
        await exchange.usage(usage)
        await exchange.end()

    return behave


def once(begun: threading.Event, behaviour: Behaviour) -> Behaviour:
    """Keeps silent until a test sets the event, and then behaves so."""

    async def behave(exchange: Exchange) -> None:
        while not begun.is_set():
            await asyncio.sleep(0.01)
        await behaviour(exchange)

    return behave


def calls(*tools: tuple[str, Any], chunks: int = 3, said: str = "") -> Behaviour:
    """Calls tools, each (name, arguments), the arguments in pieces; a string is sent as it stands."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open()
        await exchange.chunk({"role": "assistant", "content": said or None})
        for index, (name, arguments) in enumerate(tools):
            head = {"name": name, "arguments": ""}
            id = f"call_{exchange.request.number}_{index}"
            await exchange.chunk({"tool_calls": [call_piece(index, id, head)]})
            for piece in pieces(text_of(arguments), chunks):
                await exchange.chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        await exchange.chunk({}, "tool_calls")
        await exchange.usage()
        await exchange.end()

    return behave


def chunks(*sent: dict[str, Any], done: bool = True) -> Behaviour:
    """Streams exactly these JSON objects."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open()
        for data in sent:
            await exchange.event(data)
        await exchange.end(done=done)

    return behave


def raw(*sent: bytes, content_type: str = "text/event-stream") -> Behaviour:
    """Streams exactly these bytes with status 200."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open(content_type)
        for data in sent:
            await exchange.send(data)
        await exchange.end(done=False)

    return behave


def refuse(status: int, message: str = "no", *, retry_after: str = "", **error: Any) -> Behaviour:
    """Answers with an error status; `error` adds to or replaces fields of the error object."""

    async def behave(exchange: Exchange) -> None:
        body = json.dumps({"error": {"message": message, "type": "error", "code": None, **error}}).encode()
        await exchange.answer(status, body, {"retry-after": retry_after} if retry_after else None)

    return behave


def page(status: int, body: str, **headers: str) -> Behaviour:
    """Answers with something that is not JSON at all."""

    async def behave(exchange: Exchange) -> None:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        await exchange.answer(status, body.encode(), {"content-type": "text/html", **more})

    return behave


def refuse_field(*fields: str, status: int = 400, then: Behaviour) -> Behaviour:
    """Refuses requests with one of these fields, as strict servers do; answers the others with `then`."""

    async def behave(exchange: Exchange) -> None:
        refused = [field for field in fields if field in exchange.request.json]
        message = (
            f"Unsupported parameter: '{refused[0]}' is not supported with this model." if refused else ""
        )
        await (refuse(status, message, param=refused[0]) if refused else then)(exchange)

    return behave


def whole(words: str | None, *tools: tuple[str, Any], finish: str = "stop") -> Behaviour:
    """Answers with one JSON object although a stream was asked for."""

    async def behave(exchange: Exchange) -> None:
        await exchange.answer(200, json.dumps(completion(words, *tools, finish=finish)).encode())

    return behave


def hang() -> Behaviour:
    """Takes the request and never answers."""
    return Exchange.silence


def hang_after(words: str) -> Behaviour:
    """Says `words`, then nothing more, and keeps the connection."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open()
        await exchange.chunk({"content": words})
        await exchange.silence()

    return behave


def linger(words: str) -> Behaviour:
    """Answers whole with `[DONE]`, but never ends the response."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open()
        await exchange.chunk({"content": words})
        await exchange.chunk({}, "stop")
        await exchange.send(b"data: [DONE]\n\n")
        await exchange.silence()

    return behave


def cut(words: str = "") -> Behaviour:
    """Says `words`, then drops the connection in the middle; without words, before the answer."""

    async def behave(exchange: Exchange) -> None:
        if words:
            await exchange.open()
            await exchange.chunk({"content": words})
            # A reset may overtake what was sent; give the client the time to read it.
            await asyncio.sleep(0.05)
        exchange.cut()

    return behave


def stop_short(words: str) -> Behaviour:
    """Says `words`, then ends the response tidily, with neither a finish reason nor `[DONE]`."""
    return chunks(chunk({"content": words}), done=False)


def memory_then_text(words: str = FIXED_TEXT, number_of_chunks: int = 20) -> Behaviour:
    """Calls core_memory_append first, and says `words` when the request ends with a tool's result."""
    write = calls(("core_memory_append", {"label": "human", "content": MEMORY_NOTE}))
    speak = text(words, chunks=number_of_chunks)

    async def behave(exchange: Exchange) -> None:
        roles = [message["role"] for message in exchange.request.json["messages"]]
        spoken = [role for role in roles if role != "system"]
        await (speak if spoken and spoken[-1] == "tool" else write)(exchange)

    return behave


def instant(words: str = FIXED_TEXT, number_of_chunks: int = 20, pause: float = 0.0) -> Behaviour:
    """Says a fixed text as cheaply as a server can: the bytes are made once."""
    deltas = [chunk({"content": piece}) for piece in pieces(words, number_of_chunks)]
    events = [sse(data) for data in [*deltas, chunk({}, "stop"), {"choices": [], "usage": USAGE}]]
    framed = [b"%x\r\n%b\r\n" % (len(data), data) for data in [*events, b"data: [DONE]\n\n"]]
    head = head_of(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})

    async def behave(exchange: Exchange) -> None:
        exchange.writer.write(head)
        for frame in framed:
            if pause:
                await asyncio.sleep(pause)
            exchange.writer.write(frame)
        exchange.writer.write(b"0\r\n\r\n")
        await exchange.writer.drain()

    return behave
