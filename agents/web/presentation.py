"""Turns as pages show them: what was asked, and the pieces of the answer. Reads, decides nothing."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from django.utils.safestring import SafeString

from agents import chat_files
from agents.changes import Writers, versions_of
from agents.models import Step, Turn
from agents.web import approving, failures, markdown
from agents.web.failures import Failure
from agents.web.forks import Fork, Forks
from agents.web.labels import name_label
from agents.web.pieces import Piece, pieces
from memory import branches
from memory.models import Message, Proposal
from memory.web.document_rows import ShownDocument
from memory.web.presentation import ShownVersion, shown_versions
from memory.web.proposed import ShownProposal, shown_proposals, with_all_it_names
from tenants.people import names_of
from tenants.permissions import has_role
from tenants.scope import current_scope


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
    is_mine: bool = False
    may_write: bool = False
    question_fork: Fork | None = None
    answer_fork: Fork | None = None
    is_imported: ClassVar[bool] = False

    @property
    def is_waiting(self) -> bool:
        """Whether another turn has to end first."""
        return self.is_live and self.has_others_before

    @property
    def is_asking(self) -> bool:
        """Whether it waits for a person's decision about a tool call."""
        return self.turn.status == Turn.Status.AWAITING

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
        """Whether the answer is missing, or broke off, at the end of the chat."""
        return self.is_last and self.turn.has_ended and self.turn.status != Turn.Status.DONE

    @property
    def can_edit(self) -> bool:
        """Whether the present person can say something else in the place of the question."""
        return self.is_mine and self.may_write

    @property
    def has_speech(self) -> bool:
        """Whether there is something to copy."""
        return any(piece.kind == "speech" for piece in self.pieces)


def shown_turns(turns: Sequence[Turn]) -> list[ShownTurn]:
    """Turns of one conversation (with `message`), in their order. A fixed number of queries."""
    if not turns:
        return []
    ends = _ends(turns[0].conversation_id)
    said = _messages(turns)
    changes, proposed, asked = _changes(turns), _proposed(turns), approving.of_turns(turns)
    forks = _forks(turns, said, ends)
    models = dict(Step.objects.filter(turn__in=turns).order_by("id").values_list("turn_id", "model_name"))
    names = names_of(turn.user_id for turn in turns)
    files = chat_files.by_message(turn.message_id for turn in turns)
    me = current_scope().user_id
    return [
        ShownTurn(
            turn=turn,
            question=turn.message,
            question_html=markdown.render(turn.message.content, typed=True),
            asked_by=names.get(turn.user_id, ""),
            files=[ShownDocument(each) for each in files.get(turn.message_id, [])],
            pieces=pieces(said[turn.id], [*changes[turn.id], *proposed[turn.id]], asked.get(turn.id)),
            model=name_label(models.get(turn.id, "")),
            is_offline=models.get(turn.id) == "offline",
            is_live=not turn.has_ended,
            # A turn that ended since it was read is none that waits: its stream tells the end at once.
            has_others_before=ends.next_up is not None and ends.next_up < turn.id,
            is_last=turn.id == ends.last,
            is_mine=turn.message.actor_id == me,
            may_write=has_role(turn.workspace_id, "member"),
            question_fork=forks[turn.id][0],
            answer_fork=forks[turn.id][1],
        )
        for turn in turns
    ]


@dataclass(frozen=True)
class _Ends:
    next_up: uuid.UUID | None
    last: uuid.UUID | None

    def is_next(self, turn: Turn) -> bool:
        """Whether nobody has to be answered before."""
        return self.next_up is None or self.next_up >= turn.id


def _ends(conversation_id: uuid.UUID) -> _Ends:
    """Which turn of a conversation is at work or comes next, and which is the last."""
    rows = Turn.objects.filter(conversation_id=conversation_id)
    unfinished = rows.exclude(status__in=Turn.ENDED).order_by("id")
    return _Ends(
        unfinished.values_list("id", flat=True).first(),
        rows.filter(is_abandoned=False).order_by("-id").values_list("id", flat=True).first(),
    )


def _forks(
    turns: Sequence[Turn], said: dict[uuid.UUID, list[Message]], ends: _Ends
) -> dict[uuid.UUID, tuple[Fork | None, Fork | None]]:
    """Of each turn the fork at its question, and the one at its answer."""
    conversation_id = turns[0].conversation_id
    parents = {turn.id: turn.message.parent_id for turn in turns}
    for turn in turns:
        if turn.message.position is None and ends.is_next(turn):  # it stands where it will have its place
            last = branches.path(conversation_id).order_by("-position")
            parents[turn.id] = last.values_list("id", flat=True).first()
    forks = Forks(conversation_id, [*parents.values(), *(turn.message_id for turn in turns)])
    answers = {turn.id: next((each.id for each in said[turn.id]), None) for turn in turns}
    placed = {turn.id for turn in turns if turn.message.position is not None or ends.is_next(turn)}
    return {
        turn.id: (
            forks.at(turn.message, parents[turn.id]) if turn.id in placed else None,
            forks.behind(turn.message_id, answers[turn.id]),
        )
        for turn in turns
    }


def _messages(turns: Iterable[Turn]) -> dict[uuid.UUID, list[Message]]:
    said: dict[uuid.UUID, list[Message]] = defaultdict(list)
    rows = Message.objects.filter(turn_id__in=[turn.id for turn in turns])
    for message in rows.exclude(role=Message.Role.USER).order_by("position"):
        if message.turn_id:
            said[message.turn_id].append(message)
    return said


def _changes(turns: Iterable[Turn]) -> dict[uuid.UUID, list[ShownVersion]]:
    """What was written to core memory in each turn. What was proposed and approved later is told with its
    proposal."""
    made = versions_of(Writers(turns))
    every = shown_versions([row for rows in made.values() for row in rows])
    shown = {each.version.id: each for each in every}
    found: dict[uuid.UUID, list[ShownVersion]] = defaultdict(list)
    for turn_id, rows in made.items():
        found[turn_id] = [shown[row.id] for row in rows]
    return found


def _proposed(turns: Iterable[Turn]) -> dict[uuid.UUID, list[ShownProposal]]:
    """What was proposed to core memory in each turn, with what became of it."""
    rows = with_all_it_names(Proposal.objects.filter(turn_id__in=[turn.id for turn in turns]))
    found: dict[uuid.UUID, list[ShownProposal]] = defaultdict(list)
    for shown in shown_proposals(list(rows.order_by("id"))):
        if shown.proposal.turn_id:
            found[shown.proposal.turn_id].append(shown)
    return found
