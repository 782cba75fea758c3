"""What an answer consists of, part by part: words, tool calls, what they changed or proposed, marks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from agents.tools.messaging import SEND_MESSAGE
from agents.web import markdown
from agents.web.approving import ShownApproval
from memory.models import Message
from memory.texts import storable_json
from memory.web.presentation import ShownVersion
from memory.web.proposed import ShownProposal

GIST = 60
Change = ShownVersion | ShownProposal


@dataclass(frozen=True)
class Piece:
    """One part of an answer: `kind` names its template, `value` is what that shows."""

    kind: str
    value: Any


@dataclass(frozen=True)
class Speech:
    """What the agent said, as safe HTML; `key` is the id that it had while it was streamed."""

    html: SafeString
    key: str


def speech_key(turn_id: object, number: int) -> str:
    """The id, in the page, of the nth stretch of words of a turn: the same while it streams and after."""
    return f"turn-{turn_id}-w{number}"


@dataclass(frozen=True)
class ToolCall:
    """A tool call with its result, both as text."""

    call: str
    name: str
    arguments: str
    content: str = ""

    @property
    def gist(self) -> str:
        """The first thing it was given, in short; which block says the change below."""
        given = _loaded(self.arguments)
        first = next((value for key, value in given.items() if isinstance(value, str) and key != "label"), "")
        line = " ".join(first.split())
        return line if len(line) <= GIST else f"{line[:GIST]}…"

    @property
    def is_error(self) -> bool:
        """Whether the tool refused."""
        return _loaded(self.content).get("status") == "error"

    @property
    def found(self) -> int | None:
        """How many hits a search had; None for other tools."""
        results = _loaded(self.content).get("results")
        return len(results) if isinstance(results, list) else None

    @property
    def arguments_shown(self) -> str:
        """The arguments, indented."""
        return _indented(self.arguments)

    @property
    def content_shown(self) -> str:
        """The result, indented."""
        return _indented(self.content)


def pieces(
    messages: Sequence[Message], changes: Sequence[Change], asked: Mapping[str, ShownApproval] | None = None
) -> list[Piece]:
    """What an answer consists of: words, folded tool calls, each with what it changed or proposed, marks.

    `asked` are the calls about which a person was asked, by the call's id.
    """
    results = {each.tool_call_id: each.content for each in messages if each.role == Message.Role.TOOL}
    left = list(changes)
    found: list[Piece] = []
    spoken = 0
    for message in messages:
        if message.role != Message.Role.ASSISTANT:
            continue
        if message.content.strip():
            spoken += 1
            key = speech_key(message.turn_id, spoken)
            found.append(Piece("speech", Speech(markdown.render(message.content), key)))
        for call in message.tool_calls:
            approval = (asked or {}).get(call["id"])
            found += [Piece("approval", approval)] if approval else []
            if call["id"] in results:
                found += _called(call, _ran_with(call, approval), results[call["id"]], left)
        found += _marks(message)
    return found + [_told(each) for each in left]


def _ran_with(call: dict[str, Any], approval: ShownApproval | None) -> str:
    """The arguments of a call: the model's own, or what a person made of them."""
    edited = approval.approval.edited if approval else ""
    return edited or str(call["arguments"])


def _called(call: dict[str, Any], arguments: str, result: str, left: list[Change]) -> list[Piece]:
    if call["name"] == SEND_MESSAGE:
        return []
    made = _loaded(result)
    changed = [each for each in left if _is_made_by(each, made)]
    left[:] = [each for each in left if each not in changed]
    shown = ToolCall(call["id"], call["name"], arguments, result)
    return [Piece("tool", shown), *(_told(each) for each in changed)]


def _is_made_by(change: Change, made: dict[str, Any]) -> bool:
    """Whether a tool's result tells of this change."""
    if isinstance(change, ShownProposal):
        return str(change.proposal.id) == made.get("proposal")
    return (change.block.label, change.version.number) == (made.get("label"), made.get("version"))


def _told(change: Change) -> Piece:
    return Piece("proposal" if isinstance(change, ShownProposal) else "change", change)


def _marks(message: Message) -> list[Piece]:
    marks = []
    if message.claims_unsaved:
        marks.append(Piece("mark", "unsaved"))
    if message.state != Message.State.COMPLETE:
        marks.append(Piece("mark", str(message.state)))
    return marks


def _loaded(text: str) -> dict[str, Any]:
    try:
        found = json.loads(storable_json(text) or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _indented(text: str) -> str:
    found = _loaded(text)
    return json.dumps(found, ensure_ascii=False, indent=1) if found else text
