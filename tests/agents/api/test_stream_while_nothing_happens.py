"""A stream in which nothing happens says that it lives, and lets go when its reader does."""

from __future__ import annotations

import asyncio

import pytest

from agents import following
from agents.api.stream import PING, stream
from agents.hub import hub
from tests.cast import Person, new_agent, new_chat, send


def test_it_pings_and_unsubscribes(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "PING_SECONDS", 0.05)
    turn = send(alice, new_chat(alice, new_agent(alice)), "hello")
    response = stream(alice.identity, turn.id, 0)

    async def read() -> list[bytes]:
        parts = aiter(response)
        found = [await anext(parts) for _ in range(4)]
        assert str(turn.id) in hub._followers
        await parts.aclose()
        return found

    opening, waits, *rest = asyncio.run(read())
    assert opening == PING
    assert waits == b'id: 1\nevent: state\ndata: {"status": "queued"}\n\n'
    assert rest == [PING, PING]
    assert str(turn.id) not in hub._followers
