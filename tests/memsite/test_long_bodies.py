"""A body that is too long is refused while it comes in, over real HTTP: nothing of it is kept."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from memory.documents.limits import FORM_BYTES
from memsite.body_limits import FILES_AT_ONCE, Bounded, most_of
from tests.api_calls import post
from tests.cast import Person
from tests.live import Live
from tests.memory.documents.uploading import NOTES

FORM = b"multipart/form-data; boundary=xyz"
PART = (
    b'--xyz\r\nContent-Disposition: form-data; name="file"; filename="garden.md"\r\n\r\n'
    + NOTES
    + b"\r\n--xyz--\r\n"
)
PIECE = b"x" * 1_000_000


def scope(path: str, **headers: bytes) -> dict[str, Any]:
    listed = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
    return {"type": "http", "path": path, "headers": listed}


class Site:
    """An application that takes a whole body, as Django does, and what was sent and read around it."""

    def __init__(self) -> None:
        self.kept, self.read, self.sent = 0, 0, list[dict[str, Any]]()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.kept += len(message["body"])
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 201, "headers": []})
                return

    def asked(self, scope: dict[str, Any], pieces: int) -> None:
        async def receive() -> dict[str, Any]:
            self.read += 1
            return {"type": "http.request", "body": PIECE, "more_body": self.read < pieces}

        async def send(message: dict[str, Any]) -> None:
            self.sent.append(message)

        asyncio.run(Bounded(self)(scope, receive, send))

    @property
    def status(self) -> int:
        (status,) = (each["status"] for each in self.sent if "status" in each)
        return int(status)


ROUTES = [
    ("/api/v1/archives/x/documents/", FORM, 20),
    ("/api/v1/agents/", b"application/json", 8),
    ("/api/v1/conversations/import/", b"application/json", 33),
    ("/w/x/documents/", FORM, 60),
    ("/login/", b"application/x-www-form-urlencoded", 8),
]


@pytest.mark.parametrize(("path", "kind", "most"), ROUTES)
def test_it_reads_up_to_the_limit_and_not_a_piece_further(path: str, kind: bytes, most: int) -> None:
    asked = scope(path, content_type=kind)
    fits, over = Site(), Site()
    fits.asked(asked, most)
    over.asked(asked, 500)
    assert (fits.status, fits.kept) == (201, most * len(PIECE))
    assert (over.status, over.read, over.kept) == (413, most + 1, most * len(PIECE))


@pytest.mark.parametrize(("path", "kind", "most"), ROUTES)
def test_a_length_that_is_stated_is_refused_unread(path: str, kind: bytes, most: int) -> None:
    length = most_of(scope(path, content_type=kind))
    site = Site()
    site.asked(scope(path, content_type=kind, content_length=b"%d" % (length + 1)), 500)
    assert (site.status, site.read) == (413, 0)


def chunked(site: Live, person: Person, path: str, pieces: Iterator[bytes]) -> tuple[bytes, int]:
    """What is answered to a body of no stated length, and how many bytes of it could be sent."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {urlsplit(site.url).netloc}\r\nAuthorization: Bearer {person.key}\r\n"
        f"Content-Type: {FORM.decode()}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    sent = 0
    with socket.create_connection(("127.0.0.1", site.port), 30) as line:
        line.sendall(head.encode())
        try:
            for piece in pieces:
                line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                sent += len(piece)
            line.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        return line.recv(65_536), sent


def test_an_upload_of_no_stated_length_ends_where_the_limit_is(alice: Person, live: Live) -> None:
    archive = post(alice, "archives/", {"name": "Papers"})["id"]
    path = f"/api/v1/archives/{archive}/documents/"
    answer, _ = chunked(live, alice, path, iter([PART[:100], PART[100:]]))
    assert answer.startswith(b"HTTP/1.1 201 ")
    answer, sent = chunked(live, alice, path, (PIECE for _ in range(200)))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"it may have 20,065,536 bytes at most" in answer
    assert sent < FILES_AT_ONCE * FORM_BYTES


def test_the_refusal_is_a_problem_as_others_are(live: Live, alice: Person) -> None:
    headers = {"Authorization": f"Bearer {alice.key}", "Content-Type": "application/json"}
    response = httpx.post(f"{live.url}/api/v1/agents/", content=b"x" * 9_000_000, headers=headers)
    assert response.status_code == 413
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "too_large"
