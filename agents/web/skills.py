"""Skills: how something is done, in words. Listed, written, changed, with versions and who knows them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents.models import AgentSkill
from agents.web.skill_forms import SkillForm
from memory import core, skills
from memory.models import Skill, SkillVersion
from memory.skills import BadSkill, SkillFields
from memory.stale import StaleVersion
from memory.web import diff
from memory.web.clashes import clash
from memory.web.diff import Run
from memory.web.names import names_of
from tenants.models import Workspace
from tenants.permissions import has_role, require_role
from tenants.web.doors import PageRequest, asked, is_uuid, show, workspace_page
from tenants.web.notes import note, way_back

SECTION = {"section": "skills"}
A_PAGE = 50
NAMES_SHOWN = 3


@dataclass(frozen=True)
class Row:
    """A skill, and the agents in sight that know it."""

    skill: Skill
    agents: list[str]


@require_GET
@workspace_page
def skill_list(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """The skills of a workspace by name; `?q=` filters, `?state=deleted` shows those that are gone."""
    query, is_deleted = asked(request, "q"), asked(request, "state") == "deleted"
    rows = Skill.objects.filter(workspace=workspace, retired_at__isnull=not is_deleted)
    if query:
        rows = rows.filter(Q(name__icontains=query) | Q(description__icontains=query))
    after = asked(request, "after")
    if is_uuid(after) and (last := rows.filter(id=after).first()):
        rows = rows.filter(Q(name__gt=last.name) | Q(name=last.name, id__gt=last.id))
    found = list(rows.defer("content").order_by("name", "id")[: A_PAGE + 1])
    context = SECTION | {
        "workspace": workspace,
        "rows": _rows(found[:A_PAGE]),
        "query": query,
        "is_deleted": is_deleted,
        "more": _more(request, found[A_PAGE - 1]) if len(found) > A_PAGE else "",
        "can_write": has_role(workspace.id, "editor"),
    }
    return show(request, "agents/skills.html", context, fragment="agents/_skills.html")


def _more(request: PageRequest, last: Skill) -> str:
    asked_for = request.GET.copy()
    asked_for["after"] = str(last.id)
    return f"?{asked_for.urlencode()}"


def _rows(found: Sequence[Skill]) -> list[Row]:
    uses = AgentSkill.objects.filter(skill__in=found, agent__retired_at=None).order_by("agent__name")
    names: dict[uuid.UUID, list[str]] = {each.id: [] for each in found}
    for skill_id, name in uses.values_list("skill_id", "agent__name"):
        names[skill_id].append(name)
    return [Row(each, names[each.id]) for each in found]


@require_http_methods(["GET", "POST"])
@workspace_page
def new_skill(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A new skill. Agents know it once it is attached to them."""
    require_role(workspace.id, "editor")
    form = SkillForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = skills.create_skill(
                workspace_id=workspace.id, actor=core.by_me(), **form.fields_of_skill()
            )
        except BadSkill as error:
            form.add_error(field_of(error), refused(error))
        else:
            return redirect("skill", workspace, made.id)
    context = SECTION | {"workspace": workspace, "form": form}
    return show(request, "agents/skill_new.html", context, status=422 if form.errors else 200)


def skill_in(workspace: Workspace, key: uuid.UUID) -> Skill:
    """A skill of a workspace, one that was deleted too. Raises Skill.DoesNotExist."""
    return Skill.objects.get(workspace=workspace, id=key)


@require_http_methods(["GET", "POST"])
@workspace_page
def skill(request: PageRequest, workspace: Workspace, skill: uuid.UUID) -> HttpResponse:
    """A skill: read, and changed by editors. A change is a new version."""
    found = skill_in(workspace, skill)
    if request.method == "GET":
        return _show(request, found, SkillForm(initial=_typed(found)))
    form = SkillForm(request.POST, initial=_typed(found))
    if not form.is_valid():
        return _show(request, found, form, status=422)
    version = form.cleaned_data["version"] or found.version
    try:
        made = skills.edit_skill(
            found.id, SkillFields(**form.fields_of_skill()), expected_version=version, actor=core.by_me()
        )
    except BadSkill as error:
        form.add_error(field_of(error), refused(error))
        return _show(request, found, form, status=422)
    except StaleVersion:
        return _conflict(request, found, form, version)
    undo = way_back("skill-restore", workspace.id, skill, version) if made.version != version else ""
    note(request, _("Saved."), undo=undo)
    return redirect("skill", workspace, skill)


def _typed(found: Skill) -> dict[str, Any]:
    return {
        "name": found.name,
        "description": found.description,
        "content": found.content,
        "version": found.version,
    }


def _show(
    request: PageRequest, found: Skill, form: SkillForm, *, status: int = 200, conflict: Any = None
) -> HttpResponse:
    context = frame(found) | {
        "form": form,
        "conflict": conflict,
        "agents": _rows([found])[0].agents,
    }
    return show(request, "agents/skill.html", context, status=status)


