"""One search over everything that is remembered here: chats, blocks, archive, documents, skills."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memory import retrieval
from memory.retrieval import BadQuery, Page
from memory.web.archive import page_number, snapshot_of
from memory.web.hits import shown_hits
from memory.web.search_filters import SearchFilter, parsed
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "search"}
A_PAGE = 20
NOTHING = Page([], 0)


@require_GET
@workspace_page
def search(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """What `?q=` finds, the best first; the other filters stand in the address too, `?page=` pages."""
    form = parsed(lambda name: asked(request, name))
    number = page_number(asked(request, "page"))
    before = snapshot_of(request)
    found, refusal = _looked_up(workspace, form, number, before)
    context = SECTION | {
        "workspace": workspace,
        "form": form,
        "hits": shown_hits(found.hits, form.query, is_everywhere=form.is_everywhere),
        "total": found.total,
        "worded": found.worded,
        "is_capped": found.is_capped,
        "notices": {notice.code for notice in found.notices},
        "refusal": refusal,
        "page": number,
        "snapshot": before,
        "page_before": number - 1,
        "page_after": number + 1,
        "has_more": len(found.hits) == A_PAGE and number * A_PAGE < found.total,
    }
    return show(request, "memory/search.html", context, fragment="memory/_hits.html")


def _looked_up(workspace: Workspace, form: SearchFilter, number: int, before: uuid.UUID) -> tuple[Page, str]:
    """What is found, or why nothing can be. Without words nothing is looked for."""
    if form.errors:
        return NOTHING, _("The filter cannot be understood.")
    if not form.query:
        return NOTHING, ""
    try:
        found = retrieval.search(
            form.query,
            replace(form.wanted(workspace), before=before),
            limit=A_PAGE,
            offset=(number - 1) * A_PAGE,
            record_access=False,
        )
    except BadQuery:
        return NOTHING, _("There is no word in this to look for.")
    return found, ""
