"""Workspaces: which there are, a new one, and one's name and members."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tenants import members, services
from tenants.models import Membership, Workspace, WorkspaceMember
from tenants.permissions import NotAllowed, has_role
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, asked, show, workspace_page
from tenants.web.notes import note, sent, way_back
from tenants.web.settings_forms import PLACE_HELP, AddMemberForm, PlaceForm, WorkspaceForm

SECTION = {"section": "settings", "tab": "workspace"}
ADMIN = WorkspaceMember.Role.ADMIN
TEAM = Workspace.Kind.TEAM
MOST = 200  # in one list; the filter finds the others
GOVERN = {Membership.Role.OWNER, Membership.Role.ADMIN}


@require_GET
@workspace_page
def workspaces(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """All workspaces that are mine; `?q=` filters by name, `?closed=1` shows those that were closed."""
    query, is_closed = asked(request, "q"), bool(asked(request, "closed"))
    found = services.closed_workspaces() if is_closed else list(Workspace.objects.all())
    order = {kind: place for place, kind in enumerate(("personal", "team", "organisation"))}
    shown = sorted(
        (each for each in found if query.lower() in each.name.lower()),
        key=lambda each: (order[each.kind], each.name),
    )
    context = {
        "workspace": workspace,
        "rows": [{"workspace": each, "role": _my_role(each)} for each in shown],
        "query": query,
        "is_closed": is_closed,
        "can_open": _can_open(request),
    }
    return show(request, "tenants/workspaces.html", SECTION | context, fragment="tenants/_workspaces.html")


def _my_role(workspace: Workspace) -> str:
    access = current_scope().workspaces.get(workspace.id)
    return str(WorkspaceMember.Role(access.role).label) if access else ""


def _can_open(request: PageRequest) -> bool:
    return request.seat.role != Membership.Role.AUDITOR


@require_http_methods(["GET", "POST"])
@workspace_page
def new_workspace(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A workspace for a team, of which one is the admin."""
    if not _can_open(request):
        raise NotAllowed(Membership.Role.MEMBER)
    form = WorkspaceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = services.open_workspace(name=form.cleaned_data["name"])
        said = _("Opened. You are its admin; let in whom you want.")
        note(request, said, undo=way_back("workspace-close", made))
        return redirect("workspace-settings", made)
    context = SECTION | {"workspace": workspace, "form": form}
    return show(request, "tenants/new_workspace.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@workspace_page
def settings(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A workspace's name, and who is in it as what; `?q=` filters by name."""
    form = WorkspaceForm(sent(request, "name"), initial={"name": workspace.name})
    if request.method == "POST" and form.is_valid():
        services.rename_workspace(workspace_id=workspace.id, name=form.cleaned_data["name"])
        undo = way_back("workspace-settings", workspace.id, name=workspace.name)
        note(request, _("Saved."), undo=undo if form.has_changed() else "")
        return redirect("workspace-settings", workspace.id)
    return _settings(request, workspace, form=form, status=422 if form.errors else 200)


def _settings(
    request: PageRequest, workspace: Workspace, *, status: int = 200, **context: Any
) -> HttpResponse:
    query = asked(request, "q")
    inside = _members(workspace)
    found = [each for each in inside if query.lower() in each.membership.name.lower()]
    is_admin = has_role(workspace.id, ADMIN)
    is_team = workspace.kind == TEAM
    can_let_in = is_admin and is_team
    shown = {
        "workspace": workspace,
        "form": WorkspaceForm(initial={"name": workspace.name}),
        "add": _add_form(inside) if can_let_in else None,
        "rows": [
            {"member": each, "role_form": _role_form(workspace, each) if is_admin else None}
            for each in found[:MOST]
        ],
        "is_cut": len(found) > MOST,
        "query": query,
        "is_team": is_team,
        "is_personal": workspace.kind == Workspace.Kind.PERSONAL,
        "is_admin": is_admin,
        "can_let_in": can_let_in,
        "my_id": current_scope().user_id,
        "roles": _roles(),
    }
    page = "tenants/workspace_settings.html"
    return show(request, page, SECTION | shown | context, fragment="tenants/_members.html", status=status)


def _members(workspace: Workspace) -> list[WorkspaceMember]:
    """Who is in a workspace, those who left the organisation left out."""
    rows = WorkspaceMember.objects.filter(workspace=workspace, membership__is_active=True)
    return list(rows.select_related("membership").order_by("membership__name", "id"))


def _roles() -> list[tuple[Any, Any]]:
    return [(role.label, PLACE_HELP[role]) for role in WorkspaceMember.Role]


def _role_form(workspace: Workspace, member: WorkspaceMember) -> PlaceForm | None:
    """None where the role follows from the one in the organisation."""
    if workspace.kind == Workspace.Kind.ORGANISATION and member.membership.role in GOVERN:
        return None
    return PlaceForm(initial={"role": member.role}, auto_id=f"id_%s_{member.id}")


def _add_form(inside: list[WorkspaceMember], data: Any = None) -> AddMemberForm:
    """A form that offers the people who are not in it; an auditor is in no shared workspace."""
    others = Membership.objects.filter(is_active=True).exclude(role=Membership.Role.AUDITOR)
    outside = others.exclude(user_id__in=[each.user_id for each in inside])
    return AddMemberForm(data, people=outside.order_by("name", "id"))


def _require(workspace: Workspace, *kinds: str) -> None:
    """Raises Workspace.DoesNotExist for a workspace of another kind: there is no such page of it."""
    if workspace.kind not in kinds:
        raise Workspace.DoesNotExist


@require_POST
@workspace_page
def add_member(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Let a person of the organisation in. The person and the role may stand in the address, for undo."""
    _require(workspace, TEAM)
    form = _add_form(_members(workspace), sent(request, "person"))
    if not form.is_valid():
        return _settings(request, workspace, add=form, status=422)
    person, role = uuid.UUID(form.cleaned_data["person"]), form.cleaned_data["role"]
    member = members.add_member(workspace_id=workspace.id, user_id=person, role=role)
    facts = {"name": member.membership.name, "role": member.get_role_display()}
    undo = way_back("workspace-member-remove", workspace.id, member.id)
    note(request, _("%(name)s is in now: %(role)s.") % facts, undo=undo)
    return redirect("workspace-settings", workspace)


@require_POST
@workspace_page
def change_member(request: PageRequest, workspace: Workspace, member: uuid.UUID) -> HttpResponse:
    """Give a member another role; the note at the bottom takes it back."""
    _require(workspace, TEAM, Workspace.Kind.ORGANISATION)
    found = _member(workspace, member)
    form = PlaceForm(sent(request, "role"))
    if not form.is_valid():
        return _settings(request, workspace, refused=form.errors["role"], status=422)
    before, role = found.role, form.cleaned_data["role"]
    try:
        changed = members.add_member(workspace_id=workspace.id, user_id=found.user_id, role=role)
    except members.LastAdmin:
        told = [_("A workspace keeps an admin. Make somebody else one first.")]
        return _settings(request, workspace, refused=told, status=422)
    except members.HeldByRole:
        told = [_("An owner or admin of the organisation is admin of its workspace.")]
        return _settings(request, workspace, refused=told, status=422)
    back = way_back("workspace-member-role", workspace.id, member, role=before)
    facts = {"name": found.membership.name, "role": changed.get_role_display()}
    note(request, _("%(name)s is %(role)s here now.") % facts, undo=back)
    return redirect("workspace-settings", workspace)


@require_POST
@workspace_page
def remove_member(request: PageRequest, workspace: Workspace, member: uuid.UUID) -> HttpResponse:
    """Take somebody out; the note at the bottom lets them in again."""
    _require(workspace, TEAM)
    found = _member(workspace, member)
    if found.user_id == current_scope().user_id:
        return redirect("workspace-leave", workspace)  # which says first what that means
    members.remove_member(workspace_id=workspace.id, user_id=found.user_id)
    back = way_back("workspace-members", workspace.id, person=found.user_id, role=found.role)
    told = _("%(name)s is out. What they wrote here stays.") % {"name": found.membership.name}
    note(request, told, undo=back)
    return redirect("workspace-settings", workspace)


def _member(workspace: Workspace, member: uuid.UUID) -> WorkspaceMember:
    return WorkspaceMember.objects.select_related("membership").get(id=member, workspace=workspace)


@require_http_methods(["GET", "POST"])
@workspace_page
def leave(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """What leaving a workspace does, and doing it: one does not come back by oneself."""
    _require(workspace, TEAM)
    if request.method == "POST":
        with suppress(members.LastMember):  # the page says what to do instead
            members.leave_workspace(workspace_id=workspace.id)
            note(request, _("You left %(name)s.") % {"name": workspace.name})
            return redirect("home")
    others = [each for each in _members(workspace) if each.user_id != current_scope().user_id]
    is_admin = has_role(workspace.id, ADMIN)
    context = {
        "workspace": workspace,
        "is_admin": is_admin,
        "is_alone": not others,
        "is_only_admin": is_admin and all(each.role != ADMIN for each in others),
    }
    status = 422 if request.method == "POST" else 200
    return show(request, "tenants/leave_workspace.html", SECTION | context, status=status)


@require_POST
@workspace_page
def close(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """Take a workspace out of everybody's lists; the note at the bottom opens it again."""
    _require(workspace, TEAM)
    services.close_workspace(workspace_id=workspace.id)
    back = way_back("workspace-reopen", current_scope().home, workspace.id)
    told = _("%(name)s is closed. Nothing in it was deleted.") % {"name": workspace.name}
    note(request, told, undo=back)
    return redirect("home")


@require_POST
@workspace_page
def reopen(request: PageRequest, workspace: Workspace, closed: uuid.UUID) -> HttpResponse:
    """Open a closed workspace again, from any other."""
    services.reopen_workspace(workspace_id=closed)
    return redirect("workspace-settings", closed)
