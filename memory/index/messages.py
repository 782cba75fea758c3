"""Messages in the index: each with the words of those said just before and after it.

That is what makes an answer findable by the words of its question. Its own words, the speaker's name and the
date have weight A, the message before it B, the one after it C, those two away D.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import Max, Subquery
from django.db.models.functions import Left
from django.utils import timezone

from memory import days, lexical
from memory.index.entries import Told, entry, tell, tsvector, write
from memory.models import IndexEntry, Message
from memory.telling import substance

KIND = IndexEntry.Kind.MESSAGE
INDEXED_ROLES = frozenset({Message.Role.USER, Message.Role.ASSISTANT})
BEFORE = ("B", "D")
"""The weight that words said before a message have in its row, the nearest first."""
AFTER = ("C", "D")
HEARD_MAX, HEARD_CHARACTERS = 60, 600
"""So many words a neighbour lends at most: a long answer must not drown what stands beside it."""
LOOKED_AT = 12
"""So many messages back there are two that were said, unless a turn called many tools."""


@dataclass(frozen=True)
class Said:
    """A placed message as those after it need it: the beginning of its text."""

    id: uuid.UUID
    position: int
    role: str
    content: str


@dataclass(frozen=True)
class End:
    """The end of a chat: what was said last on its live branch, the newest first, and the last position that
    was given out on any of its branches; 0 where none was."""

    said: list[Said]
    last: int


def is_findable(message: Message | Said) -> bool:
    """Whether search finds such a message. Not what tools said: recall would be fed back as memory."""
    return message.role in INDEXED_ROLES and bool(message.content.strip())


def last_said(conversation_id: uuid.UUID) -> End:
    """Where the next message of a conversation comes."""
    placed = Message.objects.filter(conversation_id=conversation_id, position__isnull=False)
    last = placed.order_by("-position").values("position")[:1]
    rows = placed.filter(is_abandoned=False).order_by("-position")
    rows = rows.annotate(heard=Left("content", HEARD_CHARACTERS), last=Subquery(last))
    found = list(rows.values_list("id", "position", "role", "heard", "last")[:LOOKED_AT])
    said = [Said(key, place or 0, role, heard) for key, place, role, heard, _ in found]
    # Nothing is live at the beginning, and where the first message of a chat is left.
    return End(said, found[0][-1] if found else placed.aggregate(last=Max("position"))["last"] or 0)


def index_message(message: Message, *, hidden: bool, before: Sequence[Said] = ()) -> None:
    """Make a message findable, or ready to be, where its chat is deleted at present."""
    index_messages([message], hidden=hidden, before=before)


def index_messages(messages: Sequence[Message], *, hidden: bool = False, before: Sequence[Said] = ()) -> None:
    """Make messages findable that follow one another, in one statement. They stand behind what `last_said`
    answers: these and those get each other's words."""
    near = [each for each, _ in reversed(_near(before))]
    rows = windows(messages, hidden=hidden, before=near)
    write(rows, told=[Told(each.id, tsvector(words)) for each, words in _told(near, messages)])


def place_message(message: Message, before: Sequence[Said]) -> None:
    """An indexed message has got its place after those `before`, as `last_said` answers them."""
    near = _near(before)
    own = Told(message.id, tsvector((weight, _heard(each)) for each, weight in near), message.position)
    told = _told([each for each, _ in reversed(near)], [message])
    others = [Told(each.id, tsvector(words)) for each, words in told]
    tell(KIND, [own, *others], (message.tenant_id, message.workspace_id))


def windows(
    messages: Sequence[Message], *, hidden: bool = False, before: Sequence[Said] = ()
) -> list[IndexEntry]:
    """Rows of messages that follow one another, each with its neighbours' words; `before` stand right before
    them, the oldest first."""
    said = [each for each in messages if is_findable(each)]
    heard = [_heard(each) for each in before] + [_heard(each) for each in said]
    places = enumerate(said, len(before))
    return [_entry(each, hidden, _around(place, heard)) for place, each in places]


def _around(place: int, heard: Sequence[list[str]]) -> list[tuple[str, list[str]]]:
    """The words around a place by their weight: the message before, the one after, those two away."""
    steps = [(-1, BEFORE[0]), (1, AFTER[0]), (-2, BEFORE[1]), (2, AFTER[1])]
    return [(weight, heard[place + step]) for step, weight in steps if 0 <= place + step < len(heard)]


def _told(
    before: Sequence[Said], messages: Sequence[Message]
) -> Iterator[tuple[Said, list[tuple[str, list[str]]]]]:
    """Each of the messages before, with the words of those that follow it now by their weight."""
    heard = [_heard(each) for each in list(filter(is_findable, messages))[: len(AFTER)]]
    for steps, each in enumerate(reversed(before)):
        yield each, [(weight, words) for words, weight in zip(heard, AFTER[steps:], strict=False)]


def _near(before: Sequence[Said]) -> list[tuple[Said, str]]:
    """The nearest messages before one, with the weight that their words have in its row."""
    return list(zip((each for each in before if is_findable(each)), BEFORE, strict=False))


def _heard(message: Message | Said) -> list[str]:
    """The words that a message lends to its neighbours."""
    said = lexical.words(message.content[:HEARD_CHARACTERS])
    return list(islice((word for word in said if not lexical.is_stop(word)), HEARD_MAX))


def _entry(message: Message, hidden: bool, around: Iterable[tuple[str, Iterable[str]]]) -> IndexEntry:
    return entry(
        KIND,
        message,
        message.conversation_id,
        message.content,
        [("A", _named(message)), *around],
        place=message.position,
        role=message.role,
        speaker=message.name,
        occurred_at=message.created_at,
        trust=message.trust,
        importance=substance(message.content),
        state=IndexEntry.State.HIDDEN if hidden else IndexEntry.State.CURRENT,
    )


def _named(message: Message) -> Iterator[str]:
    """The words of who said it, and of the day on which it was said where that was."""
    day = timezone.localtime(message.created_at).date()
    return lexical.words(f"{message.name} {days.day_words(day)}")
