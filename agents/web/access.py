"""Who can read a block, who can write it or propose, and why: in words."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from agents.web.attached import ShownUse, shown_uses
from memory.models import Block
from memory.web.history import block_in, frame
from tenants.models import Membership, Workspace, WorkspaceMember
from tenants.web.doors import PageRequest, asked, show, workspace_page

A_PAGE = 100


@dataclass(frozen=True)
class Reader:
    """A person or an agent, what they may do with a block, and by what."""

    name: str
    may: str
    why: str
    link: tuple[uuid.UUID, uuid.UUID] | None = None


@require_GET
@workspace_page
def access(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Everybody who can read this block: the people of its workspace, and the agents that have it in view."""
    found = block_in(workspace, block)
    after = asked(request, "after")
    members = _members(workspace, after)
    uses = shown_uses(found)
    context = {
        "workspace": workspace,
        "people": [_person(found, member) for member in members[:A_PAGE]],
        "more": members[A_PAGE - 1].membership.name if len(members) > A_PAGE else "",
        "agents": [_agent(found, shown) for shown in uses],
        "is_lent": any(shown.use.in_shared_chats for shown in uses),
    }
    return show(request, "agents/access.html", frame(found) | context, fragment="agents/_access.html")


def _members(workspace: Workspace, after: str) -> list[WorkspaceMember]:
    """The people of a workspace by name. An auditor reaches none but their own, whatever rows exist."""
    rows = WorkspaceMember.objects.filter(workspace=workspace, membership__is_active=True)
    if workspace.kind != Workspace.Kind.PERSONAL:
        rows = rows.exclude(membership__role=Membership.Role.AUDITOR)
    if after:
        rows = rows.filter(membership__name__gt=after)
    return list(rows.select_related("membership").order_by("membership__name", "id")[: A_PAGE + 1])


def _person(block: Block, member: WorkspaceMember) -> Reader:
    role = WorkspaceMember.Role(member.role)
    why = _("is %(role)s of the workspace") % {"role": role.label}
    if role == WorkspaceMember.Role.VIEWER:
        may = _("reads")
    elif role == WorkspaceMember.Role.MEMBER and block.governance == Block.Governance.READ_ONLY:
        may, why = _("reads"), f"{why}; {_('the block is read-only')}"
    elif role == WorkspaceMember.Role.MEMBER:
        may = _("reads and proposes")
    else:
        may = _("reads, writes, decides on proposals, sets the rules")
    return Reader(member.membership.name, may, why)


def _agent(block: Block, shown: ShownUse) -> Reader:
    use = shown.use
    whose = _("in chats with %(name)s alone") % {"name": shown.person} if shown.person else ""
    why = "; ".join(filter(None, (_source_of_rule(use.override), whose)))
    link = (use.workspace_id, use.agent_id) if use.workspace_id and use.agent_name else None
    return Reader(use.agent_name or _("an agent that you do not see"), _may_of_agent(block, shown), why, link)


def _source_of_rule(rule: str | None) -> str:
    return _("by a rule for this agent") if rule else _("by the rule of the block")


def _may_of_agent(block: Block, shown: ShownUse) -> str:
    if shown.use.is_retired:
        return _("is deleted: reads nothing")
    if shown.rule == Block.Governance.READ_ONLY:
        return _("reads")
    if shown.rule == Block.Governance.PROPOSE:
        return _("reads and proposes")
    if shown.use.override:
        return _("reads and writes, from every chat")
    name = block.workspace.name
    return _("reads; writes in chats of %(name)s, and proposes from others") % {"name": name}
