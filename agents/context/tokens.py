"""Counting tokens with a model's own tokenizer, without the network: the tables come with `quicktok`.

Counts of whole requests are estimates: each provider renders messages and tools in its own way. The figures
that it returns as usage correct them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import quicktok

OFFERED = ("o200k_base", "cl100k_base", "llama3", "qwen3")
DEFAULT = "o200k_base"

TOKENS_PER_MESSAGE = 4
"""Markers and role of a message: `<|im_start|>role<|im_sep|>...<|im_end|>` in ChatML, alike elsewhere."""
TOKENS_PER_CALL = 8
"""Markers, type and id around the name and the arguments of a tool call."""
TOKENS_PER_REQUEST = 3
"""The head of the answer, which the provider puts at the end of every prompt."""

# The longest fitting prefix wins. Families that have a tokenizer of their own (DeepSeek, Mistral, Gemma,
# Claude) are counted with the default one: an estimate, which the provider's usage figures correct.
_FAMILIES = {
    "gpt-4": "cl100k_base",
    "gpt-4o": "o200k_base",
    "gpt-4.": "o200k_base",
    "gpt-3.5": "cl100k_base",
    "gpt-35": "cl100k_base",
    "llama3": "llama3",
    "llama-3": "llama3",
    "meta-llama-3": "llama3",
    "qwen": "qwen3",
    "qwq": "qwen3",
}


class _Encoding(Protocol):
    def count(self, text: bytes) -> int: ...


class Tokenizer:
    """Counts tokens of texts, chat messages and tool schemas. Safe to share between threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._encoding: _Encoding = quicktok.get_encoding(name)

    def count(self, text: str) -> int:
        """Tokens of a text. Names of special tokens count as the plain text that they are to us."""
        # 4,000 characters take 15 microseconds: a cache would cost about as much as it saves.
        return self._encoding.count(text.encode("utf-8", "replace"))

    def count_message(self, message: dict[str, Any]) -> int:
        """Tokens of a chat-completions message: content, name and tool calls with what stands around them."""
        calls = message.get("tool_calls") or ()
        texts = [_text(message.get("content")), message.get("name") or ""]
        for call in calls:
            function = call.get("function") or {}
            texts += [function.get("name") or "", function.get("arguments") or ""]
        around = TOKENS_PER_MESSAGE + TOKENS_PER_CALL * len(calls)
        return around + sum(self.count(text) for text in texts if text)

    def count_tools(self, tools: Sequence[dict[str, Any]]) -> int:
        """Tokens of tool schemas, counted as the JSON that open models see (OpenAI shows a shorter form)."""
        return sum(self.count(json.dumps(tool, ensure_ascii=False)) for tool in tools)

    def count_request(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]] = ()) -> int:
        """Tokens of a whole prompt."""
        return TOKENS_PER_REQUEST + sum(map(self.count_message, messages)) + self.count_tools(tools)


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name, loaded once per process; the default one for a name that is not offered."""
    return _load(name if name in OFFERED else DEFAULT)


def guess_tokenizer(model_name: str) -> str:
    """The name of the tokenizer that fits a model best, from names such as `Qwen/Qwen3-8B`, `llama3.1:8b`."""
    name = model_name.lower().rsplit("/", 1)[-1]
    fitting = [prefix for prefix in _FAMILIES if name.startswith(prefix)]
    return _FAMILIES[max(fitting, key=len)] if fitting else DEFAULT


@cache
def _load(name: str) -> Tokenizer:
    return Tokenizer(name)


def _text(content: Any) -> str:
    """A message's content, which may be null or a list of typed parts."""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content or ())
