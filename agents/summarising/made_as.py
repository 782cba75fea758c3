"""As whom a chat's summaries are made."""

from __future__ import annotations

from agents.models import Agent, MainContext, Turn
from agents.turns import lease
from tenants.scope import Identity, scope


def identity_of(context: MainContext) -> Identity | None:
    """As whom a chat's summary is made: its last turn's person, with what that turn saw, or else its owner.

    The agent may lie in a workspace that background work does not reach, and who writes a context has to see
    its agent. So it is the first of the two who reaches both; None where neither does, and that may change.
    `context` has its conversation.
    """
    turn = Turn.objects.filter(context=context).order_by("-id").first()
    speaker = lease.reach_of(turn) if turn else None
    owner = Identity(context.tenant_id, context.conversation.owner_id)
    return next((each for each in (speaker, owner) if each and _reaches(each, context)), None)


def _reaches(identity: Identity, context: MainContext) -> bool:
    with scope(identity) as mine:
        return context.workspace_id in mine.workspaces and Agent.objects.filter(id=context.agent_id).exists()
