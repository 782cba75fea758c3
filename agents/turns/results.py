"""What tools answered, as messages: one for each call of a turn, and no call is left without."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from agents.models import ExternalCall, Turn
from memory import recall
from memory.actors import Actor, ActorKind
from memory.models import Message, Trust

Call = dict[str, Any]
NOT_RUN = "This call was not run: the turn ended before."
UNKNOWN = "It is not known whether this was done. Do not do it again; tell the person, and let them look."


class Refused(StrEnum):
    """Why a call was not run; it stands in `Message.detail` of its answer."""

    RULE = "rule"
    REPEATED = "repeated"
    REJECTED = "rejected"
    EXPIRED = "expired"
    ENDED = "ended"


def error(said: str, **facts: Any) -> str:
    """A tool's answer that tells of a fault, as a model reads it."""
    return json.dumps({"status": "error", "error": said, **facts}, ensure_ascii=False)


def unknown(why: str = "") -> str:
    """A tool's answer where nobody can say whether its effect came about."""
    return json.dumps({"status": "unknown", "error": f"{UNKNOWN} {why}".strip()}, ensure_ascii=False)


def open_calls(messages: Sequence[Message]) -> list[Call]:
    """Tool calls of a turn's last answer that have no result yet, in their order."""
    last = next((each for each in reversed(messages) if each.role == Message.Role.ASSISTANT), None)
    if last is None:
        return []
    answered = {each.tool_call_id for each in messages if each.role == Message.Role.TOOL}
    return [call for call in last.tool_calls if call["id"] not in answered]


def store(turn: Turn, call: Call, content: str, *, trust: int = Trust.TRUSTED, **detail: Any) -> Message:
    """The answer to a call, JSON as text; `detail` is for pages."""
    context = turn.context
    return recall.add_message(
        context.conversation,
        role=Message.Role.TOOL,
        content=content,
        actor=Actor(ActorKind.AGENT, context.agent_id),
        turn_id=turn.id,
        tool_call_id=call["id"],
        name=call["name"],
        trust=trust,
        detail=detail,
    )


def close(turn: Turn, messages: Sequence[Message]) -> list[Message]:
    """Answer what a turn that ends leaves open: no provider takes a call without its result."""
    left = open_calls(messages)
    begun = _begun_outside(turn, left) if left else set()
    return [_closed(turn, call, is_begun=call["id"] in begun) for call in left]


def _closed(turn: Turn, call: Call, *, is_begun: bool) -> Message:
    if is_begun:
        return store(turn, call, unknown())
    return store(turn, call, error(NOT_RUN), refused=Refused.ENDED)


def _begun_outside(turn: Turn, calls: Iterable[Call]) -> set[str]:
    rows = ExternalCall.objects.filter(turn=turn, call_id__in=[call["id"] for call in calls])
    return set(rows.values_list("call_id", flat=True))