def frame(found: Skill) -> dict[str, Any]:
    """What the head of each page of a skill needs."""
    return SECTION | {
        "skill": found,
        "workspace": found.workspace_id,
        "can_write": has_role(found.workspace_id, "editor") and found.retired_at is None,
        "can_govern": has_role(found.workspace_id, "editor"),
    }


def _conflict(request: PageRequest, found: Skill, form: SkillForm, version: int) -> HttpResponse:
    """409: theirs and mine, and a form on the newest version that holds both."""
    theirs = skill_in(request.workspace, found.id)
    base = SkillVersion.objects.filter(skill=theirs, number=version).first()
    both = clash(base.content if base else "", theirs.content, form.cleaned_data["content"])
    kept = {name: form.cleaned_data[name] for name in ("name", "description")}
    again = SkillForm(initial=_typed(theirs) | kept | {"content": both.text})
    return _show(request, theirs, again, status=409, conflict=both)


def field_of(error: BadSkill) -> str | None:
    """The form's field that the error is about."""
    return error.field if error.field in SkillForm.base_fields else None


def refused(error: BadSkill) -> str:
    """Why a skill cannot be like this."""
    return {
        "name": _("A name is short and its own: another skill here has it, or it is empty or too long."),
        "description": _("A description says in one or two lines when to use it."),
    }.get(error.field, _("The text is empty or too long."))


@dataclass(frozen=True)
class Version:
    """A version of a skill, and what it changed."""

    version: SkillVersion
    who: str
    changes: list[Run]
    is_newest: bool


@require_GET
@workspace_page
def versions(request: PageRequest, workspace: Workspace, skill: uuid.UUID) -> HttpResponse:
    """Every version of a skill, the newest first; `?before=` pages."""
    found = skill_in(workspace, skill)
    rows = SkillVersion.objects.filter(skill=found).order_by("-number")
    before = asked(request, "before")
    if before.isascii() and before.isdigit() and len(before) < 10:
        rows = rows.filter(number__lt=int(before))
    page = list(rows[: A_PAGE + 1])
    names = names_of((each.actor_kind, each.actor_id) for each in page)
    shown = [
        Version(
            each,
            names.of(each.actor_kind, each.actor_id),
            diff.one_line(earlier.content if earlier else "", each.content),
            each.number == found.version,
        )
        for each, earlier in zip_longest(page, page[1:])
    ]
    context = frame(found) | {"versions": shown[:A_PAGE], "more": len(page) > A_PAGE}
    return show(request, "agents/skill_versions.html", context, fragment="agents/_skill_versions.html")


@require_GET
@workspace_page
def version(request: PageRequest, workspace: Workspace, skill: uuid.UUID, number: int) -> HttpResponse:
    """One version of a skill, whole, and what it changed in the one before."""
    found = skill_in(workspace, skill)
    wanted = SkillVersion.objects.get(skill=found, number=number)
    earlier = SkillVersion.objects.filter(skill=found, number=number - 1).first()
    context = frame(found) | {
        "version": wanted,
        "who": names_of([(wanted.actor_kind, wanted.actor_id)]).of(wanted.actor_kind, wanted.actor_id),
        "changes": diff.runs(earlier.content if earlier else "", wanted.content),
    }
    return show(request, "agents/skill_version.html", context)


@require_POST
@workspace_page
def restore(request: PageRequest, workspace: Workspace, skill: uuid.UUID, number: int) -> HttpResponse:
    """Make an old version the newest one again."""
    found = skill_in(workspace, skill)
    before = found.version
    try:
        skills.restore(found.id, number, actor=core.by_me())
    except BadSkill as error:
        messages.error(request, refused(error))
    else:
        said = _("Version %(number)s is current again.") % {"number": number}
        note(request, said, undo=way_back("skill-restore", workspace.id, skill, before))
    return redirect("skill", workspace, skill)


@require_POST
@workspace_page
def delete(request: PageRequest, workspace: Workspace, skill: uuid.UUID) -> HttpResponse:
    """Take a skill away from every agent, undoably."""
    found = skill_in(workspace, skill)
    skills.retire_skill(found.id)
    said = _("%(name)s is deleted: no agent knows it any more.") % {"name": found.name}
    note(request, said, undo=way_back("skill-return", workspace.id, skill))
    return redirect("skills", workspace)


@require_POST
@workspace_page
def bring_back(request: PageRequest, workspace: Workspace, skill: uuid.UUID) -> HttpResponse:
    """Undo a deletion: the agents that had it know it again."""
    found = skill_in(workspace, skill)
    try:
        skills.retire_skill(found.id, retired=False)
    except BadSkill as error:
        messages.error(request, refused(error))
    else:
        note(request, _("It is back."), undo=way_back("skill-delete", workspace.id, skill))
    return redirect("skill", workspace, skill)
