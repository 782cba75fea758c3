"""Many passages deleted at once: those that were ticked, or all that a filter finds; and the way back."""

from __future__ import annotations

import uuid
from datetime import datetime
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memory import archival
from memory.models import Passage
from memory.web.archive import filter_of
from memory.web.archive_filters import PassageFilter
from memory.web.passage_rows import AT_ONCE, archives_of, ids_of_all, seal_of
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.templatetags.figures import figure
from tenants.web.doors import PageRequest, asked, is_uuid, workspace_page
from tenants.web.notes import note, way_back


@require_POST
@workspace_page
def delete(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Delete the passages of `ids`, or with `all` every one that the filter of the address finds.

    `all` is the seal of those of which the person was told: where there are others meanwhile, were it one
    that came for one that went, nothing is deleted.
    """
    wanted = _all(request, workspace) if request.POST.get("all") else _ticked(request, workspace)
    if wanted is None:
        messages.error(
            request, _("Nothing was deleted: what matches has changed since you saw it. Look at it again.")
        )
    elif not wanted:
        messages.error(request, _("No passage was chosen."))
    else:
        archival.retire_passages(wanted)
        note(request, _said(len(wanted)), undo=_way_back(request, workspace, wanted[0]))
    return redirect(_list(request, workspace))


def _ticked(request: PageRequest, workspace: Workspace) -> list[uuid.UUID]:
    chosen = [key for key in request.POST.getlist("ids")[:AT_ONCE] if is_uuid(key)]
    rows = Passage.objects.filter(workspace=workspace, id__in=chosen, retired_at=None)
    found = list(rows.values_list("id", flat=True))
    if chosen and not found:
        raise Passage.DoesNotExist
    return found


def _all(request: PageRequest, workspace: Workspace) -> list[uuid.UUID] | None:
    """Every passage that the filter finds; None where they are not those that were seen."""
    require_role(workspace.id, "editor")
    found = ids_of_all(workspace, filter_of(request, archives_of(workspace), None))
    return found if seal_of(found) == request.POST["all"] else None


def _said(count: int) -> str:
    words = ngettext("%(count)s passage is deleted.", "%(count)s passages are deleted.", count)
    return words % {"count": figure(count)}


def _way_back(request: PageRequest, workspace: Workspace, one: uuid.UUID) -> str:
    """What was deleted together has one moment of deletion: the address names it, and the list to go back
    to as far as that fits in."""
    at = Passage.objects.values_list("retired_at", flat=True).get(id=one)
    if at is None:
        return ""
    route, moment = ("archive-bulk-return", workspace.id), at.isoformat()
    return way_back(*route, at=moment, **_asked_for(request)) or way_back(*route, at=moment)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Undo: everything that was deleted at the moment `?at=` is there again."""
    try:
        at = datetime.fromisoformat(request.GET.get("at", ""))
    except ValueError:
        raise Passage.DoesNotExist from None
    rows = Passage.objects.filter(workspace=workspace, retired_at=at) if at.tzinfo else Passage.objects.none()
    found = list(rows.values_list("id", flat=True)[:AT_ONCE])
    if not found:
        raise Passage.DoesNotExist
    archival.retire_passages(found, retired=False)
    words = ngettext("%(count)s passage is back.", "%(count)s passages are back.", len(found))
    note(request, words % {"count": figure(len(found))})
    return redirect(_list(request, workspace))


def _list(request: PageRequest, workspace: Workspace) -> str:
    """The list from which something was deleted, as it was: always one of this workspace."""
    query = urlencode(_asked_for(request))
    return reverse("archive", args=[workspace]) + (f"?{query}" if query else "")


def _asked_for(request: PageRequest) -> dict[str, str]:
    """The filters of the list, and which of its pages was open."""
    given = {name: asked(request, name) for name in (*PassageFilter.base_fields, "page", "before")}
    return {name: value for name, value in given.items() if value}
