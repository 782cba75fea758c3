"""One answer of a chat-completions server, read object by object into deltas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.llm.base import Delta, Finish, TextDelta, Usage
from agents.llm.calls import Calls
from agents.llm.characters import Characters
from agents.llm.refusal import Refusal, from_event

_REASONS = {"tool_use": "tool_calls", "function_call": "tool_calls", "max_tokens": "length"}
_REASONS |= {reason: reason for reason in ("stop", "tool_calls", "length", "content_filter")}


class Answer:
    """Feed it each object with `read`, then take the rest from `end`."""

    def __init__(self) -> None:
        self._calls = Calls()
        self._characters = Characters()
        self._usage: Usage | None = None
        self._spoke = False
        self._reason = ""
        self.done = False

    @property
    def finished(self) -> bool:
        """Whether the server has said that the answer is whole."""
        return bool(self._reason) or self.done

    def read(self, chunk: dict[str, Any]) -> Iterator[Delta]:
        """Deltas of a chunk, or of a whole completion. Raises Refusal for an error object."""
        if error := chunk.get("error") or (chunk if chunk.get("object") == "error" else None):
            raise from_event(error)
        self._usage = _usage(chunk.get("usage")) or self._usage
        choices = chunk.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], dict):
            yield from self._choice(choices[0])

    def end(self) -> Iterator[Delta]:
        """Usage and Finish. Raises Refusal when the answer was cut off or has nothing in it."""
        if not self.finished:
            # Before the first delta nobody has seen anything, so the call can simply be made again.
            again = not self._spoke and not self._calls
            raise Refusal("the stream ended before the answer did", kind="cut_off", again=again)
        if rest := self._characters.end():
            yield TextDelta(rest)
        yield from self._calls.end()
        if self._usage:
            yield self._usage
        yield Finish(self._final_reason())

    def _choice(self, choice: dict[str, Any]) -> Iterator[Delta]:
        message = choice.get("delta") or choice.get("message")
        if isinstance(message, dict):
            yield from self._message(message)
        if reason := choice.get("finish_reason"):
            if reason == "error":
                raise from_event(choice.get("error") or "the model failed in the middle of its answer")
            self._reason = _REASONS.get(str(reason), "stop")

    def _message(self, message: dict[str, Any]) -> Iterator[Delta]:
        # Reasoning fields are left out: no provider wants them back, and nobody asked to see them.
        text = self._characters.clean(_text(message.get("content")) or _text(message.get("refusal")))
        if text:
            self._spoke = self._spoke or not text.isspace()
            yield TextDelta(text)
        yield from self._calls.read(message.get("tool_calls"))
        if isinstance(legacy := message.get("function_call"), dict):
            yield from self._calls.read([{"index": 0, "function": legacy}])

    def _final_reason(self) -> str:
        if self._calls and self._reason in ("", "stop"):
            return "tool_calls"
        if self._spoke or self._calls or self._reason == "content_filter":
            return self._reason or "stop"
        if self._reason == "length":
            raise Refusal("the limit of tokens was used up before the first word", kind="empty")
        raise Refusal("the model answered with nothing", kind="empty")


def _text(content: Any) -> str:
    """The text of a message's content: a string, null, or a list of typed parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: Any) -> Usage | None:
    if not isinstance(usage, dict) or not isinstance(usage.get("prompt_tokens"), int):
        return None
    completion = usage.get("completion_tokens")
    return Usage(usage["prompt_tokens"], completion if isinstance(completion, int) else 0, _cached(usage))


def _cached(usage: dict[str, Any]) -> int | None:
    """As OpenAI and llama.cpp tell it, or as DeepSeek does."""
    details = usage.get("prompt_tokens_details")
    told = details.get("cached_tokens") if isinstance(details, dict) else usage.get("prompt_cache_hit_tokens")
    return told if isinstance(told, int) and not isinstance(told, bool) else None
