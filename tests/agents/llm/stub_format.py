"""The wire format of chat completions, as the stub server writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """A chat.completion.chunk with one choice."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "stub", "choices": [choice]}


def completion(words: str | None, *tools: tuple[str, Any], finish: str = "stop") -> dict[str, Any]:
    """A chat.completion that was not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": words}
    if tools:
        message["tool_calls"] = [
            call_piece(None, f"call_{index}", {"name": name, "arguments": text_of(arguments)})
            for index, (name, arguments) in enumerate(tools)
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "stub",
        "choices": [choice],
        "usage": USAGE,
    }


def call_piece(index: int | None, id: str, function: dict[str, Any]) -> dict[str, Any]:
    """An entry of `tool_calls`; no index where it is None."""
    return {**({} if index is None else {"index": index}), "id": id, "type": "function", "function": function}


def sse(data: Any) -> bytes:
    """JSON as a server-sent event; escaped only where it has to be, since both forms are met."""
    try:
        body = json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        body = json.dumps(data).encode()
    return b"data: " + body + b"\n\n"


def pieces(words: str, number: int) -> Sequence[str]:
    """`words` cut into `number` pieces of about the same length, fewer where it has fewer letters."""
    edges = sorted({len(words) * step // number for step in range(number + 1)})
    return [words[start:end] for start, end in pairwise(edges)]


def text_of(arguments: Any) -> str:
    """A call's arguments as JSON; a text as it stands."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def head_of(status: int, headers: dict[str, str]) -> bytes:
    """The head of a response."""
    lines = [f"HTTP/1.1 {status} Stub", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
