"""One chat: its page, its messages, sending, and what came meanwhile."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from agents import chat_files, chats, core_memory, services
from agents.models import Agent, MainContext, Turn
from agents.services import BadMessage, ClientIdReused
from agents.web import chat_log
from agents.web.branching import branch_mark, show_branch
from agents.web.cards import cards_in_chat
from agents.web.chat_files import ids_of, take_files
from agents.web.chat_log import LogPage
from agents.web.chats import agents_in_sight, can_change, can_chat, chat_address, chat_in
from agents.web.forms import MessageForm
from agents.web.labels import model_label
from agents.web.meter import meter
from agents.web.presentation import ShownTurn, shown_turns
from memory import branches
from memory.models import Message
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, go, is_fragment, is_uuid, show, workspace_page

NEWS_AT_MOST = 20


@require_GET
@workspace_page
def chat(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """A chat at its end, or with `?at=` at one of its messages, which may lie on a branch that was left."""
    context, at = chat_in(workspace, conversation), _key(request, "at")
    wanted = Message.objects.get(id=at, conversation_id=conversation) if at else None
    left = wanted if wanted and wanted.is_abandoned else None
    place = branches.fork_of(left) if left else wanted
    log = chat_log.around(conversation, place.id) if place else chat_log.newest(conversation)
    return show(request, "agents/chat.html", _chat_context(context, log) | {"left": left})


def _chat_context(context: MainContext, log: LogPage) -> dict[str, Any]:
    workspace = context.conversation.workspace
    return (
        {"chat": context, "agent": context.agent, "open_chat": context.conversation_id, "log": log}
        | {"can_chat": can_chat(workspace), "key": context.conversation_id}
        | {"can_change": can_change(context.conversation), "branch": branch_mark(context.conversation_id)}
        | {"post_to": reverse("chat-messages", args=[workspace.id, context.conversation_id])}
        | panel_context(context)
    )


def _part(request: PageRequest, context: MainContext) -> LogPage:
    """What stands before `?before=`, or between `?after=` and it. Raises Message.DoesNotExist."""
    begin, end = _key(request, "after"), _key(request, "before")
    if end is None:
        return chat_log.newest(context.conversation_id)
    if begin is None:
        return chat_log.before(context.conversation_id, end)
    return chat_log.between(context.conversation_id, begin, end)


def _key(request: PageRequest, name: str) -> uuid.UUID | None:
    """An id from the address; None where there is none."""
    text = asked(request, name)
    return uuid.UUID(text) if is_uuid(text) else None


def panel_context(context: MainContext) -> dict[str, Any]:
    """What the side panel shows: the window, and the blocks in view."""
    agent = context.agent
    blocks = core_memory.blocks_in_chat(context)
    return {
        "window": meter(context),
        "cards": cards_in_chat(context, blocks),
        "model": model_label(agent.model),
        "can_edit_agent": has_role(agent.workspace_id, "editor"),
    }


@require_GET
@workspace_page
def panel(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Memory and window of a chat: beside it, or as a page."""
    context = chat_in(workspace, conversation)
    shown = {"chat": context, "agent": context.agent, "open_chat": conversation} | panel_context(context)
    return show(request, "agents/panel.html", shown, fragment="agents/_panel.html")


