"""One turn: as it stands, stopped, tried again."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from agents import branching, services
from agents.models import MainContext, Turn
from agents.web.branching import REFUSED, refused, show_branch
from agents.web.chats import chat_address, chat_in
from agents.web.presentation import shown_turns
from tenants.models import Workspace
from tenants.web.doors import PageRequest, is_fragment, show, workspace_page


@require_GET
@workspace_page
def turn(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, turn: uuid.UUID
) -> HttpResponse:
    """A turn as it stands now."""
    context = chat_in(workspace, conversation)
    return _shown(request, context, _turn(context, turn))


@require_POST
@workspace_page
def stop(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Stop the answer that is being written; what was said stays."""
    context = chat_in(workspace, conversation)
    unfinished = Turn.objects.filter(conversation=context.conversation).exclude(status__in=Turn.ENDED)
    first = unfinished.order_by("id").first()
    if first:
        services.stop_turn(first.id)
    return HttpResponse(status=204) if is_fragment(request) else redirect(chat_address(context))


@require_POST
@workspace_page
def withdraw(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, turn: uuid.UUID
) -> HttpResponse:
    """Stop one turn, also one that waits: it does not begin."""
    context = chat_in(workspace, conversation)
    return _shown(request, context, services.stop_turn(_turn(context, turn).id))


@require_POST
@workspace_page
def retry(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, turn: uuid.UUID
) -> HttpResponse:
    """Answer the same message again. An answer that is there stays, on a branch of its own."""
    context = chat_in(workspace, conversation)
    try:
        forked = branching.answer_again(_turn(context, turn).id)
    except REFUSED as error:
        return refused(request, context, error)
    return show_branch(request, context, None, forked.left)


def _turn(context: MainContext, turn: uuid.UUID) -> Turn:
    return Turn.objects.select_related("message").get(id=turn, conversation=context.conversation)


def _shown(request: PageRequest, context: MainContext, found: Turn) -> HttpResponse:
    if not is_fragment(request):
        return redirect(f"{chat_address(context)}#turn-{found.id}")
    shown = shown_turns([found])[0]
    return show(request, "agents/_turn.html", {"shown": shown, "chat": context, "agent": context.agent})
