"""One search over everything that is remembered here: chats, blocks, archive, documents, skills."""

from __future__ import annotations

import uuid
from dataclasses import replace
from operator import attrgetter

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memory import retrieval
from memory.retrieval import BadQuery, Page
from memory.web.hits import shown_hits
from memory.web.paging import page_number, page_or_last, snapshot_of
from memory.web.search_filters import SearchFilter, parsed
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "search"}
A_PAGE = 20
NOTHING = Page([], 0)


@require_GET
@workspace_page
def search(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """What `?q=` finds, the best first; without words, the newest of what the other filters of the address
    allow. `?page=` pages."""
    form = parsed(lambda name: asked(request, name))
    before = snapshot_of(request)
    number, found, refusal = _looked_up(workspace, form, page_number(request), before)
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


def _looked_up(
    workspace: Workspace, form: SearchFilter, number: int, before: uuid.UUID
) -> tuple[int, Page, str]:
    """The page that there is, and what is found on it; or why nothing can be. Where nothing at all is asked
    for nothing is looked for."""
    if form.errors:
        return 1, NOTHING, _("The filter cannot be understood.")
    if not form.is_set:
        return 1, NOTHING, ""
    wanted = replace(form.wanted(workspace), before=before)

    def page(each: int) -> Page:
        offset = (each - 1) * A_PAGE
        return retrieval.search(
            form.query, wanted, limit=A_PAGE, offset=offset, record_access=False, is_typed=True
        )

    try:
        return *page_or_last(number, A_PAGE, page, attrgetter("hits")), ""
    except BadQuery:
        return 1, NOTHING, _("There is no word in this to look for.")
