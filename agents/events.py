"""What happens in a turn, written in order and told to whoever follows it.

Rows are the truth, for replay and gaps; NOTIFY carries the events themselves where they fit, at commit.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Max

from agents.models import Approval, Turn, TurnEvent
from memory.models import BlockVersion, Message, Passage, Proposal
from tenants.ids import uuid7
from tenants.notices import CHANNEL

PAYLOAD_MAX = 7_900
SHOWN_MAX = 2_000
END, ASKS = "done", "approval"


@dataclass(frozen=True)
class Event:
    """One thing that happened. `seq` is 0 until it is written."""

    kind: str
    data: dict[str, Any]
    seq: int = 0


def state(status: str) -> Event:
    """The turn waits in line, or runs."""
    return Event("state", {"status": str(status)})


def text(spoken: str) -> Event:
    """The agent said this, after what it said before."""
    return Event("text", {"text": spoken})


def restart() -> Event:
    """What was said since the last stored message is void."""
    return Event("restart", {})


def message(stored: Message) -> Event:
    """An answer was stored; what was said until now belongs to it."""
    return Event("message", {"id": str(stored.id), "role": stored.role, "state": str(stored.state)})


def tool(call: dict[str, Any]) -> Event:
    """The model called a tool; `result` follows at once."""
    arguments = call["arguments"][:SHOWN_MAX]
    return Event("tool", {"call": call["id"], "name": call["name"], "arguments": arguments})


def result(call: dict[str, Any], answer: Message) -> Event:
    """What the tool answered, its beginning where that is long."""
    status = json.loads(answer.content).get("status", "")
    told = {"call": call["id"], "name": call["name"], "status": status, "message": str(answer.id)}
    return Event("result", told | {"content": answer.content[:SHOWN_MAX]})


def memory(call: dict[str, Any], version: BlockVersion) -> Event:
    """A block changed."""
    block = {"block": str(version.block_id), "label": version.block.label, "version": version.number}
    return Event("memory", block | {"operation": version.operation, "call": call["id"]})


def proposal(call: dict[str, Any], made: Proposal) -> Event:
    """A change of a block was proposed; nothing changed."""
    block = {"block": str(made.block_id), "label": made.block.label, "workspace": str(made.workspace_id)}
    return Event(
        "proposal", block | {"proposal": str(made.id), "operation": made.operation, "call": call["id"]}
    )


def approval(asked: Approval) -> Event:
    """A call waits for a person's yes, or what became of that; `arguments` are those it runs with."""
    told = {"approval": str(asked.id), "call": asked.call_id, "name": asked.tool, "status": str(asked.status)}
    arguments = (asked.edited or asked.arguments)[:SHOWN_MAX]
    return Event(ASKS, told | {"arguments": arguments, "expires_at": asked.expires_at.isoformat()})


def written(call: dict[str, Any], made: Sequence[BlockVersion | Proposal | Passage]) -> list[Event]:
    """What a call did to core memory; that a passage was stored, its result says."""
    changes = [memory(call, each) for each in made if isinstance(each, BlockVersion)]
    return changes + [proposal(call, each) for each in made if isinstance(each, Proposal)]


def error(kind: str, said: str, *, retryable: bool) -> Event:
    """Why the turn did not get to an answer."""
    return Event("error", {"kind": kind, "text": said, "retryable": retryable})


def done(status: str, messages: list[Message]) -> Event:
    """Nothing more will come."""
    return Event(END, {"status": str(status), "messages": [str(each.id) for each in messages]})


class EventLog:
    """Writes a turn's events. Used inside the scope of whoever writes; one writer at a time per turn."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.seq: int | None = None

    def write(self, *events: Event) -> list[Event]:
        """Store events and announce them at commit; answers them numbered."""
        if self.seq is None:
            self.seq = TurnEvent.objects.filter(turn=self.turn).aggregate(last=Max("seq"))["last"] or 0
        numbered = [Event(event.kind, event.data, self.seq + n) for n, event in enumerate(events, start=1)]
        TurnEvent.objects.bulk_create(
            TurnEvent(
                id=uuid7(),
                workspace_id=self.turn.workspace_id,
                turn=self.turn,
                seq=event.seq,
                kind=event.kind,
                data=event.data,
            )
            for event in numbered
        )
        self.seq += len(numbered)
        announce(self.turn, numbered)
        return numbered


def announce(turn: Turn, events: list[Event]) -> None:
    """NOTIFY: the events, or only their numbers where they are too long."""
    told: dict[str, Any] = {"turn": str(turn.id), "conversation": str(turn.conversation_id)}
    full = json.dumps(told | {"events": [[event.seq, event.kind, event.data] for event in events]})
    if len(full.encode()) > PAYLOAD_MAX:
        full = json.dumps(told | {"last": events[-1].seq})
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, full])


def read(turn_id: uuid.UUID, after: int) -> list[Event]:
    """The written events of a turn after a number, in order."""
    rows = TurnEvent.objects.filter(turn_id=turn_id, seq__gt=after).order_by("seq")
    return [Event(row.kind, row.data, row.seq) for row in rows]


def forget(turn: Turn, before: int) -> None:
    """Drop the events before a number: those of an attempt that is over, since it is tried again."""
    TurnEvent.objects.filter(turn=turn, seq__lt=before).delete()


def partial_text(turn_id: uuid.UUID) -> str:
    """What was spoken last since the last stored message: an answer that did not get to its end."""
    spoken, before = "", ""
    for event in read(turn_id, 0):
        if event.kind == "text":
            spoken += event.data["text"]
        elif event.kind == "message":
            spoken = before = ""
        elif event.kind == "restart":
            spoken, before = "", spoken or before
    return spoken or before
