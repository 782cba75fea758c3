"""Going another way in a chat: a message edited in place, another branch taken up, memory taken back."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from agents import branching, left_memory
from agents.branching import ChatBusy, NotEditable
from agents.left_memory import TakenBack
from agents.models import MainContext, Turn
from agents.services import BadMessage, ClientIdReused, NotRetryable
from agents.web import chat_log
from agents.web.chats import can_chat, chat_address, chat_in
from agents.web.forks import left_way
from agents.web.forms import MessageForm
from memory.branches import OnLeftBranch
from memory.models import Message
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_page
from tenants.web.notes import note, way_back

REFUSED = (ChatBusy, OnLeftBranch, NotEditable, NotRetryable, ClientIdReused)


def branch_mark(conversation_id: uuid.UUID) -> str:
    """Stands for the branch that a page shows: another one has another mark."""
    left = Turn.objects.filter(conversation_id=conversation_id, is_abandoned=True)
    ids = left.order_by("id").values_list("id", flat=True)
    return hashlib.blake2b("".join(map(str, ids)).encode(), digest_size=8).hexdigest()


def refusal_of(error: Exception) -> str:
    """Why the chat does not go another way, in words for a page."""
    if isinstance(error, ChatBusy):
        return _("A message is being answered. Stop it, or wait for its end, then try again.")
    if isinstance(error, OnLeftBranch):
        return _("This lies on a branch that was left meanwhile. The chat is shown as it is now.")
    if isinstance(error, NotEditable):
        return _("Only what was written here can be edited, not what was imported.")
    return _("This message was changed after it was sent. Send it again.")


@require_http_methods(["GET", "POST"])
@workspace_page
def edit_message(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, message: uuid.UUID
) -> HttpResponse:
    """GET: a message in a field, in its place. POST: say that instead; the old one stays beside it."""
    context, found = _found(workspace, conversation, message)
    branching.require_editable(found)
    if request.method == "GET":
        form = MessageForm(initial={"content": found.content, "client_id": uuid.uuid4().hex})
        return _form(request, context, found, form)
    form = MessageForm(request.POST)
    if not form.is_valid():
        return _form(request, context, found, form, status=422)
    try:
        forked = branching.edit_message(message, **form.cleaned_data)
    except BadMessage:
        form.add_error("content", _("The message cannot be sent like this."))
        return _form(request, context, found, form, status=422)
    except REFUSED as error:
        return refused(request, context, error)
    return show_branch(request, context, None, forked.left)


@require_POST
@workspace_page
def switch(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, message: uuid.UUID
) -> HttpResponse:
    """Go on where a message stands that is on another branch."""
    context, _message = _found(workspace, conversation, message)
    try:
        left = branching.switch(message)
    except REFUSED as error:
        return refused(request, context, error)
    said = _("This is another branch. Memory blocks are as they are now, not as they were then.")
    return show_branch(request, context, message, left, said=said)


@require_http_methods(["GET", "POST"])
@workspace_page
def take_back(
    request: PageRequest, workspace: Workspace, conversation: uuid.UUID, message: uuid.UUID
) -> HttpResponse:
    """GET: the offer to take back what was written to memory on the branch that begins with a message, as it
    is now. POST: take it back."""
    context, head = _found(workspace, conversation, message)
    if request.method == "GET":
        return _offer_now(request, context, head)
    said = _told(left_memory.take_back(message))
    if not is_fragment(request):
        note(request, said)
        return redirect(chat_address(context))
    template = "_toast.html" if asked(request, "note") else "agents/_left_done.html"
    response = show(request, template, {"text": said})
    response["HX-Trigger"] = json.dumps({"memory": {}, "left-undone": {"head": str(message)}})
    return response


def show_branch(
    request: PageRequest,
    context: MainContext,
    here: uuid.UUID | None,
    left: uuid.UUID | None,
    *,
    said: str = "",
) -> HttpResponse:
    """The chat as it goes now, at a message; what was written on the branch that was left is told."""
    toast = (_offer(context, left, said) if left else None) or {"text": said, "undo_url": ""}
    if not is_fragment(request):
        if toast["text"]:
            note(request, toast["text"], undo=toast["undo_url"])
        return redirect(f"{chat_address(context)}?at={here}#m-{here}" if here else chat_address(context))
    return show(request, "agents/_branch.html", _shown(context, here) | toast | {"about": "branch"})


def _offer(context: MainContext, left: uuid.UUID, said: str = "") -> dict[str, str] | None:
    """The note that offers to take back what was written on the branch which begins with a message; None
    where there is nothing. What a new answer replaces is not known before that answer is there, so the page
    asks again then, at `again_url`."""
    written = left_memory.written_below([left]).get(left)
    if written is None or not written.count:
        return None
    told = ngettext(
        "%(count)s memory change was made on the branch you left.",
        "%(count)s memory changes were made on the branch you left.",
        written.count,
    )
    where = ("left-undo", context.workspace_id, context.conversation_id, left)
    return {
        "text": f"{told % {'count': written.count}} {said}".strip(),
        "undo_url": way_back(*where, note="1"),
        "again_url": way_back(*where, note="1", known=written.mark),
    }


def _offer_now(request: PageRequest, context: MainContext, head: Message) -> HttpResponse:
    """An offer asked for again, in its note or in its place in the log: as it is now, empty where there is
    none any more, and 204 where it is the one that the page has."""
    if not is_fragment(request):
        return redirect(chat_address(context))
    way = left_way(head)
    if way and way.written.mark == asked(request, "known"):
        return HttpResponse(status=204)
    may_write = can_chat(context.conversation.workspace)
    if asked(request, "note"):
        toast = _offer(context, head.id) if may_write else None
        return show(request, "agents/_left_now.html", (toast or {}) | {"about": "branch", "in_place": True})
    place = {"place": context.workspace_id, "conversation": context.conversation_id}
    return show(request, "agents/_left_now.html", place | {"way": way, "may_write": may_write})


def refused(request: PageRequest, context: MainContext, error: Exception) -> HttpResponse:
    """Why nothing changed; the chat is shown again where it is not what the page had."""
    said = refusal_of(error)
    if not is_fragment(request):
        note(request, said)
        return redirect(chat_address(context))
    shown = _shown(context, None) if isinstance(error, OnLeftBranch) else {}
    return show(request, "agents/_branch.html", shown | {"text": said}, status=409)


def _shown(context: MainContext, here: uuid.UUID | None) -> dict[str, Any]:
    """The log of a chat around a message, or at its end."""
    key = context.conversation_id
    log = chat_log.around(key, here) if here else chat_log.newest(key)
    return {
        "chat": context,
        "agent": context.agent,
        "can_chat": can_chat(context.conversation.workspace),
        "log": log,
        "branch": branch_mark(key),
        "here": here,
    }


def _found(workspace: Workspace, conversation: uuid.UUID, message: uuid.UUID) -> tuple[MainContext, Message]:
    """A chat of this workspace and a message of it. Raises DoesNotExist for any other."""
    context = chat_in(workspace, conversation)
    return context, Message.objects.get(id=message, conversation_id=context.conversation_id)


def _form(
    request: PageRequest, context: MainContext, message: Message, form: MessageForm, *, status: int = 200
) -> HttpResponse:
    shown = {"chat": context, "agent": context.agent, "message": message, "form": form}
    shown |= {"open_chat": context.conversation_id}
    if status != 200 and is_fragment(request):  # the field stays as it is, and says what is wrong
        words = form.errors.get("content", [""])[0]
        return show(request, "agents/_branch.html", {"text": words}, status=status)
    page, fragment = "agents/edit_message.html", "agents/_edit_message.html"
    return show(request, page, shown, fragment=fragment, status=status)


def _told(taken: TakenBack) -> str:
    """What came of taking back, in a sentence for each way in which it came out."""
    told = []
    if taken.done:
        words = ngettext(
            "%(count)s memory change was taken back.", "%(count)s memory changes were taken back.", taken.done
        )
        told.append(words % {"count": taken.done})
    if taken.proposed:
        words = ngettext(
            "%(count)s is proposed: an editor decides.",
            "%(count)s are proposed: an editor decides.",
            taken.proposed,
        )
        told.append(words % {"count": taken.proposed})
    if taken.kept:
        words = ngettext(
            "%(count)s stays: it was changed again since, or is not yours to take back.",
            "%(count)s stay: they were changed again since, or are not yours to take back.",
            taken.kept,
        )
        told.append(words % {"count": taken.kept})
    return " ".join(told) or _("There was nothing left to take back.")
