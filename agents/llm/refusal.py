"""What a provider's error means: which kind it is, whether we ask again by ourselves, and when."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agents.llm.base import ModelError
from memory.outbound import seconds_to_wait

_LONGEST_MESSAGE = 500
_LONGEST_READ = 100_000
_SHORTEST_KEY = 8

_RETRYABLE = frozenset({"rate_limited", "server", "timeout", "connection", "cut_off", "empty"})
_BY_STATUS = {401: "refused_key", 402: "rate_limited", 403: "refused_key", 404: "unknown_model"}
_BY_STATUS |= {408: "timeout", 409: "server", 425: "server", 429: "rate_limited"}

# What providers write where the status alone does not say it. OpenAI sends 429 for an empty account too,
# Google sends 400 for a bad key, DeepSeek sends 400 for a model that it does not have.
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient balance|billing", re.I)
_BAD_KEY = re.compile(
    r"api[ _-]?key.{0,40}(not valid|invalid|incorrect)|(invalid|incorrect).{0,20}api[ _-]?key", re.I
)
_NO_MODEL = re.compile(r"model_not_found|model.{0,80}(not exist|not found|unknown)|unknown model", re.I)


class Refusal(ModelError):
    """A ModelError that also says whether we ask `again`, and after how many seconds the server wants it."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        again: bool = False,
        retry_after: float | None = None,
        body: str = "",
    ) -> None:
        super().__init__(message, kind=kind, retryable=kind in _RETRYABLE)
        self.again = again
        self.retry_after = retry_after
        self.body = body

    def hide(self, key: str) -> None:
        """Take a key out of the message, some providers repeat what they were sent; only then cut it."""
        said = str(self)
        if len(key) >= _SHORTEST_KEY:
            said = said.replace(key, "[key]")
        head, colon, words = said.partition(": ")
        self.args = (head + colon + words[:_LONGEST_MESSAGE],)


def from_status(status: int, body: str, headers: Mapping[str, str]) -> Refusal:
    """The refusal that an HTTP status of 3xx, 4xx or 5xx with this body stands for."""
    kind = _kind(status, body)
    no_credit = status == 402 or (status == 429 and _NO_CREDIT.search(body) is not None)
    said = "a redirect, which is not followed" if 300 <= status < 400 else _message(body)
    refusal = Refusal(
        f"the provider answered {status}: {said}",
        kind=kind,
        again=kind in {"rate_limited", "server", "timeout"} and not no_credit,
        retry_after=seconds_to_wait(headers),
        body=body,
    )
    refusal.retryable = refusal.retryable and not no_credit
    return refusal


def from_event(error: Any) -> Refusal:
    """The refusal that an error object inside a stream (or in a body with status 200) stands for."""
    body = json.dumps(error, ensure_ascii=False)
    code = str(error.get("code")) if isinstance(error, dict) else ""
    status = int(code) if re.fullmatch(r"[45]\d\d", code) else _status_of_words(body)
    refusal = from_status(status, body, {})
    refusal.args = (f"the provider broke off: {_message(body)}",)
    return refusal


def _kind(status: int, body: str) -> str:
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "server"
    if _BAD_KEY.search(body):
        return "refused_key"
    return "unknown_model" if _NO_MODEL.search(body) else "bad_request"


def _status_of_words(body: str) -> int:
    words = body.lower()
    if "rate" in words and "limit" in words:
        return 429
    if "auth" in words or "api_key" in words:
        return 401
    return 400 if "context_length" in words or "invalid_request" in words else 500


def _message(body: str) -> str:
    """The sentence in an error body, whichever shape it has, for the log."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = body
    for name in ("error", "message", "detail"):
        if isinstance(found, dict):
            found = found.get(name) or found
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return " ".join(text.split())[:_LONGEST_READ] or "no reason given"
