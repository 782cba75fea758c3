"""What can be done about chats and turns. Doors call these; `agents.turns.loop` does the thinking."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from agents import blocks, events
from agents.context.speakers import speaker_in
from agents.events import EventLog
from agents.models import Agent, MainContext, Turn
from agents.turns import approvals, lease, line, results
from memory import recall
from memory.actors import person
from memory.models import Conversation, Message
from memory.texts import UNSTORABLE
from tenants.permissions import require_role
from tenants.scope import current_scope

MESSAGE_MAX = 1_000_000
CLIENT_ID_MAX = 120


class ClientIdReused(Exception):
    """This client_id was used for a different message of this conversation."""


class BadMessage(Exception):
    """A message cannot be sent like this."""


class NotRetryable(Exception):
    """Only the last turn of a chat can be queued again, and only where it failed or was stopped."""


def start_chat(*, agent_id: uuid.UUID, workspace_id: uuid.UUID | None = None, title: str = "") -> MainContext:
    """A new chat with an agent: in my personal workspace, unless it is opened as a team's.

    Raises Agent.DoesNotExist, NotAllowed.
    """
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    home = workspace_id or current_scope().home
    if workspace_id and workspace_id not in {agent.workspace_id, *current_scope().of_kind("personal")}:
        raise Agent.DoesNotExist
    conversation = recall.start_conversation(workspace_id=home, title=title)
    blocks.ensure_human(agent)
    return MainContext.objects.create(workspace_id=home, agent=agent, conversation=conversation)


def chats(**conditions: Any) -> QuerySet[MainContext]:
    """The chats in sight, pinned ones first, then the latest."""
    rows = MainContext.objects.filter(conversation__deleted_at=None, **conditions)
    return rows.select_related("conversation", "agent", "agent__model").order_by(
        F("conversation__pinned_at").desc(nulls_last=True), "-conversation__last_message_at"
    )


def with_waiting(rows: QuerySet[MainContext]) -> QuerySet[MainContext]:
    """Chats that know whether a call in them waits for a decision (`awaits`)."""
    waiting = Turn.objects.filter(conversation_id=OuterRef("conversation_id"), status=Turn.Status.AWAITING)
    return rows.annotate(awaits=Exists(waiting))


def receive_message(*, conversation_id: uuid.UUID, content: str, client_id: str) -> Turn:
    """Store a person's message and queue its turn; the same client_id again answers the same turn.

    Raises Conversation.DoesNotExist, NotAllowed, BadMessage, ClientIdReused.
    """
    digest = checked(content, client_id)
    context = MainContext.objects.select_related("conversation").get(
        conversation_id=conversation_id, conversation__deleted_at=None
    )
    require_role(context.workspace_id, "member")
    known = Turn.objects.filter(conversation_id=conversation_id, client_id=client_id).first()
    if known is None:
        try:
            with transaction.atomic():
                return queue_message(context, content, client_id, digest)
        except IntegrityError:  # the same message arrived twice at once
            known = Turn.objects.get(conversation_id=conversation_id, client_id=client_id)
    if known.body_digest != digest:
        raise ClientIdReused(ClientIdReused.__doc__)
    return known


def checked(content: str, client_id: str) -> str:
    """The SHA-256 of a message that can be sent like this, in hexadecimal. Raises BadMessage."""
    if not content.strip():
        raise BadMessage("The message is empty.")
    if len(content) > MESSAGE_MAX:
        raise BadMessage(f"A message has at most {MESSAGE_MAX:,} characters; this one has {len(content):,}.")
    if not 1 <= len(client_id) <= CLIENT_ID_MAX:
        raise BadMessage(f"A client_id has 1 to {CLIENT_ID_MAX} characters.")
    if UNSTORABLE.search(content + client_id):
        raise BadMessage("NUL and halves of surrogate pairs cannot be stored.")
    return hashlib.sha256(content.encode()).hexdigest()


def queue_message(context: MainContext, content: str, client_id: str, digest: str) -> Turn:
    """Store what the present person says at the end of a chat, with a turn that waits for a worker."""
    user_id = current_scope().person
    reach = current_scope().identity.reach
    turn = Turn(
        workspace_id=context.workspace_id,
        context=context,
        conversation_id=context.conversation_id,
        user_id=user_id,
        reach=None if reach is None else sorted(reach),
        client_id=client_id,
        body_digest=digest,
    )
    turn.message = recall.add_message(
        context.conversation,
        role=Message.Role.USER,
        content=content,
        actor=person(user_id),
        name=speaker_in(context.workspace_id),
        placed=False,
        turn_id=turn.id,
    )
    turn.save(force_insert=True)
    recall.note_activity(context.conversation, content)
    line.announce(turn)
    return turn


def stop_turn(turn_id: uuid.UUID) -> Turn:
    """Ask a turn to stop; what was said until then is kept. One that waits, in the line or for a decision,
    ends here and now.

    Raises Turn.DoesNotExist, NotAllowed.
    """
    turn = _held_turn(turn_id)
    if turn.has_ended or turn.stop_requested_at:
        return turn
    turn.stop_requested_at = timezone.now()
    if turn.status in {Turn.Status.QUEUED, Turn.Status.AWAITING}:
        _end_here(turn)
    turn.save(update_fields=["status", "stop_requested_at", "ended_at", "attempt"])
    if waiting := lease.next_in_line(turn.conversation_id):
        line.publish(waiting)
    return turn


def _end_here(turn: Turn) -> None:
    """Stop a turn that no worker has. What it had said and asked before it gave its worker up stays."""
    messages = list(Message.objects.filter(turn_id=turn.id).order_by("position"))
    messages += results.close(turn, messages)
    # A yes took its attempt off, so that whoever goes on has the same one; nobody does.
    turn.attempt += turn.status == Turn.Status.QUEUED and turn.started_at is not None
    turn.status, turn.ended_at = Turn.Status.STOPPED, turn.stop_requested_at
    EventLog(turn).write(*approvals.give_up(turn), events.done(turn.status, messages))


def retry_turn(turn_id: uuid.UUID) -> Turn:
    """Queue an ended turn again; its message is not sent a second time. Raises NotRetryable."""
    turn = _held_turn(turn_id)
    own = Turn.objects.filter(conversation_id=turn.conversation_id, is_abandoned=False)
    last = own.order_by("-id").first()
    if not turn.has_ended:
        return turn
    if turn.status == Turn.Status.DONE or last is None or last.id != turn.id:
        raise NotRetryable(NotRetryable.__doc__)
    turn.status = Turn.Status.QUEUED
    turn.stop_requested_at = turn.ended_at = turn.lease_until = None
    turn.error_kind = turn.error_text = ""
    turn.attempt_base, turn.reach = turn.attempt, reach_again(turn)
    turn.save()
    queued = line.announce(turn)
    events.forget(turn, before=queued.seq)
    return turn


def reach_again(turn: Turn) -> list[uuid.UUID] | None:
    """The reach of a turn that is worked on once more: no wider than that of the key which asks for it."""
    mine = current_scope().identity.reach
    if mine is None:
        return turn.reach
    return sorted(mine if turn.reach is None else mine & set(turn.reach))


def _held_turn(turn_id: uuid.UUID) -> Turn:
    """A turn that nobody else changes, in a chat to which nobody else adds; who imports to it comes before.

    Lock order: the conversation, then the turn. Raises Turn.DoesNotExist, NotAllowed.
    """
    found = Turn.objects.only("workspace_id", "conversation_id").get(id=turn_id)
    require_role(found.workspace_id, "member")
    recall.hold(found.conversation_id)
    return Turn.objects.select_for_update().get(id=turn_id)


def open_chat(conversation_id: uuid.UUID) -> MainContext:
    """A chat with its agent. Raises Conversation.DoesNotExist."""
    found = chats(conversation_id=conversation_id).first()
    if found is None:
        raise Conversation.DoesNotExist
    return found
