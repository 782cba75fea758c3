"""The audit log of an organisation: read, filtered, taken as a file. Nothing here changes it."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from tenants import audit as log
from tenants.audit_export import KINDS, in_pieces
from tenants.audit_export import export as exported
from tenants.middleware import own_scope
from tenants.models import AuditEvent, Membership, Workspace
from tenants.permissions import NotAllowed, my_role
from tenants.scope import scope
from tenants.web import events
from tenants.web.doors import PageRequest, asked, show, workspace_in_reach, workspace_page
from tenants.web.settings_forms import EventFilter


def _require_reader() -> None:
    if my_role() not in AuditEvent.reader_roles:
        raise NotAllowed(Membership.Role.AUDITOR, "organisation")


@require_GET
@workspace_page
def audit(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Who did what, the latest first; filters stand in the address, `?before=` goes on after an event."""
    _require_reader()
    form = _filter(request)
    context = {
        "workspace": workspace,
        "form": form,
        "query": urlencode(form.given()),
        "section": "audit",
    }
    page = context | events.page_of(_rows(form), asked(request, "before"))
    return show(request, "tenants/audit.html", page, fragment="tenants/_events.html")


def _filter(request: PageRequest) -> EventFilter:
    """The filter of the address. Its choices are read, so it is made inside a scope."""
    people = Membership.objects.order_by("name", "id").values_list("user_id", "name")
    given = {name: asked(request, name) for name in EventFilter.base_fields}
    form = EventFilter(given, people=people, actions=events.actions(given["action"]))
    form.is_valid()
    return form


def _rows(form: EventFilter) -> QuerySet[AuditEvent]:
    """The events that were asked for; none where the question cannot be understood."""
    return AuditEvent.objects.none() if form.errors else log.search(form.wanted())


@own_scope
@require_GET
def export(request: PageRequest, workspace: uuid.UUID) -> HttpResponseBase:
    """The events of the filter in the address, all of them, as CSV or as lines of JSON, in a stream."""
    kind = asked(request, "format") if asked(request, "format") in KINDS else "csv"
    with scope(request.identity):
        request.workspace = workspace_in_reach(workspace)
        try:
            _require_reader()
        except NotAllowed as error:
            raise PermissionDenied(str(error)) from None
        form = _filter(request)
        if form.errors:
            return HttpResponse(form.errors.as_text(), status=400, content_type="text/plain; charset=utf-8")
        log.record("audit.exported", kind="audit", format=kind, filters=sorted(form.given()))
    name = f"audit-{timezone.now():%Y-%m-%d}.{kind}"
    headers: dict[str, Any] = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    pieces = in_pieces(exported(request.identity, form.wanted(), kind))
    return StreamingHttpResponse(pieces, content_type=KINDS[kind], headers=headers)
