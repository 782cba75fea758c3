"""The picked tenant at a glance: what it is, what it allows, how much there is."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from agents.models import Agent
from memory.models import Block, Conversation, Proposal
from memsite.operators.access import choose_first
from tenants.admin.section import OperatorRequest
from tenants.models import Membership, Workspace


def tenant_page(request: OperatorRequest, frame: dict[str, Any]) -> HttpResponse:
    """Counts and settings; without a tenant, the list of them."""
    if request.tenant is None:
        return choose_first(request)
    counts = (
        (_("people"), Membership.objects.filter(is_active=True)),
        (_("workspaces"), Workspace.objects.all()),
        (_("agents"), Agent.objects.filter(retired_at=None)),
        (_("blocks"), Block.objects.filter(retired_at=None)),
        (_("open proposals"), Proposal.objects.filter(status=Proposal.Status.OPEN)),
        (_("chats"), Conversation.objects.filter(deleted_at=None)),
    )
    context = frame | {
        "title": request.tenant.name,
        "facts": [
            (_("short name"), request.tenant.slug),
            (_("since"), request.tenant.created_at),
            *((name, rows.count()) for name, rows in counts),
        ],
    }
    return TemplateResponse(request, "admin/operators/tenant.html", context)
