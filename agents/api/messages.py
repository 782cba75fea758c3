"""Routes of a chat's messages: read them, send one and wait for the answer, or watch it come."""

from __future__ import annotations

import uuid
from typing import Any, TypeVar

from django.db.models import F, Model, Q, QuerySet, TextField
from django.db.models.functions import Cast, Length
from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from agents import services
from agents.api.bodies import MessageNew, MessagesQuery, WaitQuery
from agents.api.events import EVENTS, EVENTS_SAY
from agents.api.serializers import AnswerSerializer
from agents.api.stream import EventStream, opening_of, stream, wait_for_end
from agents.models import Turn
from memory.api.serializers import MessageSerializer
from memory.models import Message
from tenants.api.pages import Order, answer, bad_cursor, cut, page_of
from tenants.api.views import ScopedView, identity_of, own_scopes
from tenants.scope import Identity, scope

M = TypeVar("M", bound=Model)
WEIGHT = Length("content") + Length(Cast("tool_calls", TextField()))


class RecallOrder(Order):
    """As it was said; messages that wait for their turn have no position yet and come last.

    The cursor is a message's id: a message that waited at the end of one page may have its place by the
    next.
    """

    def sort(self, rows: QuerySet[M]) -> QuerySet[M]:
        if self.descending:
            return rows.order_by(F("position").desc(nulls_first=True), "-id")
        return rows.order_by(F("position").asc(nulls_last=True), "id")

    def after(self, rows: QuerySet[M], cursor: str) -> QuerySet[M]:
        try:
            seen = rows.filter(id=uuid.UUID(cursor)).values_list("id", "position").first()
        except ValueError:
            seen = None
        if seen is None:
            raise bad_cursor()
        return rows.filter(self._beyond(*seen))

    def _beyond(self, key: uuid.UUID, position: int | None) -> Q:
        if self.descending:
            waiting = Q(position=None, id__lt=key) | Q(position__isnull=False)
            return waiting if position is None else Q(position__lt=position)
        return (
            Q(position=None, id__gt=key) if position is None else Q(position__gt=position) | Q(position=None)
        )


ANSWERS = {
    (200, "application/json"): AnswerSerializer,
    (200, "text/event-stream"): EVENTS,
    (202, "application/json"): OpenApiResponse(
        AnswerSerializer, "The turn still runs, or waits for a decision; follow it at `turns/{id}/events/`."
    ),
}


class Messages(ScopedView):
    """What was said in a chat."""

    def get_renderers(self) -> list[BaseRenderer]:
        """Only an answer can be watched."""
        return [JSONRenderer(), EventStream()] if self.request.method == "POST" else [JSONRenderer()]

    @extend_schema(
        operation_id="messages",
        tags=["conversations"],
        parameters=[MessagesQuery],
        responses=page_of(MessageSerializer),
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        asked = self.asked(MessagesQuery)
        chat = services.open_chat(conversation_id)
        rows = Message.objects.filter(conversation_id=chat.conversation_id)
        if asked["branches"] == "live":
            rows = rows.filter(is_abandoned=False)
        order = RecallOrder(descending=asked["order"] == "newest")
        return answer(request, MessageSerializer, *cut(rows, asked, order, WEIGHT))

    @extend_schema(
        operation_id="message_send",
        tags=["conversations"],
        parameters=[WaitQuery],
        request=MessageNew,
        responses=ANSWERS,
        description="Say something and wait for the answer; with `Accept: text/event-stream` watch it come."
        f"\n\n{EVENTS_SAY}",
    )
    @own_scopes
    def post(self, request: Request, conversation_id: uuid.UUID) -> HttpResponseBase:
        seconds, said = self.asked(WaitQuery)["wait"], self.said(MessageNew)
        return answered(request, _receive(identity_of(request), conversation_id, said), seconds)


def answered(request: Request, turn: Turn, seconds: float) -> HttpResponseBase:
    """A turn's answer: watched where events were asked for, else waited for, at most so many seconds."""
    identity = identity_of(request)
    if isinstance(request.accepted_renderer, EventStream):
        return stream(identity, turn.id, 0, opening_of(turn))
    if seconds and not turn.has_ended:
        wait_for_end(identity, turn.id, seconds)
    headers = {"Location": request.build_absolute_uri(reverse("api-turn", args=[turn.id]))}
    return _answer(identity, turn.id, headers)


def _receive(identity: Identity, conversation_id: uuid.UUID, said: dict[str, Any]) -> Turn:
    with scope(identity):
        return services.receive_message(
            conversation_id=conversation_id,
            content=said["content"],
            client_id=said.get("client_id") or uuid.uuid4().hex,
        )


def _answer(identity: Identity, turn_id: uuid.UUID, headers: dict[str, str]) -> Response:
    with scope(identity):
        turn = Turn.objects.get(id=turn_id)
        # A turn that answers again has the message of the first one.
        own = Message.objects.filter(Q(turn_id=turn_id) | Q(id=turn.message_id))
        messages = RecallOrder().sort(own)
        told = AnswerSerializer({"turn": turn, "messages": messages}).data
    return Response(told, status=200 if turn.has_ended else 202, headers=headers)
