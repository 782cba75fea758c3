"""One answer of a model, put together from its deltas."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from agents.llm.base import Delta, Finish, TextDelta, ToolCallDelta, Usage
from agents.tools.messaging import SEND_MESSAGE
from agents.turns.speech import SpokenArguments
from memory.texts import storable, storable_json

CALLS_MAX = 32
TOKENS_MAX = 2**31 - 1


@dataclass
class _Call:
    """A tool call in the making."""

    name: str = ""
    pieces: list[str] = field(default_factory=list)
    speech: SpokenArguments = field(default_factory=SpokenArguments)
    has_spoken: bool = False

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class Reply:
    """Feed it deltas; each answers what the agent said in it, for whoever listens."""

    def __init__(self) -> None:
        self.has_begun = False
        self.prompt_tokens = self.completion_tokens = 0
        self.cached_tokens: int | None = None
        self.finish_reason = ""
        self._text: list[str] = []
        self._calls: dict[int, _Call] = {}

    def feed(self, delta: Delta) -> str:
        """Take a delta in; the answer is newly spoken text, or nothing."""
        self.has_begun = True
        if isinstance(delta, TextDelta):
            self._text.append(storable(delta.text))
            return self._text[-1]
        if isinstance(delta, ToolCallDelta):
            return self._feed_call(delta)
        if isinstance(delta, Usage):
            self.prompt_tokens, self.completion_tokens = map(
                _countable, (delta.prompt_tokens, delta.completion_tokens)
            )
            self.cached_tokens = None if delta.cached_tokens is None else _countable(delta.cached_tokens)
        elif isinstance(delta, Finish):
            self.finish_reason = delta.reason
        return ""

    def _feed_call(self, delta: ToolCallDelta) -> str:
        call = self._calls.setdefault(delta.index, _Call())
        call.name = call.name or delta.name
        call.pieces.append(delta.arguments)
        spoken = storable(call.speech.feed(delta.arguments)) if call.name == SEND_MESSAGE else ""
        if not spoken or call.has_spoken:
            return spoken
        follows = any(self._text) or any(each.has_spoken for each in self._calls.values())
        call.has_spoken = True
        return f"\n\n{spoken}" if follows else spoken

    @property
    def is_empty(self) -> bool:
        """Whether the model neither said anything nor called a tool."""
        return not self._calls and not "".join(self._text).strip()

    def calls(self) -> list[dict[str, Any]]:
        """The whole tool calls as they are stored: id, name, arguments (JSON text, as the model wrote it)."""
        made = [self._calls[index] for index in sorted(self._calls)][:CALLS_MAX]
        return [
            {
                # Servers number their calls anew in each answer, and some take back nine characters only.
                "id": uuid.uuid4().hex[:9],
                "name": storable(call.name)[:120] or "unnamed",
                "arguments": storable_json(call.arguments) or "{}",
            }
            for call in made
        ]

    def content(self) -> str:
        """What was said, whole: plain text, then each message that was sent."""
        parts = ["".join(self._text), *map(_message_of, self._calls.values())]
        return "\n\n".join(part for part in parts if part.strip())


def _message_of(call: _Call) -> str:
    if call.name != SEND_MESSAGE:
        return ""
    try:
        found = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    message = found.get("message") if isinstance(found, dict) else None
    return storable(message) if isinstance(message, str) else ""


def _countable(tokens: int) -> int:
    return max(0, min(tokens, TOKENS_MAX))
