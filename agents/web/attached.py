"""Which agents have a block in view: attached and detached, with a rule of their own, lent to team chats."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from agents import blocks
from agents.blocks import Use
from agents.models import Agent, AgentBlock
from memory.actors import ActorKind
from memory.models import Block
from memory.operations import BlockError
from memory.web.history import block_in, frame
from memory.web.names import names_of
from memory.web.refusals import sentence
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.scope import current_scope
from tenants.web.doors import PageRequest, asked, is_uuid, show, workspace_page
from tenants.web.notes import note, way_back

OFFERED_AT_MOST = 200
Done = tuple[str, str]  # what was done, in words, and where it is undone


@dataclass(frozen=True)
class ShownUse:
    """An agent's hold on a block, and what the present person may do about it."""

    use: Use
    person: str
    rule: str
    can_change: bool
    can_detach: bool
    can_lend: bool


def shown_uses(block: Block) -> list[ShownUse]:
    """Who has a block in view. A fixed number of queries."""
    uses = blocks.users_of(block)
    names = names_of((ActorKind.USER, use.person_id) for use in uses)
    return [_shown(block, use, names.person(use.person_id) if use.person_id else "") for use in uses]


def _shown(block: Block, use: Use, person: str) -> ShownUse:
    me = current_scope().user_id
    is_mine = use.person_id is not None and use.person_id == me
    here, there = (
        has_role(key, "editor") if key else False for key in (block.workspace_id, use.workspace_id)
    )
    return ShownUse(
        use=use,
        person=person,
        rule=use.override or block.governance,
        can_change=is_mine or (use.person_id is None and here and there),
        can_detach=is_mine or (use.person_id is None and (here or there)),
        can_lend=is_mine and block.workspace.kind == Workspace.Kind.PERSONAL,
    )


