"""From the bytes of a model's answer to JSON objects: an event stream, or one JSON body from a server that
does not stream. The reader of `openai` is not used: it builds a model for each chunk, which costs more than
all the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from agents.llm.refusal import Refusal

_OTHER_FIELDS = (b":", b"event:", b"id:", b"retry:")


def payloads(pieces: Iterable[bytes]) -> Iterator[dict[str, Any] | None]:
    """Yield each JSON object as soon as it is whole; None stands for `[DONE]`.

    Raises Refusal where the bytes are neither an event stream nor JSON.
    """
    lines = _lines(pieces)
    for line in lines:
        if start := line.lstrip()[:1]:
            if start == b"<":
                raise Refusal("a web page came instead of JSON; is the base URL right?", kind="bad_request")
            yield from _body(line, lines) if start == b"{" else _events(line, lines)


def _events(first: bytes, others: Iterable[bytes]) -> Iterator[dict[str, Any] | None]:
    unfinished = b""
    for line in _chain(first, others):
        data = _data(line)
        if data == b"[DONE]":
            yield None
        elif data:
            unfinished += data
            if (found := _parse(unfinished)) is not None:
                unfinished = b""
                yield found
    if unfinished:
        raise Refusal(f"what is not JSON came in the stream: {_shown(unfinished)}", kind="server", again=True)


def _data(line: bytes) -> bytes:
    """What a line adds to an event. A bare line counts too: some servers put errors so into the stream."""
    if line.startswith(b"data:"):
        return line[5:].strip()
    return b"" if line.startswith(_OTHER_FIELDS) else line.strip()


def _body(first: bytes, others: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    body = b"\n".join(_chain(first, others))
    found = _parse(body)
    if found is None:
        raise Refusal(f"the answer is not JSON: {_shown(body)}", kind="server", again=True)
    yield found


def _parse(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends. Pieces are joined once per line, so that a line of megabytes stays cheap."""
    held: list[bytes] = []
    for piece in pieces:
        first, *rest = piece.split(b"\n")
        held.append(first)
        if rest:
            yield b"".join(held)
            yield from rest[:-1]
            held = rest[-1:]
    yield b"".join(held)


def _chain(first: bytes, others: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from others


def _shown(data: bytes) -> str:
    return data[:200].decode("utf-8", "replace")
