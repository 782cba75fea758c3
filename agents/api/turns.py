"""Routes of turns: how one went, its events, stop and retry."""

from __future__ import annotations

import uuid

from django.db.models import Prefetch
from django.http import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from agents import branching, services
from agents.api.bodies import NUMBER_MAX, EventsQuery
from agents.api.events import EVENTS, EVENTS_SAY
from agents.api.serializers import TurnDetailSerializer, TurnSerializer
from agents.api.stream import EventStream, stream
from agents.models import Step, Turn
from tenants.api.bodies import Nothing
from tenants.api.views import ScopedView, identity_of, own_scopes
from tenants.scope import Identity, scope

LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="Sent by clients that reconnect."
)


def turn_in_sight(turn_id: uuid.UUID) -> Turn:
    """A turn of a chat that is not deleted. Raises Turn.DoesNotExist."""
    return Turn.objects.get(id=turn_id, conversation__deleted_at=None)


class TurnDetail(ScopedView):
    """One turn with its model calls."""

    @extend_schema(operation_id="turn", tags=["turns"], responses=TurnDetailSerializer)
    def get(self, request: Request, turn_id: uuid.UUID) -> Response:
        steps = Prefetch("steps", Step.objects.order_by("attempt", "number"))
        turn = Turn.objects.prefetch_related(steps).get(id=turn_id, conversation__deleted_at=None)
        return Response(TurnDetailSerializer(turn, context={}).data)


class TurnStop(ScopedView):
    """Ask a turn to stop. What was said until then stays."""

    @extend_schema(operation_id="turn_stop", tags=["turns"], request=None, responses=TurnSerializer)
    def post(self, request: Request, turn_id: uuid.UUID) -> Response:
        self.said(Nothing)
        turn_in_sight(turn_id)
        return Response(TurnSerializer(services.stop_turn(turn_id)).data)


class TurnRetry(ScopedView):
    """Answer a turn's message again. It is not sent twice."""

    @extend_schema(
        operation_id="turn_retry",
        tags=["turns"],
        request=None,
        responses=TurnSerializer,
        description="Answer a turn's message again. The last turn of a chat that said nothing is queued "
        "again itself; beside any other one a new turn is made, and what was said stays on a branch of its "
        "own.",
    )
    def post(self, request: Request, turn_id: uuid.UUID) -> Response:
        self.said(Nothing)
        turn_in_sight(turn_id)
        return Response(TurnSerializer(branching.answer_again(turn_id).turn).data)


class TurnEvents(ScopedView):
    """What happens in a turn: what is written already, then what comes, to its end."""

    renderer_classes = [EventStream]
    http_method_names = ["get", "options"]

    @extend_schema(
        operation_id="turn_events",
        tags=["turns"],
        parameters=[EventsQuery, LAST_EVENT_ID],
        responses={(200, "text/event-stream"): EVENTS},
        description=f"What happens in a turn: what is written already, then what comes.\n\n{EVENTS_SAY}",
    )
    @own_scopes
    def get(self, request: Request, turn_id: uuid.UUID) -> HttpResponseBase:
        after = max(self.asked(EventsQuery)["after"], _last_event_id(request))
        identity = identity_of(request)
        _check(identity, turn_id)
        return stream(identity, turn_id, after)


def _last_event_id(request: Request) -> int:
    given = request.headers.get("Last-Event-ID", "").strip()
    if not given:
        return 0
    if not (given.isascii() and given.isdigit() and len(given) <= 10 and int(given) <= NUMBER_MAX):
        raise ValidationError({"Last-Event-ID": ["This is no id of an event."]})
    return int(given)


def _check(identity: Identity, turn_id: uuid.UUID) -> None:
    with scope(identity):
        turn_in_sight(turn_id)
