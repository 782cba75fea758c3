"""The log of a chat's live branch, a page at a time: its turns, and between them what was said elsewhere and
imported."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import F, Q, QuerySet

from agents.models import Turn
from agents.web.imported import ShownImported, shown_imported
from agents.web.presentation import ShownTurn, shown_turns
from memory.models import Message

MESSAGES_A_PAGE = 40
BESIDE = MESSAGES_A_PAGE // 2
Shown = ShownTurn | ShownImported


@dataclass(frozen=True)
class Place:
    """A question with its answer, or an imported message. A question that waits has no position yet."""

    id: uuid.UUID
    position: int | None
    turn_id: uuid.UUID | None

    @property
    def size(self) -> int:
        """How many messages it counts as: an answer is one beside its question."""
        return 2 if self.turn_id else 1


@dataclass(frozen=True)
class LogPage:
    """A part of a log. `earlier` is where the part before it ends, None at the beginning.

    Where the newest messages stand far below the part that was asked for, they are the `tail`, and `gap` has
    the ids of the messages above and below what is left out between them.
    """

    shown: Sequence[Shown]
    earlier: uuid.UUID | None = None
    gap: tuple[uuid.UUID, uuid.UUID] | None = None
    tail: Sequence[Shown] = field(default_factory=list)


def newest(conversation_id: uuid.UUID) -> LogPage:
    """The end of a log."""
    return _upwards(_places(conversation_id))


def before(conversation_id: uuid.UUID, message_id: uuid.UUID) -> LogPage:
    """What stands above a message. Raises Message.DoesNotExist."""
    rows = _places(conversation_id)
    return _upwards(rows.filter(_above(_place(rows, message_id))))


def between(conversation_id: uuid.UUID, message_id: uuid.UUID, end_id: uuid.UUID) -> LogPage:
    """What stands below a message, at most down to another one. Raises Message.DoesNotExist."""
    rows = _places(conversation_id)
    left = rows.filter(_below(_place(rows, message_id)), _above(_place(rows, end_id)))
    places, is_more = _first(left, MESSAGES_A_PAGE)
    return LogPage(_shown(places), gap=(places[-1].id, end_id) if is_more else None)


def around(conversation_id: uuid.UUID, message_id: uuid.UUID) -> LogPage:
    """What stands around a message, and the end of the log. Raises Message.DoesNotExist."""
    rows = _places(conversation_id)
    found = Message.objects.only("turn_id", "role").get(id=message_id, conversation_id=conversation_id)
    turn_id = None if found.role == Message.Role.USER else found.turn_id
    here = _place(rows, found.id) if turn_id is None else _question(rows, turn_id)
    above, is_more = _last(rows.filter(_above(here)), BESIDE)
    below, _ = _first(rows.filter(_below(here)), BESIDE)
    part = [*above, here, *below]
    tail, is_gap = _last(rows.filter(_below(part[-1])), MESSAGES_A_PAGE)
    shown = _shown([*part, *tail])
    return LogPage(
        shown[: len(part)],
        part[0].id if is_more else None,
        (part[-1].id, tail[0].id) if is_gap else None,
        shown[len(part) :],
    )


def _places(conversation_id: uuid.UUID) -> QuerySet[Message]:
    rows = Message.objects.filter(conversation_id=conversation_id, is_abandoned=False)
    return rows.filter(Q(turn_id=None) | Q(role=Message.Role.USER))


def _place(rows: QuerySet[Message], message_id: uuid.UUID) -> Place:
    return Place(*rows.values_list("id", "position", "turn_id").get(id=message_id))


def _question(rows: QuerySet[Message], turn_id: uuid.UUID) -> Place:
    """A turn's message; one that was answered again has several turns."""
    return _place(rows, Turn.objects.values_list("message_id", flat=True).get(id=turn_id))


def _above(place: Place) -> Q:
    """What comes before a place; what waits comes last, in the order in which it was sent."""
    if place.position is None:
        return Q(position__isnull=False) | Q(id__lt=place.id)
    return Q(position__lt=place.position)


def _below(place: Place) -> Q:
    if place.position is None:
        return Q(position=None, id__gt=place.id)
    return Q(position__gt=place.position) | Q(position=None)


def _last(rows: QuerySet[Message], room: int) -> tuple[list[Place], bool]:
    """The last places that have room, in their order, and whether there are others before them."""
    places, is_more = _fitting(rows.order_by(F("position").desc(nulls_first=True), "-id"), room)
    return places[::-1], is_more


def _first(rows: QuerySet[Message], room: int) -> tuple[list[Place], bool]:
    """The first places that have room, and whether there are others after them."""
    return _fitting(rows.order_by(F("position").asc(nulls_last=True), "id"), room)


def _fitting(rows: QuerySet[Message], room: int) -> tuple[list[Place], bool]:
    found = [Place(*row) for row in rows.values_list("id", "position", "turn_id")[: room + 1]]
    fitting: list[Place] = []
    for each in found:
        room -= each.size
        if room < 0:
            break
        fitting.append(each)
    return fitting, len(fitting) < len(found)


def _upwards(rows: QuerySet[Message]) -> LogPage:
    places, is_more = _last(rows, MESSAGES_A_PAGE)
    return LogPage(_shown(places), places[0].id if is_more else None)


def _shown(places: Iterable[Place]) -> list[Shown]:
    """Places with what they show. As many queries however many there are."""
    ids = [each.id for each in places]
    turns = (
        Turn.objects.filter(message_id__in=ids, is_abandoned=False).select_related("message").order_by("id")
    )
    shown: dict[uuid.UUID, Shown] = {each.question.id: each for each in shown_turns(list(turns))}
    alone = Message.objects.filter(id__in=ids, turn_id=None)
    shown |= {each.message.id: each for each in shown_imported(list(alone))}
    return [shown[each] for each in ids]
