"""How far a turn has come, read from the database: its messages and steps say what comes next."""

from __future__ import annotations

import uuid

from agents.models import Step, Turn
from agents.turns import results
from agents.turns.results import Call
from memory.models import Message


class Course:
    """A turn with what was said, called and used in it so far.

    `steps` are all model calls; `answers` and `spent` (tokens) those of the present try, since whoever tries
    again has all of them anew. One that `is_resumed` has calls without results: who asked for them is gone.
    """

    turn: Turn
    messages: list[Message]

    def read(self, turn_id: uuid.UUID) -> None:
        """Read the turn; inside a scope."""
        rows = Turn.objects.select_related("context__conversation", "context__summary", "message", "user")
        self.turn = rows.get(id=turn_id)
        self.messages = list(Message.objects.filter(turn_id=turn_id).order_by("position"))
        self.steps = self.answers = self.spent = 0
        for step in Step.objects.filter(turn_id=turn_id).defer("window"):
            self.note(step)
        self.is_resumed = bool(self.open_calls())

    def note(self, step: Step) -> None:
        """Count a model call."""
        self.steps += 1
        if step.attempt > self.turn.attempt_base:
            self.answers += not step.error_kind
            self.spent += (step.prompt_tokens or step.counted_tokens) + step.completion_tokens

    @property
    def replies(self) -> list[Message]:
        """The model's answers in this turn."""
        return [each for each in self.messages if each.role == Message.Role.ASSISTANT]

    def replies_of_try(self) -> list[Message]:
        """The model's whole answers since the turn was last tried again."""
        whole = [each for each in self.replies if each.state == Message.State.COMPLETE]
        return whole[-self.answers :] if self.answers else []

    def open_calls(self) -> list[Call]:
        """Tool calls of the last answer that have no result yet."""
        return results.open_calls(self.messages)

    def has_said_something(self) -> bool:
        """Whether any whole answer of this turn had words for the person, beside its tool calls."""
        return any(each.content.strip() for each in self.replies if each.state == Message.State.COMPLETE)
