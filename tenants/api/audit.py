"""Routes of the audit log: the list, and a file of it. They need a key with `manage`."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tenants import audit
from tenants.api.organisation_bodies import EventsExport, EventsQuery
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.serializers import EventSerializer
from tenants.api.views import ConfidentialView, identity_of, own_scopes
from tenants.audit import Asked
from tenants.audit_export import KINDS, export, in_pieces
from tenants.scope import scope

FIELDS = {
    "actor": "actor_id",
    "object": "object_id",
    "workspace": "workspace_id",
    "subject": "subject_id",
}
PLAIN = ("action", "object_kind", "since", "until", "text")


def events_asked(said: dict[str, Any]) -> Asked:
    """A checked query, as the log takes it."""
    named = {FIELDS[name]: value for name, value in said.items() if name in FIELDS}
    return Asked(**named, **{name: value for name, value in said.items() if name in PLAIN})


class Events(ConfidentialView):
    """What was done in the organisation, the latest first. Owners, admins and auditors see all of it,
    everybody else what concerns them."""

    @extend_schema(
        operation_id="audit", tags=["audit"], parameters=[EventsQuery], responses=page_of(EventSerializer)
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(EventsQuery)
        page = cut(audit.search(events_asked(asked)), asked, Order(descending=True))
        return answer(request, EventSerializer, *page)


class EventsFile(ConfidentialView):
    """The same as a file, the oldest first. That it was taken is an event, too."""

    @extend_schema(
        operation_id="audit_export",
        tags=["audit"],
        parameters=[EventsExport],
        responses={
            (200, "application/x-ndjson"): OpenApiResponse(OpenApiTypes.STR, "One event a line, as JSON."),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    @own_scopes
    def get(self, request: Request) -> HttpResponseBase:
        asked = self.asked(EventsExport)
        kind, identity = asked.pop("format"), identity_of(request)
        with scope(identity):
            audit.record("audit.exported", kind="audit", format=kind, filters=sorted(asked))
        name = f"audit-{timezone.now():%Y-%m-%d}.{kind}"
        return StreamingHttpResponse(
            in_pieces(export(identity, events_asked(asked), kind)),
            content_type=KINDS[kind],
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )
