"""What turns wrote to memory. What is written names the person's message; one that was answered again has
several turns, one after another, and each wrote what was written after it began."""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from agents.models import Turn
from memory.models import BlockVersion, Passage, Proposal, Source

Times = list[tuple[datetime, uuid.UUID]]


class Writers:
    """Who wrote what was written for the messages of some turns. One query."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self.turn_ids = {turn.id for turn in turns}
        messages = Turn.objects.filter(id__in=self.turn_ids).values("message_id")
        every = Turn.objects.filter(message_id__in=messages).order_by("created_at", "id")
        self._asked: dict[str, Times] = defaultdict(list)
        for message_id, moment, turn_id in every.values_list("message_id", "created_at", "id"):
            self._asked[str(message_id)].append((moment, turn_id))

    @property
    def references(self) -> list[str]:
        """The messages, as sources name them."""
        return list(self._asked)

    def of(self, reference: str, moment: datetime) -> uuid.UUID:
        """The turn that wrote something at a moment, for a message."""
        asked = self._asked[reference]
        place = bisect_right(asked, moment, key=lambda each: each[0])
        return asked[max(place - 1, 0)][1]


def versions_of(writers: Writers) -> dict[uuid.UUID, list[BlockVersion]]:
    """What each turn wrote to core memory, in order; not what it proposed and somebody allowed."""
    rows = BlockVersion.objects.filter(
        source__kind=Source.Kind.MESSAGE, source__reference__in=writers.references, proposal=None
    )
    found: dict[uuid.UUID, list[BlockVersion]] = defaultdict(list)
    for version in rows.select_related("block", "source").order_by("valid_from", "number"):
        found[_writer(version, version.valid_from, writers)].append(version)
    return found


def passages_of(writers: Writers) -> dict[uuid.UUID, list[Passage]]:
    """What each turn filed that still stands, in order."""
    rows = Passage.objects.filter(
        Passage.standing(), source__kind=Source.Kind.MESSAGE, source__reference__in=writers.references
    )
    found: dict[uuid.UUID, list[Passage]] = defaultdict(list)
    for passage in rows.select_related("source", "archive").order_by("created_at", "id"):
        found[_writer(passage, passage.created_at, writers)].append(passage)
    return found


def proposals_of(writers: Writers) -> dict[uuid.UUID, list[Proposal]]:
    """What each turn proposed that nobody has decided on."""
    rows = Proposal.objects.filter(turn_id__in=writers.turn_ids, status=Proposal.Status.OPEN)
    found: dict[uuid.UUID, list[Proposal]] = defaultdict(list)
    for proposal in rows.select_related("block__workspace", "base", "made", "source").order_by("id"):
        if proposal.turn_id:
            found[proposal.turn_id].append(proposal)
    return found


def _writer(row: BlockVersion | Passage, moment: datetime, writers: Writers) -> uuid.UUID:
    return writers.of(row.source.reference if row.source else "", moment)
