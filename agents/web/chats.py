"""Lists of chats, and what is done to a chat as a whole."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents import chats, services
from agents.models import Agent, MainContext
from agents.web.forms import TitleForm
from agents.web.navigation import CHATS_SHOWN, grouped
from memory import recall
from memory.models import Conversation
from tenants.models import Workspace
from tenants.permissions import NotAllowed, has_role
from tenants.web.doors import PageRequest, asked, is_fragment, is_uuid, show, workspace_page
from tenants.web.notes import note, way_back


@require_GET
@workspace_page
def workspace(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The chats of a workspace; `?q=` by title, `?agent=` by agent, `?pinned=1` the pinned ones."""
    chats = list(_filtered(request, workspace)[:200])
    if not chats and not request.GET and can_chat(workspace):
        return redirect("chat-new", workspace)
    context = {
        "workspace": workspace,
        "chats": chats,
        "groups": grouped(chats, timezone.now()),
        "agents": agents_in_sight(workspace),
        "filters": {name: asked(request, name) for name in ("q", "agent", "pinned")},
        "is_filtered": any(asked(request, name) for name in ("q", "agent", "pinned")),
    }
    return show(request, "agents/home.html", context, fragment="agents/_chat_rows.html")


@require_GET
@workspace_page
def chat_list(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The list beside every page, filtered while one types."""
    chats = list(_filtered(request, workspace)[: CHATS_SHOWN + 1])
    context = {
        "workspace": workspace,
        "chats": chats[:CHATS_SHOWN],
        "groups": grouped(chats[:CHATS_SHOWN], timezone.now()),
        "has_more": len(chats) > CHATS_SHOWN,
        "query": asked(request, "q"),
        "filters": {"q": asked(request, "q")},
        "open_chat": _id(asked(request, "open")),
    }
    return show(request, "agents/home.html", context, fragment="agents/_chats.html")


def _filtered(request: PageRequest, workspace: Workspace) -> Any:
    found = services.with_waiting(services.chats(workspace_id=workspace.id))
    query, agent = asked(request, "q"), asked(request, "agent")
    if query:
        found = found.filter(conversation__title__icontains=query)
    if agent:
        found = found.filter(agent_id=agent) if is_uuid(agent) else found.none()
    return found.filter(conversation__pinned_at__isnull=False) if request.GET.get("pinned") else found


def _id(text: str) -> uuid.UUID | None:
    return uuid.UUID(text) if is_uuid(text) else None


def agents_in_sight(workspace: Workspace) -> list[Agent]:
    """The agents that one can talk to from a workspace: all mine from my own, else those that live there."""
    found = Agent.objects.filter(retired_at=None).select_related("model", "workspace").order_by("id")
    if workspace.kind != Workspace.Kind.PERSONAL:
        found = found.filter(workspace=workspace)
    return list(found)


def chat_in(workspace: Workspace, conversation: uuid.UUID) -> MainContext:
    """A chat of this workspace. Raises Conversation.DoesNotExist for any other."""
    context = services.open_chat(conversation)
    if context.workspace_id != workspace.id:
        raise Conversation.DoesNotExist
    return context


def chat_address(context: MainContext) -> str:
    """Where a chat is."""
    return reverse("chat", args=[context.conversation.workspace_id, context.conversation_id])


@require_http_methods(["GET", "POST"])
@workspace_page
def rename(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Give a chat a name of one's own."""
    context = chat_in(workspace, conversation)
    recall.own_conversation(conversation)
    form = TitleForm(request.POST or None, initial={"title": context.conversation.title})
    form.fields["title"].widget.attrs["autofocus"] = True
    if request.method == "POST" and form.is_valid():
        context.conversation = recall.rename(conversation, form.cleaned_data["title"])
        if is_fragment(request):
            return show(request, "agents/_title.html", {"chat": context, "is_renamed": True})
        return redirect(chat_address(context))
    status = 422 if form.errors else 200
    shown = {"chat": context, "form": form}
    return show(request, "agents/rename.html", shown, fragment="agents/_rename.html", status=status)


@require_POST
@workspace_page
def pin(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Keep a chat at the top, or let it go."""
    context = chat_in(workspace, conversation)
    recall.pin(conversation, pinned=context.conversation.pinned_at is None)
    return redirect(chat_address(context))


@require_POST
@workspace_page
def delete(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Take a chat away; the note at the bottom brings it back."""
    context = chat_in(workspace, conversation)
    chats.delete_chat(conversation)
    title = context.conversation.title or _("New chat")
    back = way_back("chat-restore", workspace.id, conversation)
    note(request, _("“%(title)s” was deleted.") % {"title": title}, undo=back)
    return redirect("workspace", workspace)


@require_POST
@workspace_page
def restore(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Bring a deleted chat back."""
    Conversation.objects.get(id=conversation, workspace=workspace)
    recall.delete(conversation, deleted=False)
    return redirect("chat", workspace, conversation)


def can_change(conversation: Conversation) -> bool:
    """Whether the present person may rename, pin and delete a chat."""
    try:
        recall.own_conversation(conversation.id)
    except NotAllowed:
        return False
    return True


def can_chat(workspace: Workspace) -> bool:
    """Whether the present person may write messages here."""
    return has_role(workspace.id, "member")
