"""A summary of a chat: its text, who made it, the messages that it covers, and having it made anew."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from agents import summarising
from agents.context.summaries import AT_ONCE
from agents.models import MainContext
from agents.summarising.mending import ANEW
from agents.web import failures
from agents.web.chats import can_change, chat_in
from memory import summaries
from memory.models import Message, Summary
from tenants.models import Workspace
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note


@require_GET
@workspace_page
def summary(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, summary: uuid.UUID
) -> HttpResponse:
    """One summary of a chat, with the messages at both ends of what it covers."""
    chat = chat_in(workspace, conversation)
    found = _of(chat, summary)
    span = summaries.span_of(found)
    messages = Message.objects.in_bulk(span.ids)
    is_standing = chat.summary_id == found.id
    context = {
        "chat": chat,
        "open_chat": conversation,
        "summary": found,
        "span": span,
        "covered": [messages[key] for key in span.ids],
        "left_out": span.count - len(span.ids),
        "by_model": found.made_by != Summary.EXTRACTIVE,
        "why": why(found.fault),
        "is_standing": is_standing,
        "newer": _all(chat).filter(replaces=found).first(),
        "can_ask": is_standing and can_change(chat.conversation),
    }
    return show(request, "agents/summary.html", context)


@require_POST
@workspace_page
def anew(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, summary: uuid.UUID
) -> HttpResponse:
    """Have the summary that stands in a chat's window made anew from its messages."""
    _of(chat_in(workspace, conversation), summary)
    asked = summarising.ask_anew(conversation)
    note(request, _("It is being made anew from the messages. It stays as it is until that is done."))
    return redirect("summary", workspace, conversation, asked.id)


def why(fault: str) -> str:
    """Why no model made a summary, in a person's words."""
    known = {
        "": "",
        AT_ONCE: _("The window was full, and an answer could not wait for the model."),
        ANEW: _("Somebody asked to have it made anew. That has not been done yet."),
        "refused": _("The model refused to write it."),
        "too_long": _("What the model wrote was longer than what it was to summarise."),
        "unfounded": _("What the model wrote was not about this chat."),
        "instructions": _("The model made up an instruction that nobody gave."),
    }
    return known[fault] if fault in known else failures.sentence(fault)


def _of(chat: MainContext, key: uuid.UUID) -> Summary:
    """A summary of this chat. Raises Summary.DoesNotExist for any other."""
    return _all(chat).select_related("previous", "replaces").get(id=key)


def _all(chat: MainContext) -> QuerySet[Summary]:
    return Summary.objects.filter(conversation_id=chat.conversation_id)
