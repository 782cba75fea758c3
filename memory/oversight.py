"""Owners and admins reading members' chats, where the organisation allows it.

The database decides, and writes each reading to the audit log in the same breath; the member sees who read
what and when. Chats of a team are read by who is in the team, and these verbs do not show them.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory.models import Conversation
from tenants.audit import origin
from tenants.ids import uuid7
from tenants.models import Membership, Tenant
from tenants.permissions import NotAllowed, my_role
from tenants.scope import current_scope

CHATS, MESSAGES = 50, 100
LAST = 2**63 - 1
ACTIONS = ("chats.listed", "chat.read")


class ReadingIsOff(NotAllowed):
    """This organisation does not let owners and admins read members' chats."""

    def __init__(self) -> None:
        super().__init__("owner", "organisation")
        self.args = (ReadingIsOff.__doc__,)


@dataclass(frozen=True)
class MemberChat:
    """A chat in a list."""

    conversation_id: uuid.UUID
    title: str
    created_at: datetime
    last_message_at: datetime


@dataclass(frozen=True)
class Said:
    """One message of a chat that is read."""

    id: uuid.UUID
    position: int
    role: str
    content: str
    created_at: datetime


@dataclass(frozen=True)
class ChatRead:
    """A part of a member's chat, oldest first; `earlier` is where the part before it ends, None at the
    beginning."""

    title: str
    messages: list[Said]
    earlier: int | None


def require_reading() -> None:
    """Raises NotAllowed unless the present person is owner or admin, ReadingIsOff where it is not allowed."""
    if my_role() not in {Membership.Role.OWNER, Membership.Role.ADMIN}:
        raise NotAllowed(Membership.Role.ADMIN, "organisation")
    if not Tenant.objects.get().admins_read_chats:
        raise ReadingIsOff


def chats_of_member(*, user_id: uuid.UUID, skipped: int = 0) -> list[MemberChat]:
    """The chats in a member's own workspace, at most 50, the last one first. It is an event that they see.

    Raises NotAllowed, ReadingIsOff; Membership.DoesNotExist where nobody of that id sits here.
    """
    require_reading()
    Membership.objects.get(user_id=user_id, is_active=True)
    return [MemberChat(*row) for row in _call("chats_of_member", user_id, CHATS, skipped)]


def read_member_chat(
    *, user_id: uuid.UUID, conversation_id: uuid.UUID, before: int | None = None
) -> ChatRead:
    """The last 100 messages of a member's chat, or those before a position. It is an event that they see.

    Raises NotAllowed, ReadingIsOff, Conversation.DoesNotExist.
    """
    require_reading()
    rows = _call("read_member_chat", user_id, conversation_id, LAST if before is None else before, MESSAGES)
    if not rows:
        raise Conversation.DoesNotExist
    found = [Said(*row[1:]) for row in reversed(rows) if row[1] is not None]
    return ChatRead(rows[0][0], found, found[0].position if len(found) == MESSAGES else None)


def _call(function: str, *values: Any) -> list[tuple[Any, ...]]:
    told = [uuid7(), current_scope().identity.key_id, origin.get().address, origin.get().request_id]
    places = ", ".join(["%s"] * (len(values) + len(told)))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {function}({places})", [*values, *told])
        return list(cursor.fetchall())
