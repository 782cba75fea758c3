"""Recall storage: conversations and their messages, complete, readable by id, searchable."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from memory import index
from memory.actors import Actor
from memory.models import Conversation, IndexEntry, Message
from tenants.permissions import require_role
from tenants.scope import current_scope

PIECE = 4000
TITLE_MAX = 60


def start_conversation(*, workspace_id: uuid.UUID, title: str = "") -> Conversation:
    """A new chat of the present person in a workspace. Raises NotAllowed for viewers."""
    require_role(workspace_id, "member")
    return Conversation.objects.create(
        workspace_id=workspace_id, owner_id=current_scope().person, title=title, is_title_made=not title
    )


def add_message(
    conversation: Conversation, *, role: str, content: str, actor: Actor, placed: bool = True, **fields: Any
) -> Message:
    """Store a message and make it findable. `placed` False leaves it waiting, without a position.

    The conversation is locked first: whoever adds to it waits here, before anything is read or written.
    """
    hidden = is_deleted(conversation.id)
    message = Message(
        workspace_id=conversation.workspace_id,
        conversation=conversation,
        role=role,
        content=content,
        actor_kind=actor.kind,
        actor_id=actor.id,
        **fields,
    )
    before: list[index.Said] = []
    if placed:
        before = _put(message, index.last_said(conversation.id))
    message.save(force_insert=True)
    if index.is_findable(message):
        index.index_message(message, hidden=hidden, before=before)
    return message


def place(conversation_id: uuid.UUID, waiting: Iterable[uuid.UUID]) -> None:
    """Give waiting messages the next positions of their conversation, in the order in which they came."""
    rows = Message.objects.filter(id__in=waiting).select_related("conversation").order_by("id")
    # What is last is read after the lock is held: somebody else may add to the conversation.
    for message in rows.select_for_update(of=("conversation",), no_key=True):
        before = _put(message, index.last_said(conversation_id))
        message.save(update_fields=["position", "parent"])
        if index.is_findable(message):
            index.place_message(message, before)


def _put(message: Message, end: index.End) -> list[index.Said]:
    """Put a message at the end of a chat's live branch, and answer what was said before it, the newest first.

    Positions grow along every branch, and are given out once. Whoever gives them out holds the conversation.
    """
    message.position = end.last + 1
    message.parent_id = end.said[0].id if end.said else None
    return end.said


def is_deleted(conversation_id: uuid.UUID) -> bool:
    """Whether a chat was deleted; it cannot be while the present transaction adds a message to it."""
    return hold(conversation_id).deleted_at is not None


def hold(conversation_id: uuid.UUID) -> Conversation:
    """A chat to which nobody else adds, and which nobody deletes, until the present transaction ends.

    Raises Conversation.DoesNotExist.
    """
    return Conversation.objects.select_for_update(no_key=True).get(id=conversation_id)


def note_activity(conversation: Conversation, first_words: str) -> None:
    """The chat moves to the top of its list; without a title, it gets one from the first words."""
    rows = Conversation.objects.filter(id=conversation.id)
    rows.update(last_message_at=timezone.now())
    if conversation.is_title_made and not conversation.title:
        # Somebody may be renaming it at this moment.
        rows.filter(is_title_made=True, title="").update(title=title_from(first_words))


def retitle(conversation_id: uuid.UUID, first_words: str) -> None:
    """A chat whose title nobody has chosen is called by other first words from now on."""
    rows = Conversation.objects.filter(id=conversation_id, is_title_made=True)
    rows.update(title=title_from(first_words))


def title_from(words: str) -> str:
    """A title of at most 60 characters from the first line of a text, cut at a word where one ends."""
    line = next((line.strip() for line in words.splitlines() if line.strip()), "")
    if len(line) <= TITLE_MAX:
        return line
    cut = line[:TITLE_MAX]
    return (cut.rsplit(" ", 1)[0] if " " in cut[TITLE_MAX // 2 :] else cut) + "…"


@dataclass(frozen=True)
class Piece:
    """A part of a message: `text` from `offset`, of `length` characters in all."""

    message: Message
    text: str
    offset: int
    length: int

    @property
    def next_offset(self) -> int | None:
        """Where to read on; None at the end."""
        end = self.offset + len(self.text)
        return end if end < self.length else None


def read_message(message_id: uuid.UUID, offset: int = 0, size: int = PIECE) -> Piece:
    """A piece of any message that the scope sees. Raises Message.DoesNotExist."""
    message = Message.objects.get(id=message_id, conversation__deleted_at=None)
    start = min(max(offset, 0), len(message.content))
    return Piece(message, message.content[start : start + size], start, len(message.content))


def rename(conversation_id: uuid.UUID, title: str) -> Conversation:
    """Give a chat a title of the person's own."""
    conversation = own_conversation(conversation_id)
    conversation.title, conversation.is_title_made = title.strip()[:200], False
    conversation.save(update_fields=["title", "is_title_made"])
    return conversation


def pin(conversation_id: uuid.UUID, *, pinned: bool) -> Conversation:
    """Keep a chat at the top of the list, or let it go."""
    conversation = own_conversation(conversation_id)
    conversation.pinned_at = timezone.now() if pinned else None
    conversation.save(update_fields=["pinned_at"])
    return conversation


def delete(conversation_id: uuid.UUID, *, deleted: bool = True) -> Conversation:
    """Take a chat out of lists, search and recall; `deleted` False brings it back.

    This is the undoable delete of the chat list. Erasing content is another operation.
    """
    conversation = own_conversation(conversation_id, deleted=not deleted)
    conversation.deleted_at = timezone.now() if deleted else None
    conversation.save(update_fields=["deleted_at"])
    for kind in (IndexEntry.Kind.MESSAGE, IndexEntry.Kind.SUMMARY):
        index.hide(kind, conversation.id, hidden=deleted)
    if not deleted:
        index.show_branch(conversation.id)
    return conversation


def own_conversation(conversation_id: uuid.UUID, *, deleted: bool = False) -> Conversation:
    """A chat that the present person may change. Raises Conversation.DoesNotExist, NotAllowed."""
    conversation = Conversation.objects.get(id=conversation_id, deleted_at__isnull=not deleted)
    needed = "member" if conversation.owner_id == current_scope().user_id else "admin"
    require_role(conversation.workspace_id, needed)
    return conversation
