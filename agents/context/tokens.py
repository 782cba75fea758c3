"""Counting tokens with a model's own tokenizer, without the network: the tables come with `quicktok`.

Counts of whole requests are estimates: each provider renders messages and tools in its own way, and for some
models the tokenizer itself is a guess. The figures that providers return as usage correct them, as a ratio by
which every count is multiplied (`agents.llm.usage`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache, lru_cache
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
# Of the families without an entry, those that have the default tokenizer; so has the offline model.
_OF_DEFAULT = ("gpt-", "o1", "o3", "o4", "chatgpt", "offline")


class _Encoding(Protocol):
    def count(self, text: bytes) -> int: ...


class Counts:
    """Counts of one tokenizer, kept for the texts that were counted last: by their hash, so that no text is
    held, and none outlives its erasure.

    Counting takes some 20 microseconds for 1,000 characters and hashing half of one; a long chat is counted
    at every step. Safe to share between threads: at worst a text is counted twice.
    """

    MOST = 50_000

    def __init__(self, name: str) -> None:
        self._encoding: _Encoding = quicktok.get_encoding(name)
        self._young: dict[tuple[int, int], int] = {}
        self._old: dict[tuple[int, int], int] = {}

    def of(self, text: str) -> int:
        """Tokens of a text."""
        key = hash(text), len(text)
        count = self._young.get(key)
        if count is None:
            count = self._old.get(key)
            if count is None:
                count = self._encoding.count(text.encode("utf-8", "replace"))
            self._remember(key, count)
        return count

    def _remember(self, key: tuple[int, int], count: int) -> None:
        """What was not asked for while this half filled is forgotten."""
        if len(self._young) >= self.MOST:
            self._old, self._young = self._young, {}
        self._young[key] = count


class Counted(Protocol):
    """A model as far as its tokens are counted."""

    tokenizer: str
    usage_ratio: float


class Tokenizer:
    """Counts tokens of texts, chat messages and tool schemas. Safe to share between threads.

    `ratio` is how many tokens the provider counts for one of the tokenizer's; each count is rounded up.
    """

    def __init__(self, name: str, ratio: float = 1.0) -> None:
        self.name = name
        self.ratio = ratio
        self._counts = _counts(name)

    def count(self, text: str) -> int:
        """Tokens of a text. Names of special tokens count as the plain text that they are to us."""
        return self._corrected(self._raw(text))

    def count_message(self, message: dict[str, Any]) -> int:
        """Tokens of a chat-completions message: content, name and tool calls with what stands around them."""
        calls = message.get("tool_calls") or ()
        texts = [_text(message.get("content")), message.get("name") or ""]
        for call in calls:
            function = call.get("function") or {}
            texts += [function.get("name") or "", function.get("arguments") or ""]
        around = TOKENS_PER_MESSAGE + TOKENS_PER_CALL * len(calls)
        return self._corrected(around + sum(self._raw(text) for text in texts if text))

    def count_tools(self, tools: Sequence[dict[str, Any]]) -> int:
        """Tokens of tool schemas, counted as the JSON that open models see (OpenAI shows a shorter form)."""
        return self._corrected(sum(self._raw(json.dumps(tool, ensure_ascii=False)) for tool in tools))

    def count_request(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]] = ()) -> int:
        """Tokens of a whole prompt."""
        head = self._corrected(TOKENS_PER_REQUEST)
        return head + sum(map(self.count_message, messages)) + self.count_tools(tools)

    def _raw(self, text: str) -> int:
        return self._counts.of(text)

    def _corrected(self, tokens: int) -> int:
        return tokens if self.ratio == 1 else math.ceil(tokens * self.ratio)


def tokenizer_of(model: Counted) -> Tokenizer:
    """The tokenizer of a model, with what its provider's usage figures have told of it."""
    return tokenizer(model.tokenizer, model.usage_ratio)


def tokenizer(name: str, ratio: float = 1.0) -> Tokenizer:
    """The tokenizer of that name, loaded once per process; the default one for a name that is not offered."""
    return _load(name if name in OFFERED else DEFAULT, round(ratio, 3))


def guess_tokenizer(model_name: str) -> str:
    """The name of the tokenizer that fits a model best, from names such as `Qwen/Qwen3-8B`, `llama3.1:8b`."""
    return _known(model_name) or DEFAULT


def is_estimate(model_name: str) -> bool:
    """Whether a model is counted with another one's tokenizer, since its own does not come with memsite."""
    name = _bare(model_name)
    return _known(model_name) is None and not name.startswith(_OF_DEFAULT)


def _known(model_name: str) -> str | None:
    fitting = [prefix for prefix in _FAMILIES if _bare(model_name).startswith(prefix)]
    return _FAMILIES[max(fitting, key=len)] if fitting else None


def _bare(model_name: str) -> str:
    """A model's name without the path before it."""
    return model_name.lower().rsplit("/", 1)[-1]


@cache
def _counts(name: str) -> Counts:
    return Counts(name)


@lru_cache(maxsize=256)
def _load(name: str, ratio: float) -> Tokenizer:
    return Tokenizer(name, ratio)


def _text(content: Any) -> str:
    """A message's content, which may be null or a list of typed parts."""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content or ())