@require_http_methods(["GET", "POST"])
@workspace_page
def new_chat(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A chat that begins with its first message; `?agent=` says with whom."""
    agents = agents_in_sight(workspace)
    if not agents:
        return redirect("agent-new", workspace)
    agent = _chosen(request.POST.get("agent") or asked(request, "agent"), workspace, agents)
    form = MessageForm(request.POST) if request.method == "POST" else MessageForm()
    if request.method == "POST" and form.is_valid():
        return _begin(request, workspace, agent, form)
    if request.method == "POST" and is_fragment(request):
        return _unsent(request, form, reverse("chat-new", args=[workspace.id]), agent=agent)
    context = {
        "workspace": workspace,
        "agent": agent,
        "agents": agents,
        "key": f"new.{agent.id}",
        "post_to": reverse("chat-new", args=[workspace.id]),
        "can_chat": can_chat(workspace),
        "can_share": workspace.kind != Workspace.Kind.PERSONAL,
        "is_shared": bool(request.GET.get("shared")),
        "form": form,
    }
    return show(request, "agents/new_chat.html", context, status=422 if form.errors else 200)


def _chosen(wanted: str, workspace: Workspace, agents: list[Agent]) -> Agent:
    """The agent that was asked for; the usual one where none was. Raises Agent.DoesNotExist."""
    if not wanted:
        return _usual(workspace, agents)
    found = next((each for each in agents if str(each.id) == wanted), None)
    if found is None:
        raise Agent.DoesNotExist
    return found


def _usual(workspace: Workspace, agents: list[Agent]) -> Agent:
    """The agent of the latest chat here, else the first."""
    latest = services.chats(workspace_id=workspace.id).order_by("-conversation__last_message_at").first()
    return next((agent for agent in agents if latest and agent.id == latest.agent_id), agents[0])


def _begin(request: PageRequest, workspace: Workspace, agent: Agent, form: MessageForm) -> HttpResponse:
    shared = workspace.id if request.POST.get("shared") and agent.workspace_id == workspace.id else None
    context = chats.begin_chat(agent_id=agent.id, workspace_id=shared, **form.cleaned_data)
    files = take_files(request, agent, context.workspace_id)
    first = Turn.objects.get(conversation=context.conversation, client_id=form.cleaned_data["client_id"])
    chat_files.give(first, [*form.documents, *ids_of(request, files)])
    return go(request, chat_address(context))


@require_http_methods(["GET", "POST"])
@workspace_page
def chat_messages(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """GET: messages before `?before=`, and after `?after=`, as a page or to put in. POST: send one."""
    context = chat_in(workspace, conversation)
    if request.method == "POST":
        return _send(request, context)
    shown = _chat_context(context, _part(request, context))
    return show(request, "agents/chat.html", shown, fragment="agents/_log.html")


def _send(request: PageRequest, context: MainContext) -> HttpResponse:
    form = MessageForm(request.POST)
    address = reverse("chat-messages", args=[context.workspace_id, context.conversation_id])
    if form.is_valid():
        try:
            turn = services.receive_message(conversation_id=context.conversation_id, **form.cleaned_data)
            files = take_files(request, context.agent, context.workspace_id)
            chat_files.give(turn, [*form.documents, *ids_of(request, files)])
        except ClientIdReused:
            form.add_error("content", _("This message was changed after it was sent. Send it again."))
            return _unsent(request, form, address, status=409)
        except BadMessage:
            form.add_error("content", _("The message cannot be sent like this."))
        else:
            return _shown(request, context, shown_turns([turn]))
    return _unsent(request, form, address)


def _shown(request: PageRequest, context: MainContext, turns: list[ShownTurn]) -> HttpResponse:
    if not is_fragment(request):
        return redirect(f"{chat_address(context)}#turn-{turns[-1].turn.id}")
    return show(request, "agents/_turns.html", {"shown": turns, "chat": context, "agent": context.agent})


def _unsent(
    request: PageRequest, form: MessageForm, address: str, *, agent: Agent | None = None, status: int = 422
) -> HttpResponse:
    """The message back, with what is wrong with it, to be changed and sent again."""
    context = {"form": form, "post_to": address, "agent": agent, "errors": form.errors.get("content", [])}
    return show(request, "agents/unsent.html", context, fragment="agents/_pending.html", status=status)


@require_GET
@workspace_page
def news(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """The turns after `?after=`, which another tab has sent meanwhile; 204 where there are none.

    Where the chat went another way since the page with the mark `?branch=`, all of it is shown anew.
    """
    context = chat_in(workspace, conversation)
    after, branch = asked(request, "after"), asked(request, "branch")
    if branch and branch != branch_mark(context.conversation_id):
        said = _("The chat went another way in another tab or by another person.")
        return show_branch(request, context, None, None, said=said)
    rows = Turn.objects.filter(conversation=context.conversation, is_abandoned=False)
    rows = rows.select_related("message").order_by("id")
    if is_uuid(after):
        rows = rows.filter(id__gt=after)
    turns = list(rows[:NEWS_AT_MOST])
    if not turns and is_fragment(request):
        return HttpResponse(status=204)
    return _shown(request, context, shown_turns(turns)) if turns else redirect(chat_address(context))


@require_GET
@workspace_page
def message(request: PageRequest, workspace: Workspace, message: uuid.UUID) -> HttpResponse:
    """A message by its id: leads to its place in its chat, which may lie in another workspace of mine."""
    found = Message.objects.get(id=message, conversation__deleted_at=None)
    address = reverse("chat", args=[found.workspace_id, found.conversation_id])
    is_answer = found.turn_id and found.role != Message.Role.USER
    place = f"turn-{found.turn_id}" if is_answer else f"m-{found.id}"
    return redirect(f"{address}?at={found.id}#{place}")
