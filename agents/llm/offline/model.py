"""The offline model as a language model: a request in, a stream of deltas out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from agents.context.tokens import DEFAULT, tokenizer
from agents.llm.base import Delta, Finish, ModelRequest, TextDelta, ToolCallDelta, Usage
from agents.llm.offline.acts import Do, Say
from agents.llm.offline.prompt import read_prompt, text_of
from agents.llm.offline.turn import next_step

_SPEAK = "send_message"
_TEXT_PIECE = 6
_ARGUMENT_PIECE = 16
_CLOCK = re.compile(r"^now: .*$", re.MULTILINE)
_BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class OfflineModel:
    """Answers by rules, the same request always in the same way. `pause` is in seconds, before each piece.

    For a long answer ask it to count: "count to 200", 数到 200.
    """

    pause: float = 0.0

    def stream(self, request: ModelRequest) -> Generator[Delta]:
        """Yield the next step of the turn in small pieces, then usage and the end."""
        prompt = read_prompt(request)
        step = next_step(prompt)
        written, said = 0, []
        reason = "stop"
        for delta in _deltas(step, request, speaks_by_tool=_SPEAK in prompt.tools and not prompt.spoken):
            if self.pause and request.abandoned.wait(self.pause):
                return
            said.append(_written(delta))
            written += len(said[-1].encode("utf-8", "replace"))
            if isinstance(delta, ToolCallDelta):
                reason = "tool_calls"
            elif request.max_tokens and written > request.max_tokens * _BYTES_PER_TOKEN:
                reason = "length"
                break
            yield delta
        counter = tokenizer(DEFAULT)
        yield Usage(counter.count_request(request.messages, request.tools), counter.count("".join(said)))
        yield Finish(reason)


def _deltas(step: list[Do] | Say, request: ModelRequest, *, speaks_by_tool: bool) -> Iterator[Delta]:
    if isinstance(step, Say) and not speaks_by_tool:
        return (TextDelta(piece) for piece in _pieces(step.text, _TEXT_PIECE))
    calls = [Do(_SPEAK, {"message": step.text})] if isinstance(step, Say) else step
    return _call_deltas(calls, _digest(request))


def _call_deltas(calls: list[Do], digest: str) -> Iterator[Delta]:
    for index, call in enumerate(calls):
        yield ToolCallDelta(index, id=f"call_{digest}_{index}", name=call.name)
        for piece in _pieces(json.dumps(call.arguments, ensure_ascii=False), _ARGUMENT_PIECE):
            yield ToolCallDelta(index, arguments=piece)


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[place : place + size] for place in range(0, len(text), size))


def _digest(request: ModelRequest) -> str:
    """A name for this request, for the ids of its calls: the same when it is made again after a crash,
    another one at every other step. The clock in the status is left out."""
    found = hashlib.sha256()
    for message in request.messages:
        calls = json.dumps(message.get("tool_calls") or "", sort_keys=True, ensure_ascii=False)
        words = text_of(message)
        if message.get("role") == "system":
            words = _CLOCK.sub("", words)
        found.update(
            f"{message.get('role')}\0{words}\0{calls}\0{message.get('tool_call_id')}\0".encode(
                "utf-8", "replace"
            )
        )
    return found.hexdigest()[:20]


def _written(delta: Delta) -> str:
    if isinstance(delta, ToolCallDelta):
        return delta.name + delta.arguments
    return delta.text if isinstance(delta, TextDelta) else ""
