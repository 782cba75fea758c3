"""Messages as they would be stored, and the summary that is made of them without a model."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from agents.context.summaries import summarised
from agents.context.tokens import tokenizer
from memory.models import Message

DAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
count = tokenizer("o200k_base").count


def said(*exchanges: tuple[str, str]) -> list[Message]:
    """What a person said, each with the answer."""
    return [message for words, answer in exchanges for message in (person(words), agent(answer))]


def person(words: str, **fields: Any) -> Message:
    """A message of a person's."""
    return Message(role="user", content=words, created_at=DAY, turn_id=uuid.uuid4(), **fields)


def agent(words: str, **fields: Any) -> Message:
    """An answer."""
    return Message(role="assistant", content=words, created_at=DAY, turn_id=uuid.uuid4(), **fields)


def called(name: str, arguments: dict[str, Any], status: str = "ok", **fields: Any) -> list[Message]:
    """A tool call and what came of it."""
    call = {"id": uuid.uuid4().hex[:9], "name": name, "arguments": json.dumps(arguments)}
    result = Message(
        role="tool",
        content=json.dumps({"status": status}),
        tool_call_id=call["id"],
        name=name,
        created_at=DAY,
        turn_id=uuid.uuid4(),
    )
    return [agent("", tool_calls=[call], **fields), result]


def summary(messages: Sequence[Message], most: int = 500, before: str = "") -> str:
    """The summary that is made at once."""
    return summarised(before, messages, most, count)


def rows(text: str) -> list[str]:
    """Its lines without the headings."""
    return [line for line in text.splitlines() if not line.startswith("[") or "message_read" in line]
