"""The test button of the settings page: two tiny real calls that say what a model can do."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from agents.llm.base import ModelError, ModelRequest, TextDelta, ToolCallDelta
from agents.llm.openai import OpenAIModel

PATIENCE_SECONDS = 60.0
"""A local server may first have to load the model."""
_MAX_TOKENS = 1000
_TOOL_NAME = "note_down"
_TOOL = {
    "type": "function",
    "function": {
        "name": _TOOL_NAME,
        "description": "Writes a word down.",
        "parameters": {
            "type": "object",
            "properties": {"word": {"type": "string"}},
            "required": ["word"],
        },
    },
}
_UNREACHED = frozenset({"connection", "timeout"})


@dataclass(frozen=True)
class ProbeResult:
    """What the calls showed. `error_kind` is a kind of ModelError, "" when both calls were answered;
    `error_message` is the provider's own words. `calls_tools` is False too where the call with a tool failed.
    """

    reachable: bool
    streams: bool
    calls_tools: bool
    text: str
    error_kind: str
    error_message: str
    seconds: float


def probe(model: OpenAIModel) -> ProbeResult:
    """Ask for a word, then for a tool call, each once and for a minute at most. Never raises ModelError."""
    started = time.monotonic()
    once = replace(model, attempts=1, timeout=min(model.timeout, PATIENCE_SECONDS), longest=PATIENCE_SECONDS)
    text, calls_tools, error = "", False, None
    try:
        text = _say(once)
        calls_tools = _call(once)
    except ModelError as raised:
        error = raised
    return ProbeResult(
        reachable=bool(text) or error is None or error.kind not in _UNREACHED,
        streams=bool(text) and once.dialect.streamed,
        calls_tools=calls_tools,
        text=text,
        error_kind=error.kind if error else "",
        error_message=str(error) if error else "",
        seconds=time.monotonic() - started,
    )


def _say(model: OpenAIModel) -> str:
    question = {"role": "user", "content": "Say hello in one word."}
    deltas = model.stream(ModelRequest(model.model, [question], max_tokens=_MAX_TOKENS))
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def _call(model: OpenAIModel) -> bool:
    question = {"role": "user", "content": f"Call the tool {_TOOL_NAME} with the word hello."}
    deltas = model.stream(ModelRequest(model.model, [question], [_TOOL], max_tokens=_MAX_TOKENS))
    names = [delta.name for delta in deltas if isinstance(delta, ToolCallDelta)]
    return _TOOL_NAME in names
