"""Turns as pages show them: what was asked, and the pieces of the answer. Reads, decides nothing."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.utils.safestring import SafeString

from agents import chat_files
from agents.models import Step, Turn
from agents.tools.messaging import SEND_MESSAGE
from agents.web import failures, markdown
from agents.web.failures import Failure
from agents.web.labels import name_label
from memory.models import BlockVersion, Message, Proposal, Source
from memory.texts import storable_json
from memory.web.document_rows import ShownDocument
from memory.web.presentation import ShownVersion, shown_versions
from memory.web.proposed import ShownProposal, shown_proposals, with_all_it_names
from tenants.people import names_of

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


@dataclass
class ShownTurn:
    """A turn with everything that its template needs."""

    turn: Turn
    question: Message
    question_html: SafeString
    asked_by: str
    files: list[ShownDocument] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    model: str = ""
    is_offline: bool = False
    is_live: bool = False
    has_others_before: bool = False
    is_last: bool = False
    is_imported: ClassVar[bool] = False

    @property
    def is_waiting(self) -> bool:
        """Whether another turn has to end first."""
        return self.is_live and self.has_others_before

    @property
    def seconds(self) -> float | None:
        """How long the answer took."""
        if not (self.turn.started_at and self.turn.ended_at):
            return None
        return (self.turn.ended_at - self.turn.started_at).total_seconds()

    @property
    def failure(self) -> Failure | None:
        """Why it failed, where it did."""
        if self.turn.status not in {Turn.Status.FAILED, Turn.Status.INTERRUPTED}:
            return None
        kind = self.turn.error_kind or self.turn.status
        return failures.failure(kind, self.turn.error_text)

    @property
    def can_retry(self) -> bool:
        """Whether the same message can be answered again."""
        return self.is_last and self.turn.has_ended and self.turn.status != Turn.Status.DONE

    @property
    def has_speech(self) -> bool:
        """Whether there is something to copy."""
        return any(piece.kind == "speech" for piece in self.pieces)


def shown_turns(turns: Sequence[Turn]) -> list[ShownTurn]:
    """Turns of one conversation (with `message`), in their order. A fixed number of queries."""
    if not turns:
        return []
    said = _messages(turns)
    changes, proposed = _changes(turns), _proposed(turns)
    models = dict(Step.objects.filter(turn__in=turns).order_by("id").values_list("turn_id", "model_name"))
    names = names_of(turn.user_id for turn in turns)
    files = chat_files.by_message(turn.message_id for turn in turns)
    ends = _ends(turns[0].conversation_id)
    return [
        ShownTurn(
            turn=turn,
            question=turn.message,
            question_html=markdown.render(turn.message.content, typed=True),
            asked_by=names.get(turn.user_id, ""),
            files=[ShownDocument(each) for each in files.get(turn.message_id, [])],
            pieces=pieces(said[turn.id], [*changes[turn.message_id], *proposed[turn.id]]),
            model=name_label(models.get(turn.id, "")),
            is_offline=models.get(turn.id) == "offline",
            is_live=not turn.has_ended,
            # A turn that ended since it was read is none that waits: its stream tells the end at once.
            has_others_before=ends.next_up is not None and ends.next_up < turn.id,
            is_last=turn.id == ends.last,
        )
        for turn in turns
    ]


@dataclass(frozen=True)
class _Ends:
    next_up: uuid.UUID | None
    last: uuid.UUID | None


def _ends(conversation_id: uuid.UUID) -> _Ends:
    """Which turn of a conversation is at work or comes next, and which is the last."""
    rows = Turn.objects.filter(conversation_id=conversation_id)
    unfinished = rows.filter(status__in=[Turn.Status.QUEUED, Turn.Status.RUNNING]).order_by("id")
    return _Ends(
        unfinished.values_list("id", flat=True).first(),
        rows.order_by("-id").values_list("id", flat=True).first(),
    )


def _messages(turns: Iterable[Turn]) -> dict[uuid.UUID, list[Message]]:
    said: dict[uuid.UUID, list[Message]] = defaultdict(list)
    rows = Message.objects.filter(turn_id__in=[turn.id for turn in turns])
    for message in rows.exclude(role=Message.Role.USER).order_by("position"):
        if message.turn_id:
            said[message.turn_id].append(message)
    return said


def _changes(turns: Iterable[Turn]) -> dict[uuid.UUID, list[ShownVersion]]:
    """What was written to core memory in each turn, by the message that began it.

    What was proposed and approved later is told with its proposal.
    """
    references = [str(turn.message_id) for turn in turns]
    rows = BlockVersion.objects.filter(
        source__kind=Source.Kind.MESSAGE, source__reference__in=references, proposal=None
    )
    found: dict[uuid.UUID, list[ShownVersion]] = defaultdict(list)
    for shown in shown_versions(
        list(rows.select_related("block", "source").order_by("valid_from", "number"))
    ):
        found[uuid.UUID(shown.message_id)].append(shown)
    return found


def _proposed(turns: Iterable[Turn]) -> dict[uuid.UUID, list[ShownProposal]]:
    """What was proposed to core memory in each turn, with what became of it."""
    rows = with_all_it_names(Proposal.objects.filter(turn_id__in=[turn.id for turn in turns]))
    found: dict[uuid.UUID, list[ShownProposal]] = defaultdict(list)
    for shown in shown_proposals(list(rows.order_by("id"))):
        if shown.proposal.turn_id:
            found[shown.proposal.turn_id].append(shown)
    return found


def pieces(messages: Sequence[Message], changes: Sequence[Change]) -> list[Piece]:
    """What an answer consists of: words, folded tool calls, each with what it changed or proposed, marks."""
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
            found += _called(call, results.get(call["id"], ""), left)
        found += _marks(message)
    return found + [_told(each) for each in left]


def _called(call: dict[str, Any], result: str, left: list[Change]) -> list[Piece]:
    if call["name"] == SEND_MESSAGE:
        return []
    made = _loaded(result)
    changed = [each for each in left if _is_made_by(each, made)]
    left[:] = [each for each in left if each not in changed]
    shown = ToolCall(call["id"], call["name"], call["arguments"], result)
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
