"""What tasks carry, and as whom their work is done."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from agents.models import Agent, MainContext, Turn
from agents.turns import lease
from tenants.scope import Identity, scope


@dataclass(frozen=True)
class RowKey:
    """A row by its ids: of a context that is filling, or of a summary that is to be made anew."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID
    row_id: uuid.UUID

    def background(self) -> Identity:
        """Background work: no person, and the reach of one workspace."""
        return Identity(self.tenant_id, None, frozenset({self.workspace_id}))


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
