"""What a language model is to the rest of memsite: a request in, a stream of deltas out.

A request speaks the chat-completions dialect (the one that every provider understands); the answer
is a generator, so that worker, tests and commands drain the same thing.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ModelRequest:
    """One call: `messages` and `tools` as chat-completions JSON, `max_tokens` for the answer.

    `abandoned` is set when nobody wants the answer any more: a model that waits then gives up.
    """

    model: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    max_tokens: int | None = None
    abandoned: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)


@dataclass(frozen=True)
class TextDelta:
    """Some characters of plain text."""

    text: str


@dataclass(frozen=True)
class ToolCallDelta:
    """A piece of one tool call. `index` tells calls apart; id and name come with the first piece only."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them. `cached_tokens` are those of the prompt that it had in its cache;
    None where it does not say."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int | None = None


@dataclass(frozen=True)
class Finish:
    """The model ended by itself: "stop", "tool_calls", "length" or "content_filter"."""

    reason: str


Delta = TextDelta | ToolCallDelta | Usage | Finish


class LanguageModel(Protocol):
    """Anything that answers a request."""

    def stream(self, request: ModelRequest) -> Generator[Delta]:
        """Yield deltas until `Finish`. Raises ModelError when the provider cannot answer."""
        ...


class ModelError(Exception):
    """The language model could not answer."""

    def __init__(self, message: str, *, kind: str, retryable: bool = False) -> None:
        """`kind` is one of: refused_key, unknown_model, rate_limited, server, timeout, connection,
        cut_off, bad_request, empty, content_filter, step_limit. It is what the page translates; `message`
        is for the log."""
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable
