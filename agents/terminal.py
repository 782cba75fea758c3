"""Talking with an agent from the terminal: the same services and events as every other door."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator

from django.db import connection

from agents import services
from agents.events import Event
from agents.following import END, LOOK_SECONDS, read_now
from agents.models import Agent, MainContext, Turn
from memory.models import Conversation
from tenants.models import User
from tenants.scope import Identity, scope
from tenants.services import seats_of

PAUSE_SECONDS = 0.15


class Unanswered(Exception):
    """There is no answer, and this is why."""


def say(
    message: str,
    *,
    agent_id: uuid.UUID,
    conversation_id: uuid.UUID | None,
    email: str,
    heading: Callable[[str], object],
) -> Iterator[str]:
    """Send a message, yield the agent's words as they come. Raises Unanswered with a sentence."""
    identity = _identity(agent_id, email)
    turn = _send(identity, message, agent_id, conversation_id)
    heading(f"conversation {turn.conversation_id}")
    yield from _words(identity, turn)


def _identity(agent_id: uuid.UUID, email: str) -> Identity:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant, person FROM person_of_agent(%s)", [agent_id])
        row = cursor.fetchone()
    if row is None:
        raise Unanswered(f"There is no agent {agent_id}.")
    tenant_id, user_id = row
    if email:
        user = User.objects.filter(email__iexact=email).first()
        if user is None or tenant_id not in {seat.tenant_id for seat in seats_of(user.id)}:
            raise Unanswered(f"{email} does not know this agent.")
        user_id = user.id
    return Identity(tenant_id, user_id)


def _send(identity: Identity, message: str, agent_id: uuid.UUID, conversation_id: uuid.UUID | None) -> Turn:
    try:
        with scope(identity):
            if conversation_id is None:
                conversation_id = services.start_chat(agent_id=agent_id).conversation_id
            return services.receive_message(
                conversation_id=conversation_id, content=message, client_id=uuid.uuid4().hex
            )
    except Agent.DoesNotExist:
        raise Unanswered(f"There is no agent {agent_id}.") from None
    except (Conversation.DoesNotExist, MainContext.DoesNotExist):
        raise Unanswered(f"There is no conversation {conversation_id}.") from None
    except services.BadMessage as error:
        raise Unanswered(str(error)) from None


def _words(identity: Identity, turn: Turn) -> Iterator[str]:
    """Read the written events until the end; a silent worker is said to be silent."""
    after, heard_at = 0, time.monotonic()
    while True:
        for event in read_now(identity, turn.id, after):
            after, heard_at = event.seq, time.monotonic()
            yield from _word(event)
            if event.kind == END:
                return
        if after <= 1 and time.monotonic() - heard_at > LOOK_SECONDS * 4:
            raise Unanswered("No worker has taken the message. It is kept; start memsite with `make run`.")
        time.sleep(PAUSE_SECONDS)


def _word(event: Event) -> Iterator[str]:
    if event.kind == "text":
        yield event.data["text"]
    elif event.kind == "restart":
        yield "\n"
    elif event.kind == "approval" and event.data["status"] == "open":
        raise Unanswered(f"It asks before it runs {event.data['name']}. Say yes or no in the chat.")
    elif event.kind == "error":
        raise Unanswered(f"The turn failed ({event.data['kind']}): {event.data['text']}")
