"""A real HTTP server that embeds and reranks, and misbehaves on demand."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

from tests.agents.llm.stub_behaviours import Behaviour, Exchange
from tests.agents.llm.stub_server import Recorded, StubServer

DIMENSIONS = 8


class StubEndpoint(StubServer):
    """The stub server, whatever the path."""

    def _choose(self, request: Recorded) -> Behaviour:
        return self.behaviours.popleft() if self.behaviours else self.otherwise

    def texts(self) -> list[list[str]]:
        """The texts of each request so far."""
        return [each.json["input"] for each in self.requests]


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """A vector of its own for each text, not of length 1."""
    digest = hashlib.sha256(text.encode()).digest()
    return [float(digest[at % 32] + at + 1) for at in range(dimensions)]


def embeddings(*, dimensions: int = DIMENSIONS, pause: float = 0.0, backwards: bool = False) -> Behaviour:
    """Answers with a vector for each text, as OpenAI does, or `backwards`, which its `index` allows."""

    async def behave(exchange: Exchange) -> None:
        await asyncio.sleep(pause)
        asked = exchange.request.json
        wanted = asked.get("dimensions", dimensions)
        rows = [
            {"object": "embedding", "index": place, "embedding": vector_of(text, wanted)}
            for place, text in enumerate(asked["input"])
        ]
        await exchange.answer(200, data(rows[::-1] if backwards else rows))

    return behave


def refusing(*words: str, status: int = 400, then: Behaviour | None = None) -> Behaviour:
    """Refuses a request in which a text has one of these words."""

    async def behave(exchange: Exchange) -> None:
        asked = exchange.request.json["input"]
        if any(word in text for word in words for text in asked):
            await exchange.answer(status, json.dumps({"error": {"message": "input rejected"}}).encode())
        else:
            await (then or embeddings())(exchange)

    return behave


def answers(body: Any, status: int = 200, **headers: str) -> Behaviour:
    """Answers with this: text as it is, anything else as JSON."""
    sent = body if isinstance(body, str) else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def behave(exchange: Exchange) -> None:
        await exchange.answer(status, sent.encode(), named)

    return behave


def data(rows: list[dict[str, Any]]) -> bytes:
    """The body of an answer."""
    return json.dumps({"object": "list", "data": rows, "model": "stub", "usage": {}}).encode()


def dribbling() -> Behaviour:
    """Sends a byte now and then, and never comes to an end."""

    async def behave(exchange: Exchange) -> None:
        await exchange.open("application/json")
        while True:
            await exchange.send(b" ")
            await asyncio.sleep(0.1)

    return behave
