"""A turn as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), and its end
awaited. Both end with the client: who hangs up holds nothing.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Any, cast

from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.renderers import JSONRenderer

from agents.events import Event
from agents.following import END, follow, status_of
from agents.models import Turn
from tenants.api.views import let_go
from tenants.keys import KeyRevoked
from tenants.scope import Identity

PING = b": ping\n\n"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


class EventStream(JSONRenderer):
    """Lets a client ask for events with its Accept header. Refusals stay JSON."""

    media_type = "text/event-stream"
    format = "events"


def stream(identity: Identity, turn_id: uuid.UUID, after: int, opening: bytes = b"") -> StreamingHttpResponse:
    """The answer that streams a turn's events, until `done`. Call it outside any scope."""
    let_go()
    return StreamingHttpResponse(
        _frames(identity, turn_id, after, opening),
        content_type=f"{EventStream.media_type}; charset=utf-8",
        headers=HEADERS,
    )


async def _frames(identity: Identity, turn_id: uuid.UUID, after: int, opening: bytes) -> AsyncIterator[bytes]:
    yield opening or PING
    try:
        async with aclosing(_followed(identity, turn_id, after)) as events:
            async for event in events:
                yield PING if event is None else frame(event)
    except (Turn.DoesNotExist, KeyRevoked):  # who followed may not look any more
        return


def _followed(identity: Identity, turn_id: uuid.UUID, after: int) -> AsyncGenerator[Event | None, None]:
    return cast(AsyncGenerator[Event | None, None], follow(identity, turn_id, after))


def frame(event: Event) -> bytes:
    """One event; its id is where a client that reconnects goes on."""
    named = f"id: {event.seq}\n" if event.seq else ""
    return f"{named}event: {event.kind}\ndata: {json.dumps(event.data)}\n\n".encode()


def wait_for_end(identity: Identity, turn_id: uuid.UUID, seconds: float) -> None:
    """Wait until a turn has ended, or a person has to decide, at most so many seconds.

    The wait is a task of the server's event loop, which cancels it when the client hangs up. Raises
    AuthenticationFailed where the key ends during the wait, Turn.DoesNotExist where its person does.
    """
    let_go()
    try:
        async_to_sync(_end)(identity, turn_id, seconds)
    except KeyRevoked as error:
        raise AuthenticationFailed(str(error)) from None


async def _end(identity: Identity, turn_id: uuid.UUID, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), aclosing(_followed(identity, turn_id, 0)) as events:
            async for event in events:
                if event is not None and (event.kind == END or await _asks(identity, turn_id, event)):
                    return


async def _asks(identity: Identity, turn_id: uuid.UUID, event: Event) -> bool:
    """Whether a turn waits for a decision now: the event that says so may be an old one."""
    if event.data.get("status") != Turn.Status.AWAITING:
        return False
    return await asyncio.to_thread(status_of, identity, turn_id) == Turn.Status.AWAITING


def opening_of(turn: Any) -> bytes:
    """The first event of a new message's stream: which turn it is, for stopping and for coming back."""
    told = {"id": str(turn.id), "conversation": str(turn.conversation_id), "message": str(turn.message_id)}
    return frame(Event("turn", told))
