"""What every page's door shares: who may enter, which workspace, and page or fragment."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers

from tenants.middleware import SeatedRequest
from tenants.models import Workspace
from tenants.scope import current_scope


class PageRequest(SeatedRequest):
    """A request inside the workspace that its address names."""

    workspace: Workspace


View = Callable[Concatenate[PageRequest, Workspace, ...], HttpResponse]


def is_fragment(request: HttpRequest) -> bool:
    """Whether a part of a page is asked for, by script."""
    return request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers


def asked(request: HttpRequest, name: str) -> str:
    """A filter of a list, as its address gives it: trimmed, without NUL, at most 200 characters."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:200]


def is_uuid(text: str) -> bool:
    """Whether a text from an address can be an id."""
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def workspace_page(view: View) -> Callable[..., HttpResponse]:
    """A page inside a workspace: the one that its address names, of those in reach, else 404.

    The middleware has refused who is not signed in, found the identity and opened the scope.
    """

    @wraps(view)
    def entered(request: PageRequest, workspace: uuid.UUID, **kwargs: Any) -> HttpResponse:
        request.workspace = workspace_in_reach(workspace)
        return view(request, request.workspace, **kwargs)

    return entered


def workspace_in_reach(workspace_id: uuid.UUID) -> Workspace:
    """A workspace of the present scope. Raises Http404 for any other, whether there is one or not."""
    if workspace_id not in current_scope().workspaces:
        raise Http404
    return Workspace.objects.get(id=workspace_id)


def personal_workspace() -> Workspace:
    """The present person's own workspace."""
    return Workspace.objects.get(id=current_scope().home)


def show(
    request: HttpRequest, page: str, context: dict[str, Any], *, fragment: str = "", status: int = 200
) -> HttpResponse:
    """Render a page, or the fragment of it that script asks for."""
    template = fragment if fragment and is_fragment(request) else page
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    # A person's pages lie in no cache: after signing out, the back button shows none of them.
    response.headers["Cache-Control"] = "private, no-store"
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Send the browser to another page, after a form or after a fragment's form."""
    if is_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)
