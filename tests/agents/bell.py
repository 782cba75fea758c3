"""A tool that acts outside of the database: it rings a bell over HTTP, and the bell counts."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agents.tools import catalog
from agents.tools.base import ToolContext, ToolError
from agents.tools.external import ActionFailed, ExternalTool, OutcomeUnknown, external_tool


class Bell(ThreadingHTTPServer):
    """Counts each ring, also of a key that it has heard: who rings twice is found out.

    It `breaks_off` after it has rung, `refuses` before, or is `mute` about what was rung, or is `slow`.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.rung: list[tuple[str, str]] = []
        self.asked: list[str] = []
        self.breaks_off = self.refuses = self.mute = False
        self.slow = threading.Event()
        self.slow.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Bell

    def do_POST(self) -> None:
        if self.server.refuses:
            return self._answer(422, {"error": "The bell is locked."})
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.rung.append((self.headers["Idempotency-Key"], json.loads(text)["tune"]))
        if self.server.breaks_off:
            self.close_connection = True
            return None
        self.server.slow.wait(30)
        return self._answer(200, {"rings": len(self.server.rung)})

    def do_GET(self) -> None:
        key = self.path.removeprefix("/rung/")
        self.server.asked.append(key)
        if self.server.mute:
            return self._answer(500, {})
        rung = [tune for heard, tune in self.server.rung if heard == key]
        return self._answer(200 if rung else 404, {"rings": len(rung)})

    def _answer(self, status: int, data: dict[str, Any]) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused: object) -> None:
        """Nothing is logged."""


@contextmanager
def hung() -> Iterator[Bell]:
    """A bell until the end of a block."""
    bell = Bell()
    thread = threading.Thread(target=bell.serve_forever, daemon=True)
    thread.start()
    try:
        yield bell
    finally:
        bell.slow.set()
        bell.shutdown()
        bell.server_close()


@dataclass(frozen=True)
class Ring:
    """One ring."""

    url: str
    tune: str

    def do(self, key: str) -> dict[str, Any]:
        """Ring. Raises ActionFailed, OutcomeUnknown."""
        body = json.dumps({"tune": self.tune}).encode()
        request = urllib.request.Request(self.url, body, {"Idempotency-Key": key}, method="POST")
        return self._heard(request)

    def was_done(self, key: str) -> dict[str, Any] | None:
        """What was rung with this key. Raises OutcomeUnknown."""
        try:
            return self._heard(urllib.request.Request(f"{self.url}/rung/{key}"))
        except ActionFailed:
            return None

    def _heard(self, request: urllib.request.Request) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return {"status": "ok", **json.loads(answer.read())}
        except urllib.error.HTTPError as error:
            if error.code >= 500:
                raise OutcomeUnknown(f"The bell answered {error.code}.") from None
            raise ActionFailed(f"The bell answered {error.code}.") from None
        except OSError as error:
            raise OutcomeUnknown(type(error).__name__) from None


def tool_of(url: str) -> ExternalTool:
    """The tool that rings the bell at an address."""

    @external_tool
    def ring_bell(context: ToolContext, tune: str) -> Ring:
        """Ring the bell.

        Args:
            tune: What to ring.
        """
        if tune == "alarm":
            raise ToolError("There is no alarm.")
        return Ring(url, tune)

    return ring_bell


@contextmanager
def known(url: str) -> Iterator[None]:
    """Agents of this process have the tool."""
    catalog.TOOLS["ring_bell"] = tool_of(url)
    catalog.schemas.cache_clear()
    try:
        yield
    finally:
        del catalog.TOOLS["ring_bell"]
        catalog.schemas.cache_clear()
