"""What each model call was sent, kept by reference: a step names texts that are kept once, messages that are
kept anyway, and how those were shown.

So a past prompt is exact after blocks have changed, and what was erased since is gone there too.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Subquery

from agents.context.parts import HEAD, Part, PartKind, Window, request_digest
from agents.context.parts import rendered as joined
from agents.context.prefix import shared
from agents.context.speakers import note_speakers
from agents.context.tokens import tokenizer
from agents.context.writing import Form, Queued, Writer
from agents.models import MainContext, PartText, Step
from memory.models import Message

VERSION = 1
RESERVE = "reserve"
# Texts that are of this moment, or always the same: they stand in the step itself.
INLINE = frozenset({PartKind.CORE, PartKind.STATUS})

Reference = Mapping[str, Any]


def note(step: Step, window: Window) -> None:
    """Note in a step, which is stored later, what it is sent."""
    step.window, step.digest = described(window), window.digest
    step.counted_tokens = window.used


def described(window: Window) -> dict[str, Any]:
    """What a step keeps of a window (`Step.window`)."""
    reserve = int(window.size / window.ratio) - window.capacity
    parts = [*map(_reference, window.parts), {"kind": RESERVE, "tokens": reserve}]
    prefix = shared(window.before.get("parts", ()), parts, window.queue)
    return {
        "v": VERSION,
        "size": window.size,
        "ratio": window.ratio,
        "capacity": window.capacity,
        "room": window.room,
        "is_pressed": window.is_pressed,
        "ms": round(window.ms, 1),
        "parts": parts,
        "evicted": window.move.evicted,
        "cleared": window.move.cleared,
        "clipped": list(window.move.clipped),
        "shared_tokens": prefix.tokens,
        "breaks": list(prefix.breaks),
    }


def last_sent(context: MainContext) -> Reference:
    """What the last model call of a chat was sent, as its step keeps it; empty where there is none."""
    said = Message.objects.filter(
        conversation_id=context.conversation_id, is_abandoned=False, position__isnull=False
    )
    last = said.order_by("-position").values("turn_id")[:1]
    steps = Step.objects.filter(turn_id=Subquery(last)).order_by("-id")
    return steps.values_list("window", flat=True).first() or {}


def _reference(part: Part) -> dict[str, Any]:
    found = {"kind": str(part.kind), "tokens": part.tokens}
    if part.kind in INLINE:
        found["content"] = part.text
    elif part.kind != PartKind.QUEUE:
        found["text"] = part.digest
    return found | dict(part.about)


def keep(window: Window) -> None:
    """Store the texts that the call before was not sent, each where what it shows lies. One statement, and
    none where nothing is new."""
    known = {part.get("text") for part in window.before.get("parts", ())}
    rows = [_row(part, part.place) for part in window.parts if part.place and part.digest not in known]
    if rows:
        PartText.objects.bulk_create(rows, ignore_conflicts=True)


def _row(part: Part, place: uuid.UUID) -> PartText:
    return PartText(
        workspace_id=place,
        kind=part.kind,
        digest=part.digest,
        text=part.text,
        records=list(part.records),
    )


@dataclass(frozen=True)
class SentPart:
    """A part of what was sent: what its step keeps of it, and its text or the messages of the queue. `text`
    is None where it is not kept, was erased, or lies where one does not see it."""

    reference: Reference
    text: str | None = None
    queue: tuple[Queued, ...] = ()


@dataclass(frozen=True)
class Sent:
    """What a model call was sent, put together again."""

    parts: tuple[SentPart, ...]
    digest: str

    def text(self, *kinds: str) -> str:
        """The text of some kinds of parts, as far as it is there."""
        return "".join(part.text or "" for part in self.parts if part.reference["kind"] in kinds)

    def messages(self) -> list[dict[str, Any]]:
        """The chat-completions messages."""
        queue = [each.shown for part in self.parts for each in part.queue]
        return joined(self.text(*HEAD), self.text(PartKind.SUMMARY), queue, self.text(PartKind.STATUS))

    def tools(self) -> list[dict[str, Any]]:
        """The schemas of the tools."""
        found: list[dict[str, Any]] = json.loads(self.text(PartKind.TOOLS) or "[]")
        return found

    @property
    def is_exact(self) -> bool:
        """Whether this is what was sent, byte for byte."""
        return request_digest(self.messages(), self.tools()) == self.digest


def read(step: Step) -> Sent:
    """What a step was sent, as far as the present scope sees it and it was not erased."""
    references = [part for part in step.window.get("parts", ()) if part["kind"] != RESERVE]
    texts = _texts(part["text"] for part in references if part.get("text"))
    return Sent(tuple(_part(step, each, texts) for each in references), step.digest)


def rendered(step: Step) -> list[dict[str, Any]]:
    """The chat-completions messages that a step was sent, as far as they are seen and were not erased."""
    return read(step).messages()


def _texts(digests: Iterable[str]) -> dict[str, str]:
    rows = PartText.objects.filter(digest__in=set(digests))
    return dict(rows.values_list("digest", "text"))


def _part(step: Step, reference: Reference, texts: Mapping[str, str]) -> SentPart:
    if reference["kind"] == PartKind.QUEUE:
        messages = _messages(step, reference)
        writer = Writer(tokenizer(reference["tokenizer"]), _form(reference))
        return SentPart(reference, queue=tuple(writer.shown(messages)))
    text = reference["content"] if "content" in reference else texts.get(reference["text"])
    return SentPart(reference, text)


def _form(reference: Reference) -> Form:
    """How the messages of a queue were shown."""
    return Form(
        clip=reference["clip"],
        cleared_to=reference["cleared_to"],
        exclude=reference["exclude"],
        clears_inputs=reference["clears_inputs"],
        attached=reference.get("attached", {}),
        hard=reference.get("hard", {}),
        left_out=frozenset(reference.get("left_out", ())),
    )


def _messages(step: Step, reference: Reference) -> list[Message]:
    """The messages of a queue, oldest first, on the branch that was the chat then."""
    rows = Message.objects.filter(
        conversation_id=step.turn.conversation_id,
        position__gte=reference["from"],
        position__lte=reference["to"],
    )
    found = list(rows.order_by("position"))
    if any(each.is_abandoned for each in found):
        found = _branch(found, reference["last"])
    note_speakers(found)
    return found


def _branch(found: Sequence[Message], last: str) -> list[Message]:
    """Those of these messages that lead to the last one."""
    by_id = {each.id: each for each in found}
    branch: list[Message] = []
    following = by_id.get(uuid.UUID(last))
    while following:
        branch.append(following)
        following = by_id.get(following.parent_id) if following.parent_id else None
    return branch[::-1]
