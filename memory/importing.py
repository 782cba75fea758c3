"""Conversations that were had elsewhere, taken into recall storage: many messages in few statements."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db.models import Max
from django.db.models.functions import MD5
from django.utils import timezone

from memory import audited, index, recall
from memory.actors import SYSTEM, Actor
from memory.models import Conversation, Message, Trust
from memory.texts import UNSTORABLE
from tenants.ids import uuid7
from tenants.moments import is_tellable
from tenants.permissions import require_role

MESSAGES_MAX = 10_000
CONTENT_MAX = 1_000_000
NAME_MAX, EXTERNAL_ID_MAX = 120, 200
CHAT_ID_MAX = EXTERNAL_ID_MAX - 10
BATCH = 2_000
FIRST = datetime.min.replace(tzinfo=UTC)
# What a person said is trusted as what a person says here; nobody vouches for the rest.
_TRUST: dict[str, int] = {
    Message.Role.USER: Trust.TRUSTED,
    Message.Role.ASSISTANT: Trust.DERIVED,
    Message.Role.SYSTEM: Trust.DERIVED,
    Message.Role.TOOL: Trust.UNTRUSTED,
}
# A name stands in brackets before what was said: it does not end them.
_MARKS = re.compile(r"[\[\]<>]")


class BadImport(Exception):
    """These messages cannot be imported."""


@dataclass(frozen=True)
class ImportedMessage:
    """One message as it was said elsewhere. `name` is who spoke, `external_id` what it is called there.

    `created_at` has a time zone; where it is left out the message was said right after the one before it.
    """

    role: str
    content: str
    name: str = ""
    created_at: datetime | None = None
    external_id: str = ""


@dataclass(frozen=True)
class Imported:
    """How many messages are new, and how many were there already."""

    count: int
    skipped: int


def import_messages(
    conversation: Conversation,
    messages: Sequence[ImportedMessage],
    *,
    actor: Actor,
    assistant: Actor = SYSTEM,
) -> Imported:
    """Add messages at the end of a conversation, ordered by their times, findable at once.

    Those whose `external_id` is there already are left out, and those without one whose words are. `actor` is
    who imports, `assistant` whose the assistant's messages are. Raises BadImport with the number of the
    message that is wrong, NotAllowed; nothing is stored then.
    """
    require_role(conversation.workspace_id, "member")
    check(messages)
    recall.hold(conversation.id)
    known = _Known(conversation, messages)
    new = [each for each in in_order(messages) if not known.has(each)]
    if new:
        _add(conversation, new, {Message.Role.USER: actor, Message.Role.ASSISTANT: assistant})
        audited.record("conversation.imported", conversation, actor, count=len(new))
    return Imported(len(new), len(messages) - len(new))


def check(messages: Sequence[ImportedMessage]) -> None:
    """Raises BadImport with the number of the first message that is wrong, and how."""
    if not 1 <= len(messages) <= MESSAGES_MAX:
        raise BadImport(f"An import has 1 to {MESSAGES_MAX:,} messages; this one has {len(messages):,}.")
    for number, each in enumerate(messages, start=1):
        if fault := _fault(each):
            raise BadImport(f"Message {number} of {len(messages)}: {fault}")
    ids = Counter(each.external_id for each in messages if each.external_id)
    if ids and ids.most_common(1)[0][1] > 1:
        twice = ids.most_common(1)[0][0]
        numbers = [number for number, each in enumerate(messages, start=1) if each.external_id == twice]
        raise BadImport(f"Messages {numbers[0]} and {numbers[1]} have the same external_id.")


def in_order(messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
    """By their times; what was said at the same time, or has no time, stays in the order given."""
    last, timed = FIRST, []
    for place, each in enumerate(messages):
        last = each.created_at or last
        timed.append((last, place, each))
    return [each for _, _, each in sorted(timed, key=lambda row: row[:2])]


def numbered(messages: Sequence[ImportedMessage], external_id: str) -> list[ImportedMessage]:
    """Messages of a chat that is called `external_id` where it was had: those without an id of their own get
    one from that and their number, so that each is known again."""
    return [
        each if each.external_id else replace(each, external_id=f"{external_id}#{number}")
        for number, each in enumerate(messages, start=1)
    ]


def is_named_in(messages: Sequence[ImportedMessage], among: Collection[uuid.UUID]) -> bool:
    """Whether one of these conversations has a message with one of their external ids."""
    given = [each.external_id for each in messages if each.external_id]
    return Message.objects.filter(conversation_id__in=among, external_id__in=given).exists()


def conversation_with(messages: Sequence[ImportedMessage], among: Collection[uuid.UUID]) -> uuid.UUID | None:
    """Which of these conversations the messages were imported to before: the one that has most of their
    external ids, each with the same words. None where there is none, or the messages have no ids."""
    given = {each.external_id: _digest(each.content) for each in messages if each.external_id}
    if not given or not among:
        return None
    rows = Message.objects.filter(conversation_id__in=among, external_id__in=list(given))
    shared: Counter[uuid.UUID] = Counter()
    others: set[uuid.UUID] = set()
    for key, name, digest in rows.values_list("conversation_id", "external_id", MD5("content")):
        shared[key] += 1
        if given[name] != digest:
            others.add(key)
    return next((key for key, _ in shared.most_common() if key not in others), None)


class _Known:
    """What of an import a conversation has already."""

    def __init__(self, conversation: Conversation, messages: Sequence[ImportedMessage]) -> None:
        rows = Message.objects.filter(conversation=conversation)
        ids = [each.external_id for each in messages if each.external_id]
        self.ids = set(rows.filter(external_id__in=ids).values_list("external_id", flat=True))
        unnamed = [_digest(each.content) for each in messages if not each.external_id]
        said = rows.filter(external_id="") if unnamed else rows.none()
        self.said = set(said.values_list("role", MD5("content")))

    def has(self, message: ImportedMessage) -> bool:
        """By its id, or by its words where it has none."""
        if message.external_id:
            return message.external_id in self.ids
        return (message.role, _digest(message.content)) in self.said


def _digest(content: str) -> str:
    """As PostgreSQL's `md5`."""
    return hashlib.md5(content.encode(), usedforsecurity=False).hexdigest()


