"""What can be done about chats and turns. Doors call these; `agents.turn` does the thinking."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from agents import blocks, events, lease
from agents.context.speakers import speaker_in
from agents.events import Event, EventLog
from agents.models import Agent, MainContext, Turn
from memory import recall
from memory.actors import person
from memory.models import Conversation, Message
from memory.texts import UNSTORABLE
from tenants.permissions import require_role
from tenants.scope import current_scope

MESSAGE_MAX = 1_000_000
CLIENT_ID_MAX = 120

# Sent after commit with tenant_id, workspace_id and turn_id of a turn that waits for a worker.
turn_queued = Signal()


class ClientIdReused(Exception):
    """This client_id was used for a different message of this conversation."""


class BadMessage(Exception):
    """A message cannot be sent like this."""


class NotRetryable(Exception):
    """Only the last turn of a chat can be tried again, and only where it failed or was stopped."""


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


def receive_message(*, conversation_id: uuid.UUID, content: str, client_id: str) -> Turn:
    """Store a person's message and queue its turn; the same client_id again answers the same turn.

    Raises Conversation.DoesNotExist, NotAllowed, BadMessage, ClientIdReused.
    """
    _check_message(content, client_id)
    context = MainContext.objects.select_related("conversation").get(
        conversation_id=conversation_id, conversation__deleted_at=None
    )
    require_role(context.workspace_id, "member")
    digest = hashlib.sha256(content.encode()).hexdigest()
    known = Turn.objects.filter(conversation_id=conversation_id, client_id=client_id).first()
    if known is None:
        try:
            with transaction.atomic():
                return _queue(context, content, client_id, digest)
        except IntegrityError:  # the same message arrived twice at once
            known = Turn.objects.get(conversation_id=conversation_id, client_id=client_id)
    if known.body_digest != digest:
        raise ClientIdReused(ClientIdReused.__doc__)
    return known


def _check_message(content: str, client_id: str) -> None:
    if not content.strip():
        raise BadMessage("The message is empty.")
    if len(content) > MESSAGE_MAX:
        raise BadMessage(f"A message has at most {MESSAGE_MAX:,} characters; this one has {len(content):,}.")
    if not 1 <= len(client_id) <= CLIENT_ID_MAX:
        raise BadMessage(f"A client_id has 1 to {CLIENT_ID_MAX} characters.")
    if UNSTORABLE.search(content + client_id):
        raise BadMessage("NUL and halves of surrogate pairs cannot be stored.")


def _queue(context: MainContext, content: str, client_id: str, digest: str) -> Turn:
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
    _announce_queued(turn)
    return turn


def _announce_queued(turn: Turn) -> Event:
    (queued,) = EventLog(turn).write(events.state(Turn.Status.QUEUED))
    publish(turn)
    return queued


def publish(turn: Turn) -> None:
    """Tell a worker about a queued turn, once this transaction is committed."""
    ids = {"tenant_id": turn.tenant_id, "workspace_id": turn.workspace_id, "turn_id": turn.id}
    transaction.on_commit(lambda: turn_queued.send_robust(sender=Turn, **ids))


def stop_turn(turn_id: uuid.UUID) -> Turn:
    """Ask a turn to stop; what was said until then is kept. One that waits ends here and now.

    Raises Turn.DoesNotExist, NotAllowed.
    """
    turn = _locked_turn(turn_id)
    if turn.has_ended or turn.stop_requested_at:
        return turn
    turn.stop_requested_at = timezone.now()
    if turn.status == Turn.Status.QUEUED:
        turn.status, turn.ended_at = Turn.Status.STOPPED, turn.stop_requested_at
        EventLog(turn).write(events.done(turn.status, [turn.message]))
    turn.save(update_fields=["status", "stop_requested_at", "ended_at"])
    if waiting := lease.next_in_line(turn.conversation_id):
        publish(waiting)
    return turn


def retry_turn(turn_id: uuid.UUID) -> Turn:
    """Queue an ended turn again; its message is not sent a second time. Raises NotRetryable."""
    turn = _locked_turn(turn_id)
    recall.hold(turn.conversation_id)  # an import that is under way comes before the answer
    last = Turn.objects.filter(conversation_id=turn.conversation_id).order_by("-id").first()
    if turn.status in {Turn.Status.QUEUED, Turn.Status.RUNNING}:
        return turn
    if turn.status == Turn.Status.DONE or last is None or last.id != turn.id:
        raise NotRetryable(NotRetryable.__doc__)
    turn.status = Turn.Status.QUEUED
    turn.stop_requested_at = turn.ended_at = turn.lease_until = None
    turn.error_kind = turn.error_text = ""
    turn.attempt_base = turn.attempt
    turn.save()
    queued = _announce_queued(turn)
    events.forget(turn, before=queued.seq)
    return turn


def _locked_turn(turn_id: uuid.UUID) -> Turn:
    turn = Turn.objects.select_for_update().get(id=turn_id)
    require_role(turn.workspace_id, "member")
    return turn


def open_chat(conversation_id: uuid.UUID) -> MainContext:
    """A chat with its agent. Raises Conversation.DoesNotExist."""
    found = chats(conversation_id=conversation_id).first()
    if found is None:
        raise Conversation.DoesNotExist
    return found
