"""API keys of the present person: their list, a new one that is shown once, and the end of one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tenants import keys as verbs
from tenants.models import ApiKey, Membership, Workspace
from tenants.web import once
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note
from tenants.web.settings_forms import KeyForm

SECTION = {"section": "settings", "tab": "keys"}
FIELDS = {"workspace_ids": "workspaces", "expires_at": "lives", "scopes": "access"}


@dataclass(frozen=True)
class ShownKey:
    """A key as the list shows it: the names of its workspaces, and whether it still works."""

    key: ApiKey
    places: list[str]
    is_expired: bool

    @property
    def is_live(self) -> bool:
        """Whether a program gets in with it."""
        return self.key.revoked_at is None and not self.is_expired


@require_GET
@workspace_page
def keys(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """My keys that work; `?state=ended` those that were revoked or have expired, `?q=` by name."""
    query, state = asked(request, "q"), asked(request, "state")
    names = dict(Workspace.objects.values_list("id", "name"))
    shown = [_shown(each, names) for each in verbs.my_keys()]
    rows = [
        each
        for each in shown
        if each.is_live is (state != "ended") and query.lower() in each.key.name.lower()
    ]
    context = {"workspace": workspace, "rows": rows, "query": query, "state": state}
    return show(request, "tenants/keys.html", SECTION | context, fragment="tenants/_keys.html")


def _shown(key: ApiKey, names: dict[uuid.UUID, str]) -> ShownKey:
    places = sorted(names.get(each, _("one you are not in")) for each in key.workspaces or [])
    return ShownKey(key, places, bool(key.expires_at and key.expires_at <= timezone.now()))


@require_http_methods(["GET", "POST"])
@workspace_page
def new_key(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A key; the answer to the form is the only page that ever shows it. Sent again, the form makes none."""
    if once.is_repeated(request):
        note(request, _("That key was shown when it was made. If you do not have it, make another."))
        return redirect("keys", workspace)
    places = Workspace.objects.all().order_by("kind", "name", "id")
    can_manage = request.seat.role in {Membership.Role.OWNER, Membership.Role.ADMIN}
    form = KeyForm(request.POST or None, workspaces=places, can_manage=can_manage)
    if request.method == "POST" and form.is_valid():
        try:
            secret = verbs.create_key(**form.wanted())
        except verbs.BadKey as error:
            form.add_error(_field(form, error.field), str(error))
        else:
            once.remember(request)
            return show(request, "tenants/key_made.html", _made(request, workspace, form, secret))
    context = SECTION | {"workspace": workspace, "form": form}
    return show(request, "tenants/new_key.html", context, status=422 if form.errors else 200)


def _field(form: KeyForm, name: str) -> str | None:
    wanted = FIELDS.get(name, name)
    return wanted if wanted in form.fields else None


def _made(request: PageRequest, workspace: Workspace, form: KeyForm, secret: str) -> dict[str, Any]:
    return SECTION | {
        "workspace": workspace,
        "name": form.cleaned_data["name"],
        "secret": secret,
        "address": request.build_absolute_uri(reverse("api-agents")),
    }


@require_http_methods(["GET", "POST"])
@workspace_page
def revoke(request: PageRequest, workspace: Workspace, key: uuid.UUID) -> HttpResponse:
    """What the end of a key means, and ending it: for good."""
    found = ApiKey.objects.get(id=key, revoked_at=None)
    if request.method == "POST":
        verbs.revoke_key(key_id=key)
        note(request, _("The key %(name)s no longer works.") % {"name": found.name})
        return redirect("keys", workspace)
    return show(request, "tenants/revoke_key.html", SECTION | {"workspace": workspace, "key": found})
