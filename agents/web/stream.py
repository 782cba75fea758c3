"""The event stream of a turn: server-sent events that carry finished HTML, always ended by `done`.

It never redirects: a stream that is refused answers in plain text, and the page stops asking.
"""

from __future__ import annotations

import json
import uuid
import zoneinfo
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from agents import following
from agents.events import Event
from agents.following import END, follow
from agents.models import Turn, TurnEvent
from agents.turns import approvals
from agents.web.approving import shown_approvals
from agents.web.live import LiveTurn, partial
from agents.web.pieces import pieces
from agents.web.presentation import shown_turns
from memory.models import BlockVersion, Message, Proposal
from memory.web.presentation import shown_versions
from memory.web.proposed import shown_proposals, with_all_it_names
from tenants.middleware import own_scope
from tenants.scope import scope
from tenants.web.doors import PageRequest, workspace_in_reach

PING = "event: ping\ndata: \n\n"
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-cache, no-transform"}


@dataclass
class _Opened:
    """A turn that somebody follows."""

    request: PageRequest
    turn_id: uuid.UUID
    live: LiveTurn


@own_scope
@require_GET
async def events(
    request: PageRequest, workspace: uuid.UUID, conversation: uuid.UUID, turn: uuid.UUID
) -> HttpResponseBase:
    """Follow a turn. The first event brings the page up to date; a reconnection begins with it again."""
    try:
        opened = await _in_thread(_open, request, workspace, conversation, turn)
    except (ObjectDoesNotExist, Http404):
        return HttpResponse("Not found.", status=404, content_type="text/plain; charset=utf-8")
    return StreamingHttpResponse(_told(opened), content_type="text/event-stream", headers=HEADERS)


async def _told(opened: _Opened) -> AsyncIterator[str]:
    identity = opened.request.identity
    written = await _in_thread(following.read_now, identity, opened.turn_id, 0)
    seq, text = await _in_thread(_catch_up, opened, written)
    yield text
    if written and written[-1].kind == END:
        return
    try:
        async for event in follow(identity, opened.turn_id, after=seq):
            yield PING if event is None else await _in_thread(_tell, opened, event)
    except Turn.DoesNotExist:  # who followed may not look any more
        return


def _catch_up(opened: _Opened, written: list[Event]) -> tuple[int, str]:
    """The events that are there already, as one."""
    seq = 0
    for event in written:
        seq = event.seq
        if event.kind == END:
            return seq, _tell(opened, event)
        opened.live.take(event)
    changed = {event.data["block"]: event.data for event in written if event.kind == "memory"}
    told = (_named("memory", data, seq) for data in changed.values())
    return seq, _message(opened.live.whole(), seq) + "".join(told)


def _tell(opened: _Opened, event: Event) -> str:
    """One event, as the page takes it."""
    if event.kind == END:
        return _message(_final(opened), event.seq) + _named(END, event.data, event.seq)
    text = _message(opened.live.take(event), event.seq)
    return text + _named("memory", event.data, event.seq) if event.kind == "memory" else text


def _message(html: str, seq: int) -> str:
    lines = "".join(f"data: {line}\n" for line in html.split("\n"))
    return f"id: {seq}\n{lines}\n" if html else ""


def _named(name: str, data: dict[str, Any], seq: int) -> str:
    return f"event: {name}\nid: {seq}\ndata: {json.dumps(data)}\n\n"


def _open(request: PageRequest, workspace: uuid.UUID, conversation: uuid.UUID, turn: uuid.UUID) -> _Opened:
    with scope(request.identity):
        found = Turn.objects.get(
            id=turn, conversation_id=conversation, conversation__workspace=workspace_in_reach(workspace)
        )
        before = "" if found.has_ended else _said_before(found)
    live = LiveTurn(
        str(turn),
        before=before,
        show_change=_change_of(request),
        show_proposal=_proposal_of(request),
        show_approval=_approval_of(request),
    )
    return _Opened(request, found.id, live)


def _said_before(turn: Turn) -> str:
    """What an earlier attempt stored, where the events that told it are gone by now."""
    rows = TurnEvent.objects.filter(turn=turn, kind__in=["message", "result"])
    told = {row.data.get("id") or row.data.get("message") for row in rows}
    messages = Message.objects.filter(turn_id=turn.id).exclude(role=Message.Role.USER).order_by("position")
    earlier = [message for message in messages if str(message.id) not in told]
    return "".join(render_to_string("agents/_piece.html", {"piece": piece}) for piece in pieces(earlier, []))


def _change_of(request: PageRequest) -> Callable[[str, int], str]:
    def show(block_id: str, number: int) -> str:
        with scope(request.identity):
            version = BlockVersion.objects.select_related("block", "source").get(
                block_id=block_id, number=number
            )
            chip = shown_versions([version])[0]
            return render_to_string("memory/_chip.html", {"chip": chip}, request)

    return show


def _proposal_of(request: PageRequest) -> Callable[[str], str]:
    def show(proposal_id: str) -> str:
        with scope(request.identity):
            row = with_all_it_names(Proposal.objects.all()).get(id=proposal_id)
            (shown,) = shown_proposals([row])
            return render_to_string("memory/_proposed_chip.html", {"shown": shown}, request)

    return show


def _approval_of(request: PageRequest) -> Callable[[str], str]:
    def show(approval_id: str) -> str:
        with scope(request.identity):
            (shown,) = shown_approvals([approvals.in_sight().get(id=approval_id)])
            return render_to_string("agents/_approval.html", {"shown": shown}, request)

    return show


def _final(opened: _Opened) -> str:
    """The turn as it stands in the database, rendered once more and whole."""
    with scope(opened.request.identity):
        turn = Turn.objects.select_related("message", "context__agent").get(id=opened.turn_id)
        context = {"shown": shown_turns([turn])[0], "is_final": True}
        html = render_to_string("agents/_turn_content.html", context, opened.request)
    return partial(f"{opened.live.key}-content", "innerMorph", html)


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run what reads the database or renders, in a thread, in the person's language and zone."""
    request = next((each.request for each in arguments if isinstance(each, _Opened)), None) or arguments[0]
    return await sync_to_async(_as_person, thread_sensitive=False)(request, function, *arguments)


def _as_person(request: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    user = getattr(request, "user", None)
    language = getattr(request, "LANGUAGE_CODE", "en")
    zone = zoneinfo.ZoneInfo(getattr(user, "time_zone", "") or "UTC")
    try:
        with translation.override(language), timezone.override(zone):
            return function(*arguments)
    finally:
        connection.close()
