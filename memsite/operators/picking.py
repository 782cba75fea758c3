"""Which tenant an operator works in: one at a time, kept in their session, written in the tenant's log."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tenants import operators
from tenants.admin.section import OperatorRequest
from tenants.models import Tenant
from tenants.operators import PAGE
from tenants.web.doors import asked

HELD = "operator_tenant"


def picked_tenant(request: HttpRequest) -> uuid.UUID | None:
    """The id of the tenant that was picked in this session."""
    held = request.session.get(HELD)
    return uuid.UUID(held) if held else None


def forget(request: HttpRequest) -> None:
    """Work in no tenant."""
    request.session.pop(HELD, None)


def tenants_page(request: OperatorRequest, frame: dict[str, Any]) -> HttpResponse:
    """Every tenant of the site, the newest first; `?q=` filters by name, `?p=` pages."""
    words, page = asked(request, "q"), _number(asked(request, "p"))
    found, total = operators.all_tenants(request.user, words=words, page=page)
    pages = Paginator(range(total), PAGE)
    context = frame | {
        "title": _("Organisations"),
        "tenants": found,
        "total": total,
        "words": words,
        "page": page,
        "pages": pages.get_elided_page_range(min(page, pages.num_pages)) if total > PAGE else [],
    }
    return TemplateResponse(request, "admin/operators/tenants.html", context)


@require_POST
def pick(request: OperatorRequest, tenant: uuid.UUID) -> HttpResponse:
    """Begin to work in a tenant; the one before is left."""
    before = picked_tenant(request)
    if before == tenant:
        return redirect("admin:tenant")
    try:
        entered = operators.enter(request.user, tenant)
    except Tenant.DoesNotExist:
        raise Http404 from None
    if before is not None:
        operators.leave(request.user, before)
    request.session[HELD] = str(tenant)
    messages.success(request, _("You work in %(name)s now. Its log says so.") % {"name": entered.name})
    return redirect("admin:tenant")


@require_POST
def leave(request: OperatorRequest) -> HttpResponse:
    """Work in no tenant."""
    if request.tenant is not None:
        operators.leave(request.user, request.tenant.id)
        forget(request)
    return redirect("admin:index")


def _number(text: str) -> int:
    """The number of a page, as an address gives it."""
    return max(1, min(int(text), 1_000_000)) if text.isascii() and text.isdigit() else 1
