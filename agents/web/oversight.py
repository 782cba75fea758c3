"""Members' chats, for owners and admins of an organisation that allows it. Each look is recorded and told."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from agents.web import markdown
from memory import oversight
from memory.models import Message
from memory.oversight import Said
from tenants.models import Membership, Workspace
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "settings", "tab": "people"}
# Tool calls, and what they answered, are the agent's work and were not said by anybody.
SPOKEN = {Message.Role.USER, Message.Role.ASSISTANT}
MOST = 10**9


@dataclass(frozen=True)
class ShownSaid:
    """A message of somebody else's chat as the page shows it."""

    said: Said
    html: SafeString
    is_theirs: bool


@require_GET
@workspace_page
def member_chats(request: PageRequest, workspace: Workspace, membership: uuid.UUID) -> HttpResponse:
    """The list of a member's own chats, `?skipped=` later in it. That it was read is an event."""
    person, skipped = _person(membership), _number(asked(request, "skipped")) or 0
    chats = oversight.chats_of_member(user_id=person.user_id, skipped=skipped)
    context = {
        "workspace": workspace,
        "person": person,
        "chats": chats,
        "is_later_page": skipped > 0,
        "next": skipped + len(chats) if len(chats) == oversight.CHATS else None,
    }
    return show(request, "agents/member_chats.html", SECTION | context)


@require_GET
@workspace_page
def member_chat(
    request: PageRequest, workspace: Workspace, membership: uuid.UUID, conversation: uuid.UUID
) -> HttpResponse:
    """What was said in one of them, `?before=` earlier in it. That it was read is an event."""
    person = _person(membership)
    before = _number(asked(request, "before"))
    chat = oversight.read_member_chat(user_id=person.user_id, conversation_id=conversation, before=before)
    context = {
        "workspace": workspace,
        "person": person,
        "conversation": conversation,
        "chat": chat,
        "shown": [_shown(said) for said in chat.messages if said.role in SPOKEN and said.content.strip()],
        "is_earlier_page": before is not None,
    }
    return show(request, "agents/member_chat.html", SECTION | context)


def _person(membership: uuid.UUID) -> Membership:
    return Membership.objects.get(id=membership, is_active=True)


def _number(text: str) -> int | None:
    """A number from an address, where it is one that a list can have."""
    return min(int(text), MOST) if text.isascii() and text.isdigit() and len(text) < 20 else None


def _shown(said: Said) -> ShownSaid:
    is_theirs = said.role == Message.Role.USER
    return ShownSaid(said, markdown.render(said.content, typed=is_theirs), is_theirs)
