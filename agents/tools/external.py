"""Tools whose effect lies outside of the database: made ready in a transaction, done while none is open.

The note that an action begins is committed before it is made. Whoever takes a turn over finds the note and
asks the action whether it was done, instead of doing it twice; what it is done with is the same key again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from agents.tools.base import Tool, ToolContext, described


class ActionFailed(Exception):
    """The action was not done, for certain."""


class OutcomeUnknown(Exception):
    """Nobody can say whether the action was done."""


class Action(Protocol):
    """One thing to be done, with all that it needs: it is done in a thread that touches no database.

    `key` is the same for the same call, whoever makes it, and no other call has it: an idempotency key.
    """

    def do(self, key: str) -> dict[str, Any]:
        """Do it, and answer what the model is told. Raises ActionFailed, OutcomeUnknown."""

    def was_done(self, key: str) -> dict[str, Any] | None:
        """What was answered where it was done with this key; None where it was not, for certain.

        Raises OutcomeUnknown.
        """


@dataclass(frozen=True)
class ExternalTool(Tool):
    """A tool whose function answers an Action instead of acting."""

    def ready(self, context: ToolContext, arguments: str) -> Action:
        """The action that a call asks for. Raises ToolError for the model's faults."""
        function: Callable[..., Any] = self.function
        action: Action = function(context, **self.parsed(arguments))
        return action


def external_tool(function: Callable[..., Action]) -> ExternalTool:
    """Make a tool of a function that answers an Action; its hints and docstring are the schema."""
    return ExternalTool(*described(function))
