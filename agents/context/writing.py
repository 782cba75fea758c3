"""Writing messages of recall down for a model: which texts are shown in part, and what is a placeholder.

A `Form` says it all, so that a step can keep it in a few numbers and the same messages are written the same
way again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.context import prompt
from agents.context.clipping import CLIPPED_MIN, Clipper
from agents.context.tokens import Tokenizer
from agents.tools.messaging import SEND_MESSAGE
from memory.models import Message

CLEARED = '[cleared to save room; read it with message_read(id="{id}")]'


@dataclass(frozen=True)
class Form:
    """How the messages of a queue are shown.

    No text takes more than `clip` tokens. Results of tools up to the position `cleared_to` are placeholders,
    but for those of the tools in `exclude`; with `clears_inputs` so are the arguments of their calls.
    `attached` are lines about what came with a message, by its id. `hard` are the tokens that the texts of
    some messages take at most where this turn alone passes the room, 0 for a placeholder, and `left_out`
    ids of calls and messages that are not shown then.
    """

    clip: int
    cleared_to: int = 0
    exclude: Collection[str] = ()
    clears_inputs: bool = False
    attached: Mapping[str, str] = field(default_factory=dict)
    hard: Mapping[str, int] = field(default_factory=dict)
    left_out: Collection[str] = frozenset()

    def clears(self, result: Message) -> bool:
        """Whether a tool's result is a placeholder; one that is shorter than that never is."""
        if not is_clearable(result):
            return False
        is_old = (result.position or 0) <= self.cleared_to and result.name not in self.exclude
        return is_old or self.hard.get(str(result.id)) == 0


@dataclass(frozen=True)
class Queued:
    """A message in the window, as it is shown, and its tokens: in part, or with a placeholder in the place of
    its result or of the arguments of its calls."""

    message: Message
    shown: dict[str, Any]
    tokens: int
    is_clipped: bool = False
    is_cleared: bool = False


@dataclass(frozen=True)
class Writer:
    """Writes messages down, and counts them in the tokens of `counter`."""

    counter: Tokenizer
    form: Form

    def shown(self, messages: Sequence[Message]) -> list[Queued]:
        """Messages as the model sees them, but for those that are left out."""
        old = self._cleared_calls(messages) if self.form.clears_inputs else frozenset()
        return [self._queued(each, old) for each in messages if not self._is_left_out(each)]

    def _cleared_calls(self, messages: Sequence[Message]) -> frozenset[str]:
        return frozenset(each.tool_call_id for each in messages if self.form.clears(each))

    def _is_left_out(self, message: Message) -> bool:
        left_out = self.form.left_out
        if not left_out:
            return False
        if message.tool_calls:
            return all(call["id"] in left_out for call in message.tool_calls)
        return str(message.id) in left_out or message.tool_call_id in left_out

    def _queued(self, message: Message, old: frozenset[str]) -> Queued:
        most = self.form.hard.get(str(message.id)) or self.form.clip
        clip = Clipper(max(most, CLIPPED_MIN), self.counter)
        shown = prompt.rendered(message, clip, self.form.attached.get(str(message.id), ""))
        is_cleared = self.form.clears(message)
        if is_cleared:
            shown["content"] = CLEARED.format(id=message.id)
        has_cleared_calls = _clear_calls(shown, message, old)
        _leave_out(shown, self.form.left_out)
        return Queued(
            message,
            shown,
            self.counter.count_message(shown),
            is_clipped=clip.has_cut and not is_cleared,
            is_cleared=is_cleared or has_cleared_calls,
        )


def total(queue: Sequence[Queued]) -> int:
    """Tokens of a queue."""
    return sum(each.tokens for each in queue)


def is_tool_use(message: Message) -> bool:
    """Whether a message is what a tool answered to a call: speaking is none, nor what was imported."""
    return message.role == Message.Role.TOOL and bool(message.tool_call_id) and message.name != SEND_MESSAGE


def is_clearable(message: Message) -> bool:
    """Whether a placeholder would be shorter than this result of a tool."""
    return is_tool_use(message) and len(message.content) > len(CLEARED.format(id=message.id))


def _clear_calls(shown: dict[str, Any], message: Message, old: frozenset[str]) -> bool:
    """A placeholder for the arguments of calls whose results were cleared: one JSON object, always."""
    if not old:
        return False
    made = json.dumps({"cleared": f"read it with message_read(id={message.id})"})
    long = [
        call["function"]
        for call in shown.get("tool_calls", ())
        if call["id"] in old and len(call["function"]["arguments"]) > len(made)
    ]
    for function in long:
        function["arguments"] = made
    return bool(long)


def _leave_out(shown: dict[str, Any], left_out: Collection[str]) -> None:
    if left_out and "tool_calls" in shown:
        shown["tool_calls"] = [call for call in shown["tool_calls"] if call["id"] not in left_out]
