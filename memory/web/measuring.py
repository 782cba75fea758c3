"""How long a text is, counted by the server while somebody types: tokens, and the parts of typed blocks."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from memory import measure
from memory.models import Block
from memory.web.forms import text_of
from tenants.models import Workspace
from tenants.web.doors import PageRequest, show, workspace_page


@require_POST
@workspace_page
def count(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The line below a text field: how much of the limit is used. Nothing is kept."""
    typed = request.POST
    unit = typed.get("unit", "")
    unit = unit if unit in Block.Unit.values else Block.Unit.CHARACTERS
    limit = typed.get("limit", "")
    most = int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 10 else 0
    context = {"used": measure.length(text_of(typed), unit), "most": most, "unit": unit}
    return show(request, "memory/count.html", context, fragment="memory/_count_line.html")