def _fault(message: ImportedMessage) -> str:
    """What is wrong with a message; empty where nothing is."""
    texts = message.content + message.name + message.external_id
    faults = (
        (message.role not in Message.Role.values, f"the role is one of {', '.join(Message.Role.values)}."),
        (not message.content.strip(), "the content is empty."),
        (len(message.content) > CONTENT_MAX, f"the content has more than {CONTENT_MAX:,} characters."),
        (len(message.name) > NAME_MAX, f"the name has more than {NAME_MAX} characters."),
        (len(message.name.splitlines()) > 1, "the name has more than one line."),
        (
            len(message.external_id) > EXTERNAL_ID_MAX,
            f"the external_id has more than {EXTERNAL_ID_MAX} characters.",
        ),
        (UNSTORABLE.search(texts) is not None, "NUL and halves of surrogate pairs cannot be stored."),
        (_is_naive(message.created_at), "created_at needs a time zone, as in 2024-05-01T12:00:00Z."),
    )
    fault = next((words for is_wrong, words in faults if is_wrong), "")
    is_far = not fault and not is_tellable(message.created_at)
    return "created_at lies in the years 1000 to 8999." if is_far else fault


def _is_naive(moment: datetime | None) -> bool:
    return moment is not None and moment.tzinfo is None


def _add(conversation: Conversation, new: list[ImportedMessage], hands: dict[str, Actor]) -> None:
    placed = Message.objects.filter(conversation=conversation, position__isnull=False)
    end = index.last_said(conversation.id)
    before = placed.aggregate(last=Max("created_at"))["last"]
    rows: list[Message] = []
    position, parent_id = end.last, end.said[0].id if end.said else None
    moment = next((each.created_at for each in new if each.created_at), None) or timezone.now()
    for each in new:
        moment = each.created_at or moment
        position += 1
        row = _row(conversation, each, hands.get(each.role, SYSTEM), moment)
        row.position, row.parent_id = position, parent_id
        parent_id = row.id
        rows.append(row)
    Message.objects.bulk_create(rows, batch_size=BATCH)
    index.index_messages(rows, before=end.said)
    times = [row.created_at for row in rows] + ([before] if before else [])
    conversation.last_message_at = max(times)
    if before is None:
        conversation.created_at = min(times)
    conversation.save(update_fields=["created_at", "last_message_at"])


def _row(conversation: Conversation, said: ImportedMessage, hand: Actor, moment: datetime) -> Message:
    return Message(
        id=uuid7(),
        workspace_id=conversation.workspace_id,
        conversation=conversation,
        role=said.role,
        content=said.content,
        name=" ".join(_MARKS.sub(" ", said.name).split()),
        external_id=said.external_id,
        actor_kind=hand.kind,
        actor_id=hand.id,
        trust=_TRUST[said.role],
        created_at=moment,
    )