@require_GET
@workspace_page
def attached(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Which agents have this block in view, for whom, by which rule; and which could."""
    found = block_in(workspace, block)
    uses = shown_uses(found)
    query = asked(request, "q")
    context = {
        "uses": uses,
        "offered": _offered(found, uses, query),
        "query": query,
        "rules": Block.Governance.choices,
    }
    return show(
        request, "agents/attached.html", frame(found) | context, fragment="agents/_attached_offer.html"
    )


def _offered(block: Block, uses: list[ShownUse], query: str) -> list[Agent]:
    """Agents to which the present person may attach the block, and that do not have it."""
    if block.retired_at or not has_role(block.workspace_id, "editor"):
        return []
    mine = [key for key in current_scope().workspaces if has_role(key, "editor")]
    taken = [shown.use.agent_id for shown in uses if shown.person == "" or shown.can_lend]
    found = Agent.objects.filter(workspace_id__in=mine, retired_at=None, name__icontains=query)
    return list(
        found.exclude(id__in=taken).select_related("workspace").order_by("name", "id")[:OFFERED_AT_MOST]
    )


@require_POST
@workspace_page
def share(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Attach a block to each of the agents that were ticked; to all of them or to none."""
    chosen = _chosen(request.POST)
    found = block_in(workspace, block)

    def do() -> Done:
        made = blocks.share(found.id, chosen)
        said = ngettext(
            "%(agents)s agent has this block in view now.",
            "%(agents)s agents have this block in view now.",
            len(chosen),
        ) % {"agents": len(chosen)}
        added = [row.agent_id for row in made]
        return said, _way_back("block-unshare", found, agents=added) if added else ""

    return _done(request, found, do if chosen else lambda: (_("No agent was chosen."), ""))


@require_POST
@workspace_page
def unshare(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Undo `share`: out of the view of each of these agents again."""
    chosen = _chosen(request.POST if "agents" in request.POST else request.GET)
    found = block_in(workspace, block)

    def do() -> Done:
        for agent in chosen:
            blocks.detach(agent, found.id)
        return _("Detached. The block stays."), ""

    return _done(request, found, do if chosen else lambda: (_("No agent was chosen."), ""))


def _chosen(given: QueryDict) -> list[uuid.UUID]:
    return [uuid.UUID(text) for text in given.getlist("agents") if is_uuid(text)]


@require_POST
@workspace_page
def attach(request: PageRequest, workspace: Workspace, block: uuid.UUID, agent: uuid.UUID) -> HttpResponse:
    """Attach a block to one agent; on the terms that it had, where an Undo's address says them."""
    found = block_in(workspace, block)
    rule, is_lent = asked(request, "governance"), bool(asked(request, "allowed"))

    def do() -> Done:
        blocks.attach(agent, found.id)
        if rule in Block.Governance.values:
            blocks.set_override(agent, found.id, rule)
        if is_lent:
            blocks.lend(agent, found.id, allowed=True)
        return _("Attached."), _way_back("block-detach", found, agent)

    return _done(request, found, do)


@require_POST
@workspace_page
def detach(request: PageRequest, workspace: Workspace, block: uuid.UUID, agent: uuid.UUID) -> HttpResponse:
    """Take a block out of an agent's view; it stays, with its history."""
    found = block_in(workspace, block)
    held = AgentBlock.objects.get(agent_id=agent, block=found)

    def do() -> Done:
        blocks.detach(agent, found.id)
        undo = _way_back("block-attach", found, agent, **_terms(held)) if _can_attach(found, held) else ""
        return _("Detached. The block stays."), undo

    return _done(request, found, do)


def _terms(held: AgentBlock) -> dict[str, str]:
    """What holds for one agent alone, as an Undo's address says it."""
    terms = {"governance": held.governance, "allowed": "1" if held.in_shared_chats else ""}
    return {name: value for name, value in terms.items() if value}


def _can_attach(block: Block, held: AgentBlock) -> bool:
    """Whether the present person could attach it again: who may end something may not always begin it."""
    agent = Agent.objects.filter(id=held.agent_id, retired_at=None).first()
    is_my_hand = held.person_id in {None, current_scope().user_id}
    sides = [block.workspace_id, agent.workspace_id] if agent else []
    return is_my_hand and bool(sides) and all(has_role(side, "editor") for side in sides)


@require_POST
@workspace_page
def override(request: PageRequest, workspace: Workspace, block: uuid.UUID, agent: uuid.UUID) -> HttpResponse:
    """Set the rule for one agent; empty takes the block's own."""
    found = block_in(workspace, block)
    rule = (request.POST if "governance" in request.POST else request.GET).get("governance", "")
    before = AgentBlock.objects.get(agent_id=agent, block=found).governance

    def do() -> Done:
        made = blocks.set_override(agent, found.id, rule if rule in Block.Governance.values else None)
        is_same = made.governance == before
        return _("Saved."), "" if is_same else _way_back("block-rule", found, agent, governance=before)

    return _done(request, found, do)


@require_POST
@workspace_page
def lend(request: PageRequest, workspace: Workspace, block: uuid.UUID, agent: uuid.UUID) -> HttpResponse:
    """Allow a personal block to be shown in team chats with an agent, or stop that."""
    found = block_in(workspace, block)
    is_allowed = bool(request.POST.get("allowed") or asked(request, "allowed"))

    def do() -> Done:
        blocks.lend(agent, found.id, allowed=is_allowed)
        if is_allowed:
            said = _(
                "Lent: in team chats with this agent the model reads it, and others may hear what it says."
            )
            return said, _way_back("block-lend", found, agent)
        return _("It is shown in no team chat any more."), _way_back("block-lend", found, agent, allowed="1")

    return _done(request, found, do)


def _way_back(route: str, found: Block, /, *where: uuid.UUID, **before: Any) -> str:
    return way_back(route, found.workspace_id, found.id, *where, **before)


def _done(request: PageRequest, found: Block, do: Callable[[], Done]) -> HttpResponse:
    """Do it, and say so, with the way back; or say why not."""
    try:
        said, undo = do()
    except BlockError as error:
        messages.error(request, sentence(error))
    else:
        note(request, said, undo=undo)
    return redirect("block-attached", found.workspace_id, found.id)
