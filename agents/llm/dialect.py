"""How one model at one server wants to be asked: chat completions with the fields and roles that it takes.

Servers refuse what they do not know with a 400 that names it. The call is then made again without it, and
what was learned holds for the rest of the process.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from agents.llm.base import ModelRequest

_REFUSES = re.compile(
    r"not (supported|permitted|allowed|available)|unsupported|does not support|unrecogni[sz]ed|unknown"
    r"|unexpected|additional propert|extra (input|field)|must be verified|instead"
    r"|invalid (parameter|argument|field)",
    re.I,
)
_STREAM = re.compile(r"\bstream(ing)?\b", re.I)
# Chat templates and providers that take a system message at the start only, or none at all. The words are
# those of the templates of Qwen, Mistral and Gemma and of Mistral's API.
_ROLES = re.compile(
    r"system (message|role|prompt).{0,60}(beginning|first|start|not supported)|only.{0,40}system message"
    r"|last (role|message).{0,60}user|roles must alternate|unexpected role.{0,20}system",
    re.I | re.S,
)
_SYSTEM_ROLES = {"anywhere": "first", "first": "never"}
_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


@dataclass(frozen=True)
class Dialect:
    """What a server takes, and how it answers.

    `system` says where system messages may stand: "anywhere", "first" or "never"; `lingers` whether it leaves
    a response open after `[DONE]`; `streamed` whether its last answer was an event stream.
    """

    stream: bool = True
    usage: bool = True
    limit: str = "max_tokens"
    store: bool = False
    system: str = "anywhere"
    lingers: bool = False
    streamed: bool = False

    def body(self, request: ModelRequest, model: str) -> bytes:
        """The request as JSON. Lone surrogates, which no server takes, become question marks."""
        fields: dict[str, Any] = {"model": model, "messages": self._messages(request.messages)}
        if request.tools:
            fields["tools"] = request.tools
        if request.max_tokens is not None:
            fields[self.limit] = request.max_tokens
        if self.store:
            fields["store"] = False
        if self.stream:
            fields["stream"] = True
            if self.usage:
                fields["stream_options"] = {"include_usage": True}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def after(self, refusal: str) -> Dialect | None:
        """The dialect to try next after a refusal in these words; None when they name nothing of ours."""
        if _ROLES.search(refusal):
            return replace(self, system=_SYSTEM_ROLES[self.system]) if self.system in _SYSTEM_ROLES else None
        if not _REFUSES.search(refusal):
            return None
        if self.usage and ("stream_options" in refusal or "include_usage" in refusal):
            return replace(self, usage=False)
        if re.search(rf"\b{self.limit}\b", refusal):
            return replace(self, limit=_OTHER_LIMIT[self.limit])
        if self.store and re.search(r"\bstore\b", refusal):
            return replace(self, store=False)
        return replace(self, stream=False) if self.stream and _STREAM.search(refusal) else None

    def _messages(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if self.system == "anywhere":
            return messages
        kept = 1 if self.system == "first" else 0
        turned = messages[:kept] + [
            {**message, "role": "user"} if message["role"] == "system" else message
            for message in messages[kept:]
        ]
        return _merged(turned)


def dialect_of(base_url: str) -> Dialect:
    """What to try first with a server of which nothing was learned yet.

    Only OpenAI itself is known to keep answers unless told not to, and to refuse `max_tokens`.
    """
    official = re.match(r"https://([a-z]+\.)?api\.openai\.com(/|:|$)", base_url) is not None
    return Dialect(store=official, limit="max_completion_tokens" if official else "max_tokens")


def _merged(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbouring user messages made one, for templates in which roles must alternate."""
    merged: list[dict[str, Any]] = []
    for role, group in groupby(messages, key=lambda message: message["role"]):
        neighbours = list(group)
        if role == "user" and len(neighbours) > 1:
            text = "\n\n".join(str(message.get("content") or "") for message in neighbours)
            neighbours = [{"role": "user", "content": text}]
        merged.extend(neighbours)
    return merged
