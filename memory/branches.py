"""Branches of a chat. Messages form a tree by their parents, and one path through it is the chat.

What is not on the path `is_abandoned`: nothing is removed, and each branch can become the chat again.
Positions grow along every branch, so the path is read by them; a parent is followed only here.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from memory import index, recall
from memory.models import Message, Summary
from tenants.scope import current_scope

_HERE = "m.tenant_id = %(tenant)s AND m.workspace_id = ANY (%(mine)s)"
# A message and all that follows it on any branch, each with the message from which the way led to it.
BELOW = f"""
WITH RECURSIVE below AS (
  SELECT m.id AS head, m.id, m.position, m.turn_id FROM memory_message m
  WHERE {_HERE} AND m.id = ANY (%(ids)s)
  UNION ALL
  SELECT below.head, m.id, m.position, m.turn_id FROM below JOIN memory_message m ON m.parent_id = below.id
  WHERE {_HERE})
"""
NEWEST = f"{BELOW} SELECT id FROM below ORDER BY position DESC LIMIT 1"
TURNS = f"{BELOW} SELECT DISTINCT head, turn_id FROM below WHERE turn_id IS NOT NULL"
# From a message up to the first one that is on the path.
UPWARDS = f"""
WITH RECURSIVE way AS (
  SELECT m.id, m.parent_id, m.position, m.is_abandoned FROM memory_message m
  WHERE {_HERE} AND m.id = ANY (%(ids)s)
  UNION ALL
  SELECT m.id, m.parent_id, m.position, m.is_abandoned FROM way JOIN memory_message m ON m.id = way.parent_id
  WHERE {_HERE} AND way.is_abandoned)
SELECT id, position, is_abandoned FROM way ORDER BY position DESC
"""


class OnLeftBranch(Exception):
    """This message lies on a branch that was left. Switch to that branch first."""


@dataclass(frozen=True)
class Moved:
    """What left a chat and what came back to it: ids of messages. `common` is the position of the last
    message that both branches have, 0 where they have none."""

    left: list[uuid.UUID]
    taken: list[uuid.UUID]
    common: int


@dataclass(frozen=True)
class Child:
    """A message as one of those that follow the same one."""

    id: uuid.UUID
    is_abandoned: bool


def leave(message_id: uuid.UUID) -> Moved:
    """Leave a message of the chat and all that follows it: what comes next stands beside it.

    Whoever calls holds the conversation. Raises Message.DoesNotExist, OnLeftBranch.
    """
    message = Message.objects.get(id=message_id)
    if message.is_abandoned:
        raise OnLeftBranch(OnLeftBranch.__doc__)
    before = path(message.conversation_id).filter(position__lt=message.position).order_by("-position")
    common = before.values_list("position", flat=True).first() or 0
    return _moved(message.conversation_id, common, [])


def take(message_id: uuid.UUID) -> Moved:
    """Make the branch of a message the chat: the way to it, and what follows it up to the newest message.

    Nothing moves where it is on the path already. Whoever calls holds the conversation. Raises
    Message.DoesNotExist.
    """
    message = Message.objects.get(id=message_id)
    if not message.is_abandoned:
        last = path(message.conversation_id).order_by("-position").values_list("position", flat=True)[0]
        return Moved([], [], last or 0)
    ((newest,),) = _asked(NEWEST, [message_id])
    way = _asked(UPWARDS, [newest])
    common = next((position for _, position, is_left in way if not is_left), 0)
    return _moved(message.conversation_id, common, [key for key, _, is_left in way if is_left])


def path(conversation_id: uuid.UUID) -> QuerySet[Message]:
    """The messages that are the chat, those that have their place."""
    return Message.objects.filter(conversation_id=conversation_id, is_abandoned=False, position__isnull=False)


def siblings(message: Message) -> list[Message]:
    """The messages that follow the same one, this one among them, in the order in which they were said."""
    if message.position is None:
        return [message]
    rows = Message.objects.filter(conversation_id=message.conversation_id, parent_id=message.parent_id)
    return list(rows.filter(position__isnull=False).order_by("position"))


def children(
    conversation_id: uuid.UUID, parent_ids: Iterable[uuid.UUID | None]
) -> dict[uuid.UUID | None, list[Child]]:
    """What follows each of these messages, as it was said; None stands for the beginning."""
    wanted = set(parent_ids)
    which = Q(parent_id__in=wanted - {None})
    if None in wanted:
        which |= Q(parent_id=None)
    rows = Message.objects.filter(which, conversation_id=conversation_id, position__isnull=False)
    found: dict[uuid.UUID | None, list[Child]] = defaultdict(list)
    for parent_id, key, is_left in rows.order_by("position").values_list("parent_id", "id", "is_abandoned"):
        found[parent_id].append(Child(key, is_left))
    return found


def turns_below(heads: Collection[uuid.UUID]) -> dict[uuid.UUID, set[uuid.UUID]]:
    """For each of these messages the turns that it and all that follows it belong to, on any branch."""
    found: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    for head, turn_id in _asked(TURNS, heads) if heads else []:
        found[head].add(turn_id)
    return found


def fork_of(message: Message) -> Message | None:
    """The last message before this one that is on the path; None where there is none."""
    kept = [key for key, _, is_left in _asked(UPWARDS, [message.id]) if not is_left]
    return Message.objects.get(id=kept[0]) if kept else None


def summary_of(conversation_id: uuid.UUID) -> Summary | None:
    """The newest summary of what lies on the path: the message at its end does, and so all that it covers."""
    end = path(conversation_id).filter(position=OuterRef("to_position"))
    rows = Summary.objects.filter(Exists(end), conversation_id=conversation_id)
    return rows.order_by("-to_position", "-id").first()


def _moved(conversation_id: uuid.UUID, common: int, taken: list[uuid.UUID]) -> Moved:
    """The path is what it was up to a position, then what is taken."""
    after = path(conversation_id).filter(position__gt=common)
    left = list(after.values_list("id", flat=True))
    after.update(is_abandoned=True)
    Message.objects.filter(id__in=taken).update(is_abandoned=False)
    index.show_branch(conversation_id, around=common)
    return Moved(left, taken, common)


def _asked(statement: str, ids: Collection[uuid.UUID]) -> list[tuple[Any, ...]]:
    held = current_scope()
    asked: dict[str, Any] = {"tenant": held.tenant_id, "mine": list(held.workspaces), "ids": list(ids)}
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        return list(cursor.fetchall())


def settle(conversation_id: uuid.UUID) -> None:
    """Give a place to messages that were stopped while they waited: what comes next stands behind them."""
    waiting = Message.objects.filter(conversation_id=conversation_id, position=None)
    recall.place(conversation_id, list(waiting.values_list("id", flat=True)))
