"""How long a request's body may be, held while it comes in: Django takes all of it to disk before it looks.

Stands before Django, so it asks neither who sends nor what: a length that is stated is refused at once, one
that is not (chunked, RFC 9112, 7.1) at the byte that is too many. Doors refuse more exactly what is shorter.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from django.conf import settings

from memory.documents.limits import FORM_BYTES

FILES_AT_ONCE = 3
"""So many of the largest files a page's form takes, where no script sends them one by one."""
Scope = dict[str, Any]


def most_of(scope: Scope) -> int:
    """The most bytes that a request's body may have."""
    is_form = _header(scope, b"content-type").startswith(b"multipart/form-data")
    if scope["path"].startswith("/api/"):
        if scope["path"].endswith("/conversations/import/"):
            return int(settings.IMPORT_UPLOAD_MAX_MEMORY_SIZE)
        return FORM_BYTES if is_form else int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return FILES_AT_ONCE * FORM_BYTES if is_form else int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _header(scope: Scope, name: bytes) -> bytes:
    found: bytes = dict(scope["headers"]).get(name, b"")
    return found.lower()


class Bounded:
    """An ASGI application that never hears of a body that is too long."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serves a request, or answers 413 and reads no further."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        scope = scope | {"headers": list(scope["headers"])}
        counted = _Counted(receive, scope, most_of(scope))
        if counted.room < _stated(scope):
            counted.is_over = True
        else:
            await self._application(scope, counted, send)
        if counted.is_over:
            await _refuse(scope, send)


class _Counted:
    """What comes in, up to a length; then the sender is said to have gone, and Django drops what it has.

    Where no length was stated the headers get it at the end, before Django looks at them: it reads no form
    without one.
    """

    def __init__(self, receive: Any, scope: Scope, room: int) -> None:
        self._receive = receive
        self._scope = scope
        self._taken = 0
        self.room = room
        self.is_over = False

    async def __call__(self) -> Any:
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        if self._taken > self.room:
            self.is_over = True
            return {"type": "http.disconnect"}
        if self._taken and not message.get("more_body") and not _header(self._scope, b"content-length"):
            self._scope["headers"].append((b"content-length", b"%d" % self._taken))
        return message


def _stated(scope: Scope) -> int:
    length = _header(scope, b"content-length")
    return int(length) if length.isdigit() else 0


async def _refuse(scope: Scope, send: Any) -> None:
    said = f"The request is too large: it may have {most_of(scope):,} bytes at most."
    kind, body = b"text/plain; charset=utf-8", said.encode()
    if scope["path"].startswith("/api/"):
        facts = {"title": HTTPStatus(413).phrase, "status": 413, "detail": said, "code": "too_large"}
        kind, body = b"application/problem+json", json.dumps({"type": "about:blank"} | facts).encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
