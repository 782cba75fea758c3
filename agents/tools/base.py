"""A tool is one function: its hints and docstring are the schema, the context a hidden first parameter."""

from __future__ import annotations

import inspect
import json
import re
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from agents import retrieval, trust
from agents.asides import Asides
from agents.models import Agent, Turn
from memory.actors import Actor, ActorKind
from memory.governance import Origin
from memory.models import BlockVersion, Conversation, Message, Passage, Proposal, Source, Trust
from memory.provenance import source_of_message
from memory.retrieval.rerank import SecondStage
from memory.texts import storable

# Models trained on other systems of this kind send these along; they say nothing that the loop needs.
IGNORED = frozenset({"request_heartbeat", "thinking", "inner_thoughts"})
FAULTS_MAX = 5
REPEATED_MAX = 80
_ARGUMENT = re.compile(r"^\s{4,}(\w+): (.+)$")


class ToolError(Exception):
    """The model's fault: it gets the message back as the tool's result, with these facts."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts


@dataclass
class ToolContext:
    """What a tool works for: the turn, its agent and conversation, and the message that called it.

    `written` gathers what its tools made, in order; `asides` what was asked while no transaction was open.
    `shown` is the trust of the least trusted text that they show, `detail` what pages tell beside the answer:
    it is stored in `Message.detail`, and no model sees it.
    """

    turn: Turn
    agent: Agent
    conversation: Conversation
    message: Message
    written: list[BlockVersion | Proposal | Passage] = field(default_factory=list)
    asides: Asides = field(default_factory=Asides)
    shown: int = Trust.TRUSTED
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def actor(self) -> Actor:
        """The agent, as the hand that writes."""
        return Actor(ActorKind.AGENT, self.agent.id, self.agent.name)

    def show(self, trusts: Iterable[int]) -> None:
        """Note how far the texts are trusted that a result shows."""
        self.shown = min([self.shown, *trusts])

    def trust_in_window(self) -> int:
        """How far what the agent writes now is trusted: no more than the least of what it has before it."""
        return trust.in_window(self.turn.context)

    def second_stage(self) -> SecondStage | None:
        """The agent's second stage of searches, to be asked while no transaction is open."""
        return self.asides.deferred(retrieval.stage_of(self.agent))

    def source(self, workspace_id: uuid.UUID) -> Source:
        """Where what the agent writes in a workspace comes from: the person's message that began the turn."""
        return source_of_message(self.turn.message, workspace_id)

    def origin(self, override: str) -> Origin:
        """Where a write to a block comes from; `override` is the agent's own setting for it, or empty."""
        return Origin(
            override=override or None,
            workspace_id=self.conversation.workspace_id,
            conversation_id=self.conversation.id,
            turn_id=self.turn.id,
            asked_by=self.turn.user_id,
            trust=self.trust_in_window(),
        )


Function = Callable[..., dict[str, Any]]


@dataclass(frozen=True)
class Tool:
    """A function that a model can call."""

    name: str
    description: str
    function: Function
    arguments: type[BaseModel]

    def schema(self) -> dict[str, Any]:
        """The chat-completions description of this tool."""
        parameters = self.arguments.model_json_schema()
        properties = {name: _tidy(value) for name, value in parameters.get("properties", {}).items()}
        described = {"type": "object", "properties": properties, "required": parameters.get("required", [])}
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": described},
        }

    def call(self, context: ToolContext, arguments: str) -> dict[str, Any]:
        """Run with the model's arguments, JSON as text. Raises ToolError for the model's faults."""
        return self.function(context, **self.parsed(arguments))

    def parsed(self, arguments: str) -> dict[str, Any]:
        """The model's arguments, checked. Raises ToolError."""
        try:
            given = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            raise ToolError("The arguments are not valid JSON. Send one JSON object.") from None
        if not isinstance(given, dict):
            raise ToolError("The arguments must be one JSON object.")
        try:
            checked = self.arguments.model_validate(
                {name: _clean(value) for name, value in given.items() if name not in IGNORED}
            )
        except ValidationError as error:
            raise ToolError(_explain(error)) from None
        return {name: getattr(checked, name) for name in type(checked).model_fields}


def tool(function: Function) -> Tool:
    """Make a tool of a function with a docstring whose `Args:` describe each parameter."""
    return Tool(*described(function))


def described(function: Callable[..., Any]) -> tuple[str, str, Callable[..., Any], type[BaseModel]]:
    """What a tool is made of: name, description, function, and the model of its arguments."""
    summary, described = _read(inspect.getdoc(function) or "")
    hints = get_type_hints(function)
    fields: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (hints[name], FieldInfo(default=default, description=described[name]))
    arguments = create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)
    return function.__name__, summary, function, arguments


def _read(docstring: str) -> tuple[str, dict[str, str]]:
    head, _, tail = docstring.partition("Args:")
    found = (_ARGUMENT.match(line) for line in tail.splitlines())
    return " ".join(head.split()), {match.group(1): match.group(2) for match in found if match}


def _tidy(value: dict[str, Any]) -> dict[str, Any]:
    """A schema without what costs tokens and says nothing: titles, null branches, empty defaults."""
    kept = {key: item for key, item in value.items() if key != "title"}
    if "anyOf" in kept:
        kept = next(item for item in kept.pop("anyOf") if item.get("type") != "null") | kept
    if kept.get("default", 0) in (None, ""):
        del kept["default"]
    return kept


def _clean(value: Any) -> Any:
    """Arguments without what PostgreSQL cannot hold."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def _explain(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)[:FAULTS_MAX]
    parts = [f"{shortly('.'.join(map(str, item['loc'])))}: {item['msg']}" for item in faults]
    return "The arguments are wrong. " + "; ".join(parts)


def shortly(text: str) -> str:
    """What a model wrote, as far as an error repeats it."""
    return text if len(text) <= REPEATED_MAX else f"{text[:REPEATED_MAX]}…"
